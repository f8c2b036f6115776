"""A corpus of eight invented records, small enough to know every search result by heart.

| PMID | what it is |
|---|---|
| 90000001 | trial of asthma in children, 2020, in PMC |
| 90000002 | asthma in mice, 2021, markup in the title |
| 90000003 | German review of hypertension, winter 2018, no abstract |
| 90000004 | letter of a group about 90000001, spring 2020 |
| 90000005 | web-first article on stroke, June 2022, in PMC |
| 90000006 | French article ahead of print, 2023 |
| 90000007 | chapter of a book of 1993, written in 2006 |
| 90000008 | whole book, 2011 |
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree
from lxml.etree import _Element
from werkzeug.test import Client, TestResponse

from pubmed_api.sandbox import create_sandbox
from pubmed_api.sandbox.corpus import Corpus, read_folder

EUTILS = "/eutils.ncbi.nlm.nih.gov/entrez/eutils"


def _history(entrez: str, pubmed: str, medline: str) -> str:
    dates = zip(("entrez", "pubmed", "medline"), (entrez, pubmed, medline), strict=True)
    return "".join(
        f'<PubMedPubDate PubStatus="{status}"><Year>{date[:4]}</Year><Month>{int(date[5:7])}</Month>'
        f"<Day>{int(date[8:10])}</Day><Hour>6</Hour><Minute>0</Minute></PubMedPubDate>"
        for status, date in dates
    )


def _person(last: str, fore: str, initials: str, more: str = "") -> str:
    names = f"<LastName>{last}</LastName><ForeName>{fore}</ForeName><Initials>{initials}</Initials>"
    return f'<Author ValidYN="Y">{names}{more}</Author>'


def _journal(abbreviation: str, title: str, jid: str) -> tuple[str, str]:
    return (
        f"<Title>{title}</Title><ISOAbbreviation>{abbreviation}</ISOAbbreviation>",
        f"<MedlineJournalInfo><Country>Utopia</Country><MedlineTA>{abbreviation}</MedlineTA>"
        f"<NlmUniqueID>{jid}</NlmUniqueID><ISSNLinking>0000-0011</ISSNLinking></MedlineJournalInfo>",
    )


_MEDICINE = _journal("J Imag Med", "Journal of Imaginary Medicine", "F0000001")
_HEARTS = _journal("Acta Fict Cardiol", "Acta fictiva cardiologica", "F0000002")


def _article(
    pmid: str,
    status: str,
    model: str,
    issue: str,
    body: str,
    *,
    after: str = "",
    ids: str = "",
    journal: tuple[str, str] = _MEDICINE,
    history: str = "",
    published: str = "ppublish",
    dates: str = "",
) -> str:
    return f"""<PubmedArticle><MedlineCitation Status="{status}" Owner="NLM"><PMID Version="1">{pmid}</PMID>{dates}
    <Article PubModel="{model}"><Journal><ISSN IssnType="Print">0000-0011</ISSN>
    <JournalIssue CitedMedium="Print">{issue}</JournalIssue>{journal[0]}</Journal>{body}</Article>{journal[1]}{after}
    </MedlineCitation><PubmedData><History>{history}</History><PublicationStatus>{published}</PublicationStatus>
    <ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>{ids}</ArticleIdList></PubmedData></PubmedArticle>"""


_TRIAL = _article(
    "90000001",
    "MEDLINE",
    "Print-Electronic",
    "<Volume>12</Volume><Issue>3</Issue><PubDate><Year>2020</Year><Month>Mar</Month><Day>14</Day></PubDate>",
    f"""<ArticleTitle>Inhaled stories for children with asthma.</ArticleTitle>
    <Pagination><MedlinePgn>101-9</MedlinePgn></Pagination>
    <ELocationID EIdType="doi" ValidYN="Y">10.5555/JIM.2020.1</ELocationID>
    <Abstract><AbstractText Label="METHODS">Imaginary children with mild asthma heard a story.</AbstractText>
    <AbstractText Label="RESULTS">Fewer nights with symptoms.</AbstractText></Abstract>
    <AuthorList CompleteYN="Y">{
        _person(
            "Doe",
            "Jane A",
            "JA",
            '<Identifier Source="ORCID">0000-0009-9999-0012'
            "</Identifier><AffiliationInfo><Affiliation>Beispielhausen University Hospital, Utopia.</Affiliation>"
            "</AffiliationInfo>",
        )
    }{_person("Mustermann", "Erika", "E")}</AuthorList><Language>eng</Language>
    <GrantList CompleteYN="Y"><Grant><GrantID>FIC-000123</GrantID><Agency>Imaginary Council</Agency>
    <Country>Utopia</Country></Grant></GrantList>
    <PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>
    <PublicationType UI="D016449">Randomized Controlled Trial</PublicationType></PublicationTypeList>
    <ArticleDate DateType="Electronic"><Year>2020</Year><Month>02</Month><Day>02</Day></ArticleDate>""",
    after="""<CitationSubset>IM</CitationSubset><CommentsCorrectionsList>
    <CommentsCorrections RefType="CommentIn"><RefSource>J Imag Med. 2020;12(4):200</RefSource>
    <PMID Version="1">90000004</PMID></CommentsCorrections></CommentsCorrectionsList>
    <MeshHeadingList><MeshHeading><DescriptorName UI="D001249" MajorTopicYN="N">Asthma</DescriptorName>
    <QualifierName UI="Q000188" MajorTopicYN="Y">drug therapy</QualifierName></MeshHeading>
    <MeshHeading><DescriptorName UI="D002648" MajorTopicYN="N">Child</DescriptorName></MeshHeading>
    <MeshHeading><DescriptorName UI="D006801" MajorTopicYN="N">Humans</DescriptorName></MeshHeading></MeshHeadingList>
    <KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">bedtime stories</Keyword></KeywordList>""",
    ids='<ArticleId IdType="pmc">PMC90000001</ArticleId><ArticleId IdType="doi">10.5555/JIM.2020.1</ArticleId>',
    history=_history("2020-03-14", "2020-03-15", "2020-06-01"),
    dates="<DateCompleted><Year>2020</Year><Month>06</Month><Day>01</Day></DateCompleted>"
    "<DateRevised><Year>2021</Year><Month>01</Month><Day>09</Day></DateRevised>",
)

