"""ESummary's answers in both of its versions."""

import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.summary import ArticleSummary
from pubmed_api.parsers.esummary import format_authors, parse_document_summaries, parse_summary


def author(name, auth_type="Author"):
    return f"<Author><Name>{name}</Name><AuthType>\n\t{auth_type}\n</AuthType><ClusterID></ClusterID></Author>"


def document(*parts, uid="90000001"):
    return f'<DocumentSummary uid="{uid}">{"".join(parts)}</DocumentSummary>'


def parse(*documents):
    body = f'<eSummaryResult><DocumentSummarySet status="OK">{"".join(documents)}</DocumentSummarySet></eSummaryResult>'
    return parse_document_summaries(body.encode())


def parse_one(*parts):
    (summary,) = parse(document(*parts))
    return summary


def test_parse_document_summaries__journal_article():
    summary = parse_one(
        "<PubDate>2031 Jul-Aug</PubDate><EPubDate>2031 May 4</EPubDate><Source>Ann Invent</Source>",
        f"<Authors>{author('Mond A')}{author('Flut BC')}</Authors><Title>Tides by moonlight.</Title>",
        "<FullJournalName>Annals of Invention</FullJournalName><DocType>citation</DocType><BookTitle></BookTitle>",
        "<ArticleIds><ArticleId><IdType>doi</IdType><IdTypeN>3</IdTypeN><Value>10.5555/Tides.1</Value></ArticleId>"
        "<ArticleId><IdType>pmc</IdType><IdTypeN>8</IdTypeN><Value>PMC90000011</Value></ArticleId>"
        "<ArticleId><IdType>pmcid</IdType><IdTypeN>5</IdTypeN><Value>pmc-id: PMC90000011;</Value></ArticleId>"
        "</ArticleIds><PubType><flag>Journal Article</flag></PubType>",
    )
    assert summary == ArticleSummary(
        pmid="90000001",
        title="Tides by moonlight.",
        authors="Mond A, Flut BC",
        author_names=("Mond A", "Flut BC"),
        source="Ann Invent",
        pub_date="2031-07-01",
        e_pub_date="2031-05-04",
        doi="10.5555/Tides.1",
        pmc_id="PMC90000011",
        doc_type="citation",
    )
    assert summary.pubmed_url == "https://pubmed.ncbi.nlm.nih.gov/90000001/"
    assert summary.pmc_url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC90000011/"


def test_parse_document_summaries__chapter():
    summary = parse_one(
        "<PubDate>1993</PubDate><DocDate>2031 Mar 5</DocDate><DocType>chapter</DocType><Title>Lunar tides</Title>",
        f"<Source></Source><SO>1993</SO><Authors>{author('Mond A')}{author('Ebbe D', 'EDITOR')}</Authors>",
        "<BookTitle>Invented Reviews(®)</BookTitle><PublisherName>University of Nowhere</PublisherName>",
    )
    assert summary == ArticleSummary(
        pmid="90000001",
        title="Lunar tides",
        authors="Mond A",
        author_names=("Mond A",),
        editors=("Ebbe D",),
        pub_date="2031-03-05",
        book_title="Invented Reviews(®)",
        publisher_name="University of Nowhere",
        doc_type="chapter",
    )


def test_parse_document_summaries__chapter_without_its_own_date():
    assert parse_one("<PubDate>1993</PubDate><DocType>chapter</DocType>").pub_date is None


def test_parse_document_summaries__book_of_editors_only():
    summary = parse_one(
        f"<PubDate>2012</PubDate><DocType>book</DocType><Authors>{author('Ebbe D', 'editor')}</Authors>"
    )
    assert (summary.authors, summary.editors, summary.pub_date) == ("Ebbe D", ("Ebbe D",), "2012-01-01")


def test_parse_document_summaries__nothing_but_a_uid():
    assert parse_one("<Authors></Authors><Title/><PmcRefCount></PmcRefCount>") == ArticleSummary(pmid="90000001")


@pytest.mark.parametrize(
    ("parts", "source"),
    [
        ("<Source>A</Source><FullJournalName>B</FullJournalName><SO>C</SO>", "A"),
        ("<Source/><FullJournalName>B</FullJournalName><SO>C</SO>", "B"),
        ("<SO>C</SO>", "C"),
    ],
)
def test_parse_document_summaries__source(parts, source):
    assert parse_one(parts).source == source


@pytest.mark.parametrize(
    "authors",
    [
        f"{author('Mond A')}{author('Flut BC')}",
        "<Author>Mond A</Author><Author>Flut BC</Author>",
        '["Mond A", "Flut BC"]',
        '[{"name": "Mond A", "authtype": "Author"}, {"Name": "Flut BC", "AuthType": ""}]',
        "Mond A, Flut BC",
        "Mond A; Flut BC",
    ],
)
def test_parse_document_summaries__shapes_of_authors(authors):
    assert parse_one(f"<Authors>{authors}</Authors>").author_names == ("Mond A", "Flut BC")


def test_parse_document_summaries__json_editors():
    people = '[{"name": "Mond A"}, {"name": "Ebbe D", "authtype": "Editor"}, null, 7]'
    summary = parse_one(f"<Authors>{people}</Authors>")
    assert (summary.author_names, summary.editors) == (("Mond A",), ("Ebbe D",))


