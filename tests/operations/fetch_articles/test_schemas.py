import pytest

from pubmed_api.models.article import Article, Author, MeshHeading
from pubmed_api.operations.fetch_articles.schemas import record_characters


@pytest.mark.parametrize(
    ("article", "text"),
    [
        (Article("book", None), '{"recordType":"book","authors":[]}'),
        (Article("book", None, title='é "α"\n'), '{"recordType":"book","title":"é \\"α\\"\\n","authors":[]}'),
        (
            Article("book", None, authors=(Author("Ünal"),), mesh_terms=(MeshHeading("Fiction"),)),
            '{"recordType":"book","authors":[{"lastName":"Ünal"}],'
            '"meshTerms":[{"descriptorName":"Fiction","isMajorTopic":false}]}',
        ),
    ],
)
def test_record_characters__compact_json_as_it_stands(article, text):
    assert record_characters(article) == len(text)
