import pytest

from pubmed_api.exceptions import InvalidEfetchResponse, UpstreamInvalidResponse
from pubmed_api.models.article import Article, Author, Journal
from pubmed_api.parsers.pubmed.article import parse_pubmed_article, parse_pubmed_article_set, parse_pubmed_record

ARTICLE = """
<PubmedArticle>
  <MedlineCitation Status="MEDLINE">
    <PMID Version="2">90000001</PMID>
    <Article PubModel="Print">
      <Journal><Title>Journal of Imagined Results</Title></Journal>
      <ArticleTitle><i>Foo</i> and CO<sub>2</sub>.</ArticleTitle>
      <Abstract><AbstractText>Text.</AbstractText></Abstract>
      <AuthorList>
        <Author><LastName>A</LastName>
          <AffiliationInfo><Affiliation>Lab</Affiliation></AffiliationInfo></Author>
      </AuthorList>
      <GrantList><Grant><Agency>NIH</Agency></Grant></GrantList>
      <PublicationTypeList>
        <PublicationType UI="D016428">Journal Article</PublicationType><PublicationType>Review</PublicationType>
      </PublicationTypeList>
      <ArticleDate DateType="Electronic"><Year>2021</Year></ArticleDate>
    </Article>
    <CommentsCorrectionsList>
      <CommentsCorrections RefType="ErratumIn"><RefSource>J. 1</RefSource></CommentsCorrections>
    </CommentsCorrectionsList>
    <MeshHeadingList><MeshHeading><DescriptorName>Rats</DescriptorName></MeshHeading></MeshHeadingList>
    <KeywordList Owner="NOTNLM"><Keyword>one</Keyword><Keyword/><Keyword>H<sub>2</sub></Keyword></KeywordList>
    <KeywordList Owner="NASA"><Keyword>two</Keyword></KeywordList>
    <InvestigatorList>
      <Investigator><LastName>M</LastName>
        <AffiliationInfo><Affiliation>Site</Affiliation></AffiliationInfo>
        <AffiliationInfo><Affiliation>Lab</Affiliation></AffiliationInfo></Investigator>
    </InvestigatorList>
  </MedlineCitation>
  <PubmedData>
    <ArticleIdList>
      <ArticleId IdType="pubmed">90000001</ArticleId><ArticleId IdType="pmc">PMC90000001</ArticleId>
    </ArticleIdList>
    <ReferenceList><Reference><ArticleIdList>
      <ArticleId IdType="doi">10.5555/cited</ArticleId><ArticleId IdType="pmc">PMC90000009</ArticleId>
    </ArticleIdList></Reference></ReferenceList>
  </PubmedData>
</PubmedArticle>"""


def article_set(*records: str) -> bytes:
    return f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>".encode()


def record(pmid: str) -> str:
    return f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID></MedlineCitation></PubmedArticle>"


def book(pmid: str) -> str:
    return f"<PubmedBookArticle><BookDocument><PMID>{pmid}</PMID></BookDocument></PubmedBookArticle>"


@pytest.fixture
def article(node) -> Article:
    return parse_pubmed_article(node(ARTICLE))


def test_article__what_it_is(article):
    assert (article.record_type, article.pmid, article.version) == ("journal-article", "90000001", 2)
    assert article.title == "Foo and CO₂."
    assert article.abstract_text == "Text."
    assert article.journal_info == Journal(title="Journal of Imagined Results")
    assert article.publication_types == ("Journal Article", "Review")


def test_article__identifiers_are_never_those_of_a_reference(article):
    assert article.doi is None
    assert article.pmc_id == "PMC90000001"


def test_article__keywords_of_all_lists(article):
    assert article.keywords == ("one", "H₂", "two")


def test_article__parts_are_in_their_places(article):
    assert [term.descriptor_name for term in article.mesh_terms] == ["Rats"]
    assert [grant.agency for grant in article.grant_list] == ["NIH"]
    assert [date.year for date in article.article_dates] == ["2021"]
    assert [link.ref_type for link in article.comments_corrections] == ["ErratumIn"]


def test_article__investigators_leave_the_authors_affiliations_alone(article):
    assert article.authors == (Author(last_name="A", affiliation_indices=(0,)),)
    assert article.affiliations == ("Lab",)
    assert article.investigators == (Author(last_name="M", affiliation_indices=(1, 0)),)
    assert article.investigator_affiliations == ("Site",)


def test_article__nothing_but_its_element(node):
    assert parse_pubmed_article(node("<PubmedArticle/>")) == Article("journal-article", None)


def test_article__pmid_in_the_id_list_alone(node):
    text = '<ArticleIdList><ArticleId IdType="pubmed">90000004</ArticleId></ArticleIdList>'
    assert parse_pubmed_article(node(f"<PubmedArticle><PubmedData>{text}</PubmedData></PubmedArticle>")).pmid == (
        "90000004"
    )


@pytest.mark.parametrize("title", ["", "<ArticleTitle/>", "<ArticleTitle> <i/> </ArticleTitle>"])
def test_article__without_title(node, title):
    text = f"<PubmedArticle><MedlineCitation><Article>{title}</Article></MedlineCitation></PubmedArticle>"
    assert parse_pubmed_article(node(text)) == Article("journal-article", None)


def test_article_set__records_in_document_order():
    body = article_set(
        book("90000003"), record("90000001"), "<DeleteCitation><PMID>90000009</PMID></DeleteCitation>", book("90000002")
    )
    found = parse_pubmed_article_set(body)
    assert [article.pmid for article in found] == ["90000003", "90000001", "90000002"]
    assert [article.record_type for article in found] == ["book", "journal-article", "book"]


def test_article_set__unknown_elements_are_tolerated():
    body = article_set("<ErrorList/>", "<SomethingNew><PubmedArticle/></SomethingNew>", record("90000001"))
    assert [article.pmid for article in parse_pubmed_article_set(body)] == ["90000001"]


def test_article_set__versions_are_all_given():
    versions = (record("90000001"), record("90000001").replace("<PMID>", '<PMID Version="3">'))
    assert [article.version for article in parse_pubmed_article_set(article_set(*versions))] == [1, 3]


@pytest.mark.parametrize("body", [b"<PubmedArticleSet/>", b"<PubmedArticleSet>\n</PubmedArticleSet>"])
def test_article_set__empty_is_no_error(body):
    assert parse_pubmed_article_set(body) == ()


@pytest.mark.parametrize("body", [b"<eFetchResult><ERROR>x</ERROR></eFetchResult>", b"<html/>", b"<MedlineCitation/>"])
def test_article_set__another_document(body):
    with pytest.raises(InvalidEfetchResponse) as caught:
        parse_pubmed_article_set(body)
    assert caught.value.reason == "invalid_efetch_response"


def test_article_set__cut_short():
    with pytest.raises(UpstreamInvalidResponse) as caught:
        parse_pubmed_article_set(b"<PubmedArticleSet><PubmedArticle>")
    assert caught.value.reason == "ncbi_invalid_response"


def test_parse_pubmed_record__alone_reads_as_in_its_set():
    (whole,) = parse_pubmed_article_set(f"<PubmedArticleSet>{ARTICLE}</PubmedArticleSet>".encode())
    assert parse_pubmed_record(ARTICLE.encode()) == whole


@pytest.mark.parametrize(
    ("body", "kind"),
    [(b"<DeleteCitation/>", InvalidEfetchResponse), (b"<PubmedArticle>", UpstreamInvalidResponse)],
)
def test_parse_pubmed_record__of_something_else(body, kind):
    with pytest.raises(kind):
        parse_pubmed_record(body)