def test_parse_document_summaries__authors_that_only_look_like_json():
    assert parse_one(f"<Authors>{'[' * 100_000}Mond A</Authors>").author_names[0].endswith("Mond A")


def test_parse_document_summaries__other_spelling_of_article_ids():
    ids = "<idtype>doi</idtype><value>10.5555/x</value>", "<idtype>PMC</idtype><value>pmc7</value>"
    summary = parse_one("<articleids>", *(f"<articleid>{entry}</articleid>" for entry in ids), "</articleids>")
    assert (summary.doi, summary.pmc_id) == ("10.5555/x", "PMC7")


def test_parse_document_summaries__own_doi_before_the_list():
    ids = "<ArticleIds><ArticleId><IdType>doi</IdType><Value>10.5555/b</Value></ArticleId></ArticleIds>"
    assert parse_one("<DOI>10.5555/a</DOI>", ids).doi == "10.5555/a"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("&lt;i&gt;Luna&lt;/i&gt; tides", "Luna tides"),
        ("&amp;lt;i&amp;gt;Luna&amp;lt;/i&amp;gt; tides", "Luna tides"),
        ("1.73 m&lt;sup&gt;2&lt;/sup&gt; and 10&lt;SUB&gt;x&lt;/SUB&gt;", "1.73 m² and 10_x"),
        ("Luna<i>r</i> tides", "Lunar tides"),
        ("P&lt;0.001 in n&gt;5 &amp; CSR&amp;amp;D", "P<0.001 in n>5 & CSR&amp;D"),
        ("unclosed &lt;i&gt;Luna &amp; x", "unclosed Luna & x"),
        ("M&#xfc;ller 5&#x2013;9", "Müller 5–9"),
    ],
)
def test_parse_document_summaries__markup_in_a_title(title, shown):
    assert parse_one(f"<Title>{title}</Title>").title == shown


@pytest.mark.parametrize(("flag", "retracted"), [("Retracted Publication", True), ("Retraction of Publication", None)])
def test_parse_document_summaries__retracted(flag, retracted):
    types = f"<PubType><flag>Journal Article</flag><flag>{flag}</flag></PubType>"
    assert parse_one(types).retracted is retracted


def test_parse_document_summaries__error_drops_that_record_alone():
    failed = document("<error>cannot get document summary</error>", uid="99999999")
    found = parse(document("<Title>A</Title>"), failed, document(uid="90000003"))
    assert [summary.pmid for summary in found] == ["90000001", "90000003"]


def test_parse_document_summaries__record_without_a_pmid():
    assert parse("<DocumentSummary><Title>x</Title></DocumentSummary>", document(uid="abc")) == ()


def test_parse_document_summaries__empty_set():
    assert parse() == ()


VERSION_1 = b"""<eSummaryResult><DocSum><Id>90000001</Id>
  <Item Name="PubDate" Type="Date">2031 Aug</Item><Item Name="EPubDate" Type="Date"></Item>
  <Item Name="Source" Type="String">Ann Invent</Item>
  <Item Name="AuthorList" Type="List"><Item Name="Author" Type="String">Mond A</Item>
    <Item Name="Author" Type="String">Flut BC</Item></Item>
  <Item Name="Title" Type="String">Tides by moonlight.</Item>
  <Item Name="PubTypeList" Type="List"><Item Name="PubType" Type="String">Retracted Publication</Item></Item>
  <Item Name="ArticleIds" Type="List"><Item Name="pubmed" Type="String">90000001</Item>
    <Item Name="doi" Type="String">10.5555/tides.1</Item><Item Name="pmc" Type="String">PMC90000011</Item></Item>
  <Item Name="HasAbstract" Type="Integer">1</Item></DocSum></eSummaryResult>"""


def test_parse_document_summaries__version_1():
    assert parse_document_summaries(VERSION_1) == (
        ArticleSummary(
            pmid="90000001",
            title="Tides by moonlight.",
            authors="Mond A, Flut BC",
            author_names=("Mond A", "Flut BC"),
            source="Ann Invent",
            pub_date="2031-08-01",
            doi="10.5555/tides.1",
            pmc_id="PMC90000011",
            retracted=True,
        ),
    )


@pytest.mark.parametrize(
    "body",
    [
        b"<eSummaryResult><ERROR>Empty id list - nothing todo</ERROR></eSummaryResult>",
        b"<eSummaryResult/>",
        b'{"esummaryresult":["Empty id list - nothing todo"]}',
        b'{"error":"Invalid uid abc at position= 0","result":{"uids":[]}}',
        b"<html><body>busy</body></html>",
    ],
)
def test_parse_document_summaries__no_set_of_summaries(body):
    with pytest.raises(UpstreamInvalidResponse):
        parse_document_summaries(body)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ((), None),
        (("A A",), "A A"),
        (("A A", "B B", "C C"), "A A, B B, C C"),
        (("A A", "B B", "C C", "D D"), "A A, B B, C C, et al."),
    ],
)
def test_format_authors(names, shown):
    assert format_authors(names) == shown


def test_parse_summary__alone_reads_as_in_its_answer():
    assert parse_summary(document("<Title>T</Title>").encode()) == parse_one("<Title>T</Title>")


@pytest.mark.parametrize("text", [document("<error>none</error>"), document("<Title>T</Title>", uid="x")])
def test_parse_summary__of_no_record(text):
    assert parse_summary(text.encode()) is None