_MICE = _article(
    "90000002",
    "MEDLINE",
    "Print",
    "<Volume>13</Volume><Issue>1</Issue><PubDate><Year>2021</Year><Month>05</Month></PubDate>",
    f"""<ArticleTitle><i>Imag1</i> and T<sub>H</sub>2 cells &amp; asthma in a fictional mouse.</ArticleTitle>
    <Pagination><StartPage>7</StartPage><EndPage>11</EndPage></Pagination>
    <Abstract><AbstractText>Asthma, asthma and again asthma: β-blockers of the imagination.</AbstractText></Abstract>
    <AuthorList CompleteYN="Y">{_person("Doering", "Max", "M")}{_person("Ørsted-Fiktiv", "Åse", "Å")}</AuthorList>
    <Language>eng</Language><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>
    </PublicationTypeList>""",
    after="""<MeshHeadingList><MeshHeading><DescriptorName UI="D000818" MajorTopicYN="N">Animals</DescriptorName>
    </MeshHeading><MeshHeading><DescriptorName UI="D001249" MajorTopicYN="Y">Asthma</DescriptorName>
    <QualifierName UI="Q000235" MajorTopicYN="N">genetics</QualifierName></MeshHeading>
    <MeshHeading><DescriptorName UI="D051379" MajorTopicYN="N">Mice</DescriptorName></MeshHeading></MeshHeadingList>""",
    history=_history("2021-05-20", "2021-05-21", "2021-07-01"),
)

