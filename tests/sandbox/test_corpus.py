"""The fictional corpus: its identifiers, its shapes, its links and its themes."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

CORPUS = Path(__file__).resolve().parents[2] / "pubmed_api" / "sandbox" / "corpus"
FILES = sorted(CORPUS.glob("*.xml"))
DOCUMENTS = [etree.parse(path).getroot() for path in FILES]
RECORDS = {record.findtext("*/PMID"): record for root in DOCUMENTS for record in root.iterchildren("*")}
ARTICLES = {pmid: record for pmid, record in RECORDS.items() if record.tag == "PubmedArticle"}

INVENTED = re.compile(r"invent|ficti|imagin|made.up|make-believe|erfunden|fiktiv|oppdikte", re.IGNORECASE)


def everywhere(xpath: str) -> list:
    return [node for root in DOCUMENTS for node in root.xpath(xpath)]


def texts(xpath: str) -> list[str]:
    return ["".join(node.itertext()) for node in everywhere(xpath)]


def test_pmids__are_unique() -> None:
    pmids = Counter(texts("/PubmedArticleSet/*/*/PMID"))

    assert max(pmids.values()) == 1
    assert len(pmids) >= 48


def test_pmids__are_in_the_invented_range_and_leave_the_example_free() -> None:
    pmids = texts("//PMID | //ArticleId[@IdType='pubmed']")

    assert all(re.fullmatch(r"9000\d{4}", pmid) and pmid != "90000000" for pmid in pmids)
    assert "99999999" not in pmids


def test_dois__are_under_the_example_prefix() -> None:
    dois = texts("//ELocationID[@EIdType='doi'] | //ArticleId[@IdType='doi']")
    mentioned = [doi for source in texts("//RefSource | //Citation") for doi in re.findall(r"doi: (\S+)", source)]

    assert [doi for doi in dois + mentioned if not doi.startswith("10.5555/")] == []


def test_dois__belong_to_one_record_each() -> None:
    own = [set(record.xpath("*/ArticleIdList/ArticleId[@IdType='doi']/text()")) for record in RECORDS.values()]

    assert max(Counter(doi.lower() for dois in own for doi in dois).values()) == 1


def test_pmcids__are_invented_unique_and_on_about_a_third() -> None:
    own = texts("//PubmedData/ArticleIdList/ArticleId[@IdType='pmc']")

    assert all(re.fullmatch(r"PMC9000\d{4}", pmcid) for pmcid in texts("//ArticleId[@IdType='pmc']"))
    assert len(set(own)) == len(own)
    assert len(ARTICLES) / 4 < len(own) < len(ARTICLES) / 2


def test_journals__have_impossible_identifiers() -> None:
    assert all(nlm_id.startswith("F") for nlm_id in texts("//NlmUniqueID"))
    for issn in texts("//ISSN | //ISSNLinking"):
        assert re.fullmatch(r"0000-00\d[\dX]", issn)
        weighted = sum(
            int(digit) * weight for digit, weight in zip(issn.replace("-", ""), range(8, 1, -1), strict=False)
        )
        assert issn[-1] != "0123456789X"[-weighted % 11]


def test_isbns__have_impossible_check_digits() -> None:
    for isbn in texts("//Isbn"):
        weights = range(10, 0, -1) if len(isbn) == 10 else (1, 3) * 6 + (1,)
        digits = [10 if char == "X" else int(char) for char in isbn]
        total = sum(digit * weight for digit, weight in zip(digits, weights, strict=True))
        assert total % (11 if len(isbn) == 10 else 10)


def test_orcids__are_invented_and_stand_in_every_form() -> None:
    orcids = set(texts("//Identifier[@Source='ORCID']"))

    for orcid in orcids:
        digits = re.sub(r"^https?://orcid\.org/", "", orcid).replace("-", "").upper()
        assert re.fullmatch(r"000000099999\d{3}[\dX]", digits)
        total = 0
        for char in digits[:15]:
            total = (total + int(char)) * 2
        assert digits[-1] != "0123456789X"[(12 - total % 11) % 11]
    forms = (r"[\d-]+", r"https://.*", r"http://.*", r"\d{15}.", r".*x", r".*X")
    assert [form for form in forms if not any(re.fullmatch(form, orcid) for orcid in orcids)] == []


@pytest.mark.parametrize("tag", ["DescriptorName", "QualifierName", "PublicationType", "NameOfSubstance"])
def test_vocabulary__gives_one_identifier_to_one_name(tag: str) -> None:
    pairs = {(node.text, node.get("UI")) for node in everywhere(f"//{tag}")}

    assert pairs
    assert len({name for name, _ in pairs}) == len(pairs) == len({ui for _, ui in pairs})


NEEDS = {
    "PubmedArticle": (
        "MedlineCitation/@Status",
        "MedlineCitation/PMID/@Version",
        "MedlineCitation/Article/@PubModel",
        "MedlineCitation/Article/Journal/JournalIssue/@CitedMedium",
        "MedlineCitation/Article/Journal/JournalIssue/PubDate/*[self::Year or self::MedlineDate]",
        "MedlineCitation/Article/Journal/Title",
        "MedlineCitation/Article/ArticleTitle",
        "MedlineCitation/Article/*[self::Pagination or self::ELocationID]",
        "MedlineCitation/Article/Language",
        "MedlineCitation/Article/PublicationTypeList/PublicationType/@UI",
        "MedlineCitation/MedlineJournalInfo/MedlineTA",
        "PubmedData/History/PubMedPubDate[@PubStatus='entrez']/Year",
        "PubmedData/PublicationStatus",
        "PubmedData/ArticleIdList/ArticleId[@IdType='pubmed'][. = ../../../MedlineCitation/PMID]",
    ),
    "PubmedBookArticle": (
        "BookDocument/PMID/@Version",
        "BookDocument/ArticleIdList/ArticleId[@IdType='bookaccession'][starts-with(., 'NBK999')]",
        "BookDocument/Book/Publisher/PublisherName",
        "BookDocument/Book/BookTitle/@book",
        "BookDocument/Book/PubDate/Year",
        "BookDocument/Language",
        "PubmedBookData/PublicationStatus",
        "PubmedBookData/ArticleIdList/ArticleId[@IdType='pubmed'][. = ../../../BookDocument/PMID]",
    ),
}
CHILDREN = {
    "MedlineCitation": "PMID DateCompleted DateRevised Article MedlineJournalInfo ChemicalList SupplMeshList "
    "CitationSubset CommentsCorrectionsList GeneSymbolList MeshHeadingList NumberOfReferences PersonalNameSubjectList "
    "OtherID OtherAbstract KeywordList CoiStatement SpaceFlightMission InvestigatorList GeneralNote",
    "Article": "Journal ArticleTitle Pagination ELocationID Abstract AuthorList Language DataBankList GrantList "
    "PublicationTypeList VernacularTitle ArticleDate",
    "Journal": "ISSN JournalIssue Title ISOAbbreviation",
    "JournalIssue": "Volume Issue PubDate",
    "PubDate": "Year Month Season Day MedlineDate",
    "Pagination": "StartPage EndPage MedlinePgn",
    "Abstract": "AbstractText CopyrightInformation",
    "Author": "LastName ForeName Initials Suffix CollectiveName Identifier AffiliationInfo",
    "Investigator": "LastName ForeName Initials Suffix Identifier AffiliationInfo",
    "Grant": "GrantID Acronym Agency Country",
    "CommentsCorrections": "RefSource PMID Note",
    "PubmedData": "History PublicationStatus ArticleIdList ReferenceList",
    "BookDocument": "PMID ArticleIdList Book LocationLabel ArticleTitle VernacularTitle Pagination Language "
    "AuthorList PublicationType Abstract Sections KeywordList ContributionDate DateRevised ReferenceList",
    "Book": "Publisher BookTitle PubDate BeginningDate EndingDate AuthorList Volume VolumeTitle Edition "
    "CollectionTitle Isbn ELocationID Medium ReportNumber",
}


@pytest.mark.parametrize(("kind", "need"), [(kind, need) for kind, needs in NEEDS.items() for need in needs])
def test_record__has_what_the_dtd_requires(kind: str, need: str) -> None:
    assert [pmid for pmid, record in RECORDS.items() if record.tag == kind and not record.xpath(need)] == []


@pytest.mark.parametrize("tag", CHILDREN)
def test_elements__stand_in_the_order_of_the_dtd(tag: str) -> None:
    order = CHILDREN[tag].split()

    for node in everywhere(f"//{tag}"):
        places = [order.index(child.tag) for child in node]
        assert places == sorted(places), etree.tostring(node, encoding="unicode")


def test_text__holds_no_line_breaks() -> None:
    """A line break inside mixed content would be part of the text a reader sees."""
    mixed = "ArticleTitle VernacularTitle AbstractText Affiliation Citation RefSource BookTitle Keyword".split()

    assert [text for tag in mixed for text in texts(f"//{tag}") if "\n" in text or text != text.strip()] == []


def test_files__are_small_and_declare_their_encoding() -> None:
    assert len(FILES) >= 4
    for path in FILES:
        assert path.read_bytes().startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<PubmedArticleSet>')
        assert path.stat().st_size < 60 * 1024, path.name


ART = "//PubmedArticle[MedlineCitation/Article{}]"
TITLE = "//Article/ArticleTitle"
CC = "//CommentsCorrections[@RefType='{}'][PMID]"
STATUS = "//MedlineCitation[@Status='{}']"
IDS = "//PubmedData/ArticleIdList"
TYPE = "//PublicationType[@UI='{}']"
CHAPTER = "//BookDocument[ArticleTitle]"
TRADE = "//BookDocument[not(ArticleTitle)]"

SHAPES: dict[str, tuple[str, int]] = {
    "any abstract": ("//Abstract", 30),
    "no abstract": (ART.format("[not(Abstract)]"), 5),
    "structured abstract": ("//Abstract[count(AbstractText[@Label and @NlmCategory]) > 3]", 4),
    "abstract label without category": ("//AbstractText[@Label and not(@NlmCategory)]", 1),
    "abstract with italics": ("//AbstractText[i]", 3),
    "abstract with bold": ("//AbstractText[b]", 1),
    "abstract with sub and sup": ("//AbstractText[.//sub][.//sup]", 3),
    "abstract with comparison signs": ("//AbstractText[contains(., 'P<0.0')]", 2),
    "abstract with MathML": ("//AbstractText[*[local-name()='math']]", 1),
    "abstract with no-break space and soft hyphen": ("//AbstractText[contains(., '\u00a0')][contains(., '\u00ad')]", 1),
    "copyright": ("//Abstract/CopyrightInformation", 3),
    "abstract in another language": ("//OtherAbstract[@Language!='eng']", 4),
    "abstract in another language alone": ("//MedlineCitation[OtherAbstract][not(Article/Abstract)]", 1),
    "plain-language summary": ("//OtherAbstract[@Type='plain-language-summary']", 1),
    "group author alone": ("//AuthorList[count(Author)=1]/Author[CollectiveName]", 1),
    "group author among people": ("//AuthorList[Author/LastName]/Author[CollectiveName][AffiliationInfo]", 1),
    "investigators of a group": ("//InvestigatorList[count(Investigator)>=15][..//CollectiveName]", 1),
    "investigator with affiliation": ("//Investigator[AffiliationInfo]", 10),
    "investigators without authors": ("//MedlineCitation[InvestigatorList][not(Article/AuthorList)]", 1),
    "no author": (ART.format("[not(AuthorList)]"), 3),
    "last name only": ("//Article/AuthorList/Author[LastName][not(ForeName)][not(Initials)]", 1),
    "suffix Jr": ("//AuthorList/Author/Suffix[.='Jr']", 1),
    "suffix Sr": ("//AuthorList/Author/Suffix[.='Sr']", 1),
    "author not valid": ("//Author[@ValidYN='N']", 1),
    "two affiliations": ("//Author[count(AffiliationInfo)=2]", 2),
    "shared affiliation": ("//Author[.//Affiliation = preceding-sibling::Author//Affiliation]", 5),
    "affiliation with identifier": ("//AffiliationInfo/Identifier", 2),
    "equal contribution": ("//Author[@EqualContrib='Y']", 2),
    "more than 25 authors": ("//AuthorList[count(Author)=30]", 1),
    "author list incomplete": ("//AuthorList[@CompleteYN='N']", 1),
    "names with diacritics": ("//LastName[contains(., 'Ø') or contains(., 'ü')]", 4),
    "names in another script": ("//Author[LastName='李'][ForeName='小明']", 1),
    "MedlineDate season": ("//MedlineDate[.='2018 Winter']", 1),
    "MedlineDate years": ("//MedlineDate[.='1999-2000']", 1),
    "MedlineDate months": ("//MedlineDate[.='1952 Mar-Apr']", 1),
    "MedlineDate that does not start with the year": ("//MedlineDate[.='Fall 2006']", 1),
    "year and season": ("//PubDate[Year][Season]", 2),
    "year alone": ("//Article//PubDate[Year][count(*)=1]", 2),
    "month in digits": ("//PubDate[Month='05']", 1),
    "month in letters": ("//PubDate[Month='May']", 2),
    "date in the future": ("//PubDate[Year='2099']", 1),
    "article number alone": (ART.format("[not(Pagination)][ELocationID[@EIdType='pii']]"), 5),
    "pages equal to article number": (ART.format("[Pagination/MedlinePgn = ELocationID[@EIdType='pii']]"), 1),
    "start and end page": ("//Pagination[StartPage][EndPage][MedlinePgn]", 10),
    "MedlinePgn alone": ("//Pagination[MedlinePgn][not(StartPage)]", 5),
    "elided pages": ("//MedlinePgn[.='737-8']", 1),
    "several page ranges": ("//MedlinePgn[contains(., ', ')]", 1),
    "wrong DOI beside the right": ("//ELocationID[@ValidYN='N']/following-sibling::*[@EIdType='doi'][@ValidYN='Y']", 1),
    "DOI in ArticleIdList alone": (IDS + "[ArticleId/@IdType='doi'][not(../..//ELocationID[@EIdType='doi'])]", 1),
    "DOI with markup characters": ("//ELocationID[contains(., '<')]", 1),
    "record without DOI": (IDS + "[not(ArticleId[@IdType='doi'])]", 5),
    "reference with a DOI not its own": ("//Reference/ArticleIdList[count(ArticleId)=1]/ArticleId[@IdType='doi']", 2),
    "references in titled groups": ("//ReferenceList/ReferenceList[Title]", 2),
    "retracted article": (TYPE.format("D016441"), 2),
    "retraction notice": (TYPE.format("D016440"), 1),
    "erratum": (TYPE.format("D016425"), 1),
    "expression of concern": (CC.format("ExpressionOfConcernIn"), 1),
    "comment": (CC.format("CommentOn"), 1),
    "update": (CC.format("UpdateIn"), 2),
    "republished": (CC.format("CorrectedandRepublishedIn"), 1),
    "cited record": (CC.format("Cites"), 2),
    "correction with Note and without PMID": ("//CommentsCorrections[Note][not(PMID)]", 1),
    "preprint with update": ("//MedlineCitation[.//PublicationType[.='Preprint']][.//@RefType='UpdateIn']", 1),
    "vernacular title": (ART.format("[VernacularTitle][Language!='eng'][starts-with(ArticleTitle, '[')]"), 4),
    "vernacular title alone": (ART.format("[VernacularTitle][not(ArticleTitle/node())]"), 1),
    "two languages": ("//Article[count(Language)=2]", 1),
    "language unknown": ("//Language[.='und']", 1),
    "title that starts with italics": (TITLE + "[node()[1][self::i]]", 1),
    "title with sub": (TITLE + "[sub]", 2),
    "title with sup": (TITLE + "[sup]", 1),
    "title with MathML": (TITLE + "[*[local-name()='math']]", 1),
    "title with Greek, ampersand and dashes": (TITLE + "[contains(., 'β')][contains(., '&')][contains(., '–')]", 1),
    "keywords of two owners": ("//MedlineCitation[count(KeywordList)=2]", 2),
    "keyword with markup": ("//Keyword[*]", 2),
    "complete grant": ("//Grant[GrantID][Acronym][Agency][Country]", 2),
    "grant of acronym and agency": ("//Grant[Acronym][not(GrantID)]", 1),
    "grant of agency alone": ("//Grant[not(Acronym)][not(GrantID)]", 1),
    "grant without country": ("//Grant[not(Country)]", 1),
    "agency encoded twice": ("//Agency[contains(., '&amp;')]", 1),
    "heading with several qualifiers": ("//MeshHeading[count(QualifierName)>=3]", 2),
    "major qualifier only": ("//DescriptorName[@MajorTopicYN='N']/following-sibling::*[@MajorTopicYN='Y']", 5),
    "major descriptor": ("//DescriptorName[@MajorTopicYN='Y']", 10),
    "chemicals": ("//ChemicalList", 5),
    "trial registry": ("//DataBank[DataBankName='ClinicalTrials.gov']//AccessionNumber[.='NCT99999999']", 1),
    "data bank without accession": ("//DataBank[not(AccessionNumberList)]", 1),
    "gene symbols": ("//GeneSymbolList[count(GeneSymbol)>1]", 1),
    "supplementary MeSH": ("//SupplMeshName", 1),
    "personal name subject": ("//PersonalNameSubject", 2),
    "general note": ("//GeneralNote", 2),
    "second version": ("//MedlineCitation/PMID[@Version='2']", 1),
    "status Publisher": (STATUS.format("Publisher"), 2),
    "status In-Process": (STATUS.format("In-Process"), 1),
    "status PubMed-not-MEDLINE": (STATUS.format("PubMed-not-MEDLINE"), 1),
    "status OLDMEDLINE, 1950s": (STATUS.format("OLDMEDLINE") + "[.//PubDate[starts-with(., '195')]]", 2),
    "no ISSN": ("//Journal[not(ISSN)]", 1),
    "no abbreviation": ("//Journal[not(ISOAbbreviation)]", 1),
    "ampersand in a journal": ("//Journal/Title[contains(., '&')]", 1),
    "whole book with editors": (TRADE + "[Book/AuthorList[@Type='editors']][Book/Publisher/PublisherLocation]", 1),
    "ISBN with leading zeros": ("//Isbn[starts-with(., '000')]", 2),
    "whole book, still updated": (TRADE + "[Book/BeginningDate][not(Book/EndingDate)]", 1),
    "chapter with its own authors": (CHAPTER + "[AuthorList]", 1),
    "chapter without its own authors": (CHAPTER + "[not(AuthorList)][Book/AuthorList[@Type='authors']]", 1),
    "chapter without any authors": (CHAPTER + "[not(.//AuthorList[@Type='authors'])]", 1),
    "chapter dates": (CHAPTER + "[ContributionDate][DateRevised]", 1),
    "sections in sections": ("//Sections/Section/Section", 2),
    "chapter without a DOI": (CHAPTER + "[not(ArticleIdList/ArticleId[@IdType='doi'])]", 1),
    "chapter whose book has another DOI": (CHAPTER + "[ArticleIdList/ArticleId[@IdType='doi'] != Book/ELocationID]", 1),
}


@pytest.mark.parametrize(("xpath", "least"), SHAPES.values(), ids=SHAPES.keys())
def test_shape__is_in_the_corpus(xpath: str, least: int) -> None:
    assert len(everywhere(xpath)) >= least


PARTNERS = {
    "RetractionIn": "RetractionOf",
    "ErratumIn": "ErratumFor",
    "ExpressionOfConcernIn": "ExpressionOfConcernFor",
    "CommentIn": "CommentOn",
    "UpdateIn": "UpdateOf",
    "CorrectedandRepublishedIn": "CorrectedandRepublishedFrom",
}


def links(ref_type: str) -> Iterator[tuple[str, str]]:
    for link in everywhere(f"//CommentsCorrections[@RefType='{ref_type}'][PMID]"):
        yield link.xpath("string(ancestor::MedlineCitation/PMID)"), link.findtext("PMID")


@pytest.mark.parametrize(("there", "back"), PARTNERS.items())
def test_correction__is_named_on_both_sides(there: str, back: str) -> None:
    pairs = set(links(there))

    assert pairs
    assert pairs == {(target, source) for source, target in links(back)}


def test_links__lead_to_records_of_the_corpus() -> None:
    linked = texts("//CommentsCorrections/PMID | //Reference//ArticleId[@IdType='pubmed']")

    assert set(linked) - set(RECORDS) == set()


def test_reference__names_the_true_identifiers_of_its_record() -> None:
    for ids in everywhere("//Reference/ArticleIdList[ArticleId[@IdType='pubmed']]"):
        named = {node.get("IdType"): node.text for node in ids}
        own = RECORDS[named["pubmed"]].xpath("PubmedData/ArticleIdList/ArticleId[@IdType != 'pii']")
        assert named == {node.get("IdType"): node.text for node in own}


def test_correction__quotes_the_journal_and_year_of_the_other_record() -> None:
    for link in everywhere("//CommentsCorrections[PMID]"):
        article = RECORDS[link.findtext("PMID")].find("MedlineCitation/Article")
        issue = article.find("Journal/JournalIssue")
        assert article.findtext("Journal/ISOAbbreviation") in link.findtext("RefSource")
        assert "".join(issue.find("PubDate").itertext()).strip()[:4] in link.findtext("RefSource")


@pytest.mark.parametrize(
    ("word", "least"),
    [
        *(("asthma", 8), ("inhaled", 4), ("hypertension", 6), ("myocardial infarction", 4)),
        *(("diabetes", 5), ("escherichia coli", 4), ("neoplasms", 3)),
    ],
)
def test_theme__is_in_titles_and_abstracts(word: str, least: int) -> None:
    words = [record.xpath(".//ArticleTitle//text() | .//Abstract//text()") for record in RECORDS.values()]

    assert sum(word in " ".join(text).lower() for text in words) >= least


def test_theme__of_animals_alone_is_told_from_people() -> None:
    heading = "MedlineCitation/MeshHeadingList/MeshHeading/DescriptorName"
    names = {pmid: {node.text for node in record.xpath(heading)} for pmid, record in ARTICLES.items()}

    assert sum({"Animals", "Mice"} <= found and "Humans" not in found for found in names.values()) >= 3
    assert sum("Humans" in found for found in names.values()) >= 20


def test_languages_and_years__are_spread() -> None:
    years = [match[0] for text in texts("//PubDate") if (match := re.search(r"(19|20)\d\d", text))]

    assert {"eng", "ger", "fre", "spa", "nor", "und"} == set(texts("//Language"))
    assert {"1952", "2026"} <= set(years)
    assert len(set(years)) >= 25


def test_abstract__says_that_it_is_invented() -> None:
    assert [text for text in texts("//Abstract | //OtherAbstract") if not INVENTED.search(text)] == []


def test_readme__lists_every_record_with_its_pmcid() -> None:
    rows = dict(
        re.findall(r"^\| (\d{8}) \| (\S*) ?\|", (CORPUS / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    pmcids = {
        pmid: "".join(record.xpath("PubmedData/ArticleIdList/ArticleId[@IdType='pmc']/text()"))
        for pmid, record in RECORDS.items()
    }

    assert rows == pmcids
