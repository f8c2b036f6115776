"""What the measuring upstream answers: small made-up documents for any identifier and any term."""

import json
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape
from zlib import crc32

FIRST_PMID, PMIDS = 90_000_001, 2000

Params = Mapping[str, str]


def split_ids(params: Params) -> list[str]:
    """The identifiers that a call names."""
    return [part for part in params.get("id", params.get("ids", "")).split(",") if part]


def _esearch(params: Params) -> str:
    term = params.get("term", "")
    start = crc32(term.encode())
    ids = "".join(f"<Id>{FIRST_PMID + (start + 7 * n) % PMIDS}</Id>" for n in range(int(params.get("retmax", 20))))
    return (
        f"<eSearchResult><Count>1500</Count><RetMax>20</RetMax><RetStart>{params.get('retstart', 0)}</RetStart>"
        f"<IdList>{ids}</IdList><QueryTranslation>{escape(term)}</QueryTranslation></eSearchResult>"
    )


def _article(pmid: str) -> str:
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{pmid}</PMID><Article><Journal>'
        "<JournalIssue><PubDate><Year>2031</Year></PubDate></JournalIssue><Title>Annals of Measuring</Title></Journal>"
        f"<ArticleTitle>Made-up record {pmid}.</ArticleTitle><Abstract><AbstractText>{'Nothing was found. ' * 20}"
        "</AbstractText></Abstract><Language>eng</Language></Article></MedlineCitation><PubmedData><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{pmid}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>'
    )


def _summary(pmid: str) -> str:
    return (
        f'<DocumentSummary uid="{pmid}"><PubDate>2031</PubDate><Source>Ann Meas</Source>'
        f"<Title>Made-up record {pmid}.</Title></DocumentSummary>"
    )


def _efetch(params: Params) -> str:
    return f"<PubmedArticleSet>{''.join(map(_article, split_ids(params)))}</PubmedArticleSet>"


def _esummary(params: Params) -> str:
    documents = "".join(map(_summary, split_ids(params)))
    return f'<eSummaryResult><DocumentSummarySet status="OK">{documents}</DocumentSummarySet></eSummaryResult>'


def _espell(params: Params) -> str:
    term = escape(params.get("term", ""))
    return f"<eSpellResult><Query>{term}</Query><CorrectedQuery>{term}</CorrectedQuery><ERROR/></eSpellResult>"


def _einfo(_: Params) -> str:
    return "<eInfoResult><DbInfo><DbName>pubmed</DbName><Count>2000</Count><FieldList/></DbInfo></eInfoResult>"


def _idconv(params: Params) -> str:
    records = [{"requested-id": one, "pmid": one, "pmcid": f"PMC{one}"} for one in split_ids(params)]
    return json.dumps({"status": "ok", "records": records})


_ANSWERS: dict[str, Callable[[Params], str]] = {
    "esearch": _esearch,
    "efetch": _efetch,
    "esummary": _esummary,
    "espell": _espell,
    "einfo": _einfo,
    "idconv": _idconv,
}


def answer(endpoint: str, params: Params) -> tuple[str, bytes] | None:
    """Content type and body; ``None`` for an endpoint that there is not."""
    build = _ANSWERS.get(endpoint)
    if build is None:
        return None
    return "application/json" if endpoint == "idconv" else "text/xml; charset=UTF-8", build(params).encode()