_REVIEW = _article(
    "90000003",
    "PubMed-not-MEDLINE",
    "Print",
    "<Volume>4</Volume><PubDate><MedlineDate>2018 Winter</MedlineDate></PubDate>",
    f"""<ArticleTitle>[Hypertension in imaginary towns].</ArticleTitle>
    <Pagination><MedlinePgn>33-8</MedlinePgn></Pagination><AuthorList CompleteYN="Y">{_person("Doe", "John", "J")}
    </AuthorList><Language>ger</Language><PublicationTypeList>
    <PublicationType UI="D016454">Review</PublicationType></PublicationTypeList>
    <VernacularTitle>Bluthochdruck in erfundenen Städten</VernacularTitle>""",
    journal=_HEARTS,
    history=_history("2018-02-01", "2018-02-02", "2018-02-02"),
)

_LETTER = _article(
    "90000004",
    "In-Process",
    "Print",
    "<Volume>12</Volume><Issue>4</Issue><PubDate><Year>2020</Year><Season>Spring</Season></PubDate>",
    """<ArticleTitle>Which stories?</ArticleTitle><Pagination><MedlinePgn>200</MedlinePgn></Pagination>
    <AuthorList CompleteYN="Y"><Author ValidYN="Y"><CollectiveName>Nowhere Reading Group</CollectiveName></Author>
    </AuthorList><Language>eng</Language><PublicationTypeList>
    <PublicationType UI="D016422">Letter</PublicationType></PublicationTypeList>""",
    after="""<CommentsCorrectionsList><CommentsCorrections RefType="CommentOn">
    <RefSource>J Imag Med. 2020 Mar 14;12(3):101-9</RefSource><PMID Version="1">90000001</PMID>
    </CommentsCorrections></CommentsCorrectionsList>""",
    history=_history("2020-04-10", "2020-04-11", "2020-04-11"),
)

_WEB_FIRST = _article(
    "90000005",
    "MEDLINE",
    "Electronic-eCollection",
    "<Volume>9</Volume><PubDate><Year>2022</Year></PubDate>",
    f"""<ArticleTitle>Stroke and blood pressure in people who do not exist.</ArticleTitle>
    <Pagination><MedlinePgn>e55</MedlinePgn></Pagination>
    <ELocationID EIdType="pii" ValidYN="Y">e55</ELocationID>
    <ELocationID EIdType="doi" ValidYN="N">10.5555/wrong</ELocationID>
    <ELocationID EIdType="doi" ValidYN="Y">10.5555/afc.2022.55</ELocationID>
    <Abstract><AbstractText>An invented cohort of readers with high blood pressure.</AbstractText></Abstract>
    <AuthorList CompleteYN="Y">{_person("Voorbeeld", "Piet", "P")}</AuthorList><Language>eng</Language>
    <PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList>
    <ArticleDate DateType="Electronic"><Year>2022</Year><Month>06</Month><Day>26</Day></ArticleDate>""",
    after="""<MeshHeadingList><MeshHeading><DescriptorName UI="D020521" MajorTopicYN="N">Stroke</DescriptorName>
    </MeshHeading><MeshHeading><DescriptorName UI="D006973" MajorTopicYN="N">Hypertension</DescriptorName></MeshHeading>
    <MeshHeading><DescriptorName UI="D006801" MajorTopicYN="N">Humans</DescriptorName></MeshHeading></MeshHeadingList>
    <CoiStatement>The authors do not exist.</CoiStatement>""",
    journal=_HEARTS,
    ids='<ArticleId IdType="pmc">PMC90000005</ArticleId><ArticleId IdType="doi">10.5555/afc.2022.55</ArticleId>',
    history=_history("2022-06-27", "2022-06-28", "2022-08-01"),
    published="epublish",
)

_AHEAD = _article(
    "90000006",
    "Publisher",
    "Print-Electronic",
    "<PubDate><Year>2023</Year><Month>Oct</Month><Day>7</Day></PubDate>",
    f"""<ArticleTitle>[A tale of coughs].</ArticleTitle>
    <ELocationID EIdType="doi" ValidYN="Y">10.5555/jim.2023.6</ELocationID>
    <Abstract><AbstractText>Coughing in novels.</AbstractText></Abstract>
    <AuthorList CompleteYN="Y">{_person("Exemple", "Zoé", "Z")}</AuthorList><Language>fre</Language>
    <PublicationTypeList><PublicationType UI="D002363">Case Reports</PublicationType></PublicationTypeList>
    <VernacularTitle>Un conte de toux</VernacularTitle>
    <ArticleDate DateType="Electronic"><Year>2023</Year><Month>10</Month><Day>07</Day></ArticleDate>""",
    ids='<ArticleId IdType="doi">10.5555/jim.2023.6</ArticleId>',
    history=_history("2023-10-08", "2023-10-09", "2023-10-09"),
    published="aheadofprint",
)


def _book(pmid: str, accession: str, book: str, rest: str) -> str:
    return f"""<PubmedBookArticle><BookDocument><PMID Version="1">{pmid}</PMID>
    <ArticleIdList><ArticleId IdType="bookaccession">{accession}</ArticleId></ArticleIdList><Book>{book}</Book>{rest}
    </BookDocument><PubmedBookData><History>{_history("2012-09-08", "2012-09-08", "2012-09-08")}</History>
    <PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>
    </ArticleIdList></PubmedBookData></PubmedBookArticle>"""


_CHAPTER = _book(
    "90000007",
    "NBK99900007",
    f"""<Publisher><PublisherName>University of Nowhereland</PublisherName><PublisherLocation>Eksempelvik
    </PublisherLocation></Publisher><BookTitle book="imag">ImagReviews<sup>®</sup></BookTitle>
    <PubDate><Year>1993</Year></PubDate><AuthorList Type="editors">{_person("Example", "Erika E", "EE")}</AuthorList>
    <Isbn>0000999010</Isbn>""",
    f"""<ArticleTitle book="imag" part="imag-cough">Cough of the <i>IMAG1</i> type</ArticleTitle>
    <Language>eng</Language><AuthorList Type="authors">{_person("Hong", "Gildong", "G")}</AuthorList>
    <PublicationType UI="D016454">Review</PublicationType>
    <Abstract><AbstractText Label="DIAGNOSIS">Reading on.</AbstractText></Abstract>
    <ContributionDate><Year>2006</Year><Month>2</Month><Day>15</Day></ContributionDate>
    <DateRevised><Year>2024</Year><Month>12</Month><Day>19</Day></DateRevised>""",
)

_WHOLE_BOOK = _book(
    "90000008",
    "NBK99900008",
    f"""<Publisher><PublisherName>Fiktiv Verlag</PublisherName><PublisherLocation>Beispielhausen</PublisherLocation>
    </Publisher><BookTitle book="hand">A Handbook of Imaginary Medicine</BookTitle><PubDate><Year>2011</Year></PubDate>
    <AuthorList Type="authors">{_person("Specimen", "Pat", "P")}</AuthorList><Edition>3rd</Edition>""",
    "<Language>eng</Language><Abstract><AbstractText>All of it invented.</AbstractText></Abstract>",
)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus folder of two files."""
    path = tmp_path_factory.mktemp("corpus")
    articles = (_TRIAL, _MICE, _REVIEW, _LETTER, _WEB_FIRST, _AHEAD)
    for name, records in (("articles", articles), ("books", (_CHAPTER, _WHOLE_BOOK))):
        body = f"<PubmedArticleSet><!-- a note -->{''.join(records)}</PubmedArticleSet>"
        (path / f"{name}.xml").write_text(body, "utf-8")
    return path


@pytest.fixture(scope="session")
def corpus(folder: Path) -> Corpus:
    return Corpus(read_folder(folder))


@pytest.fixture(scope="session")
def client(folder: Path) -> Client:
    """A client of the sandbox over the eight records."""
    return Client(create_sandbox(folder))


@pytest.fixture(scope="session")
def call(client: Client) -> Callable[..., TestResponse]:
    """Calls an E-utility by name."""

    def send(name: str, **parameters: object) -> TestResponse:
        return client.get(f"{EUTILS}/{name}.fcgi", query_string={"db": "pubmed", **parameters})

    return send


@pytest.fixture(scope="session")
def answer(call: Callable[..., TestResponse]) -> Callable[..., _Element]:
    """Calls an E-utility by name and gives back the root of its XML."""
    return lambda name, **parameters: etree.fromstring(call(name, **parameters).data)
