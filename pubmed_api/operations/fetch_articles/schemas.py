"""What goes in and out of a fetch of articles."""

import json

from pubmed_api.models.article import Article
from pubmed_api.schemas import fields
from pubmed_api.schemas.article import ArticleSchema
from pubmed_api.schemas.failed import failed_ids
from pubmed_api.web import ArgsSchema, Schema

_ARTICLE = ArticleSchema()


class FetchArticlesArgs(ArgsSchema):
    """PMIDs, and what to return of each."""

    aliases = {"ids": "pmids"}

    pmids = fields.Items(
        fields.Pmid("A PubMed ID: digits only."),
        "The PubMed IDs of the records. One that is named twice, or with leading zeros, is answered once.",
        required=True,
        min_items=1,
        max_items=200,
        id_list=True,
        example=["33300001"],
    )
    include_mesh = fields.Boolean("Return MeSH headings.", default=True)
    include_grants = fields.Boolean("Return the grants that paid for the work.", default=False)
    include_investigators = fields.Boolean(
        "Return the members of group authors as `investigators`. Large trials name thousands, some 60 "
        "characters each: one record can grow by hundreds of thousands of characters.",
        default=False,
    )
    max_response_characters = fields.Integer(
        "A ceiling for the records of the answer, in characters of their compact JSON. Records are kept in order "
        "while they fit; the first that does not, and all after it, are left out whole and named in "
        "`deferred.ids`. Everything around the records is not counted. Without it every record is returned.",
        minimum=1,
    )


class DeferredSchema(Schema):
    """Where to go on."""

    max_response_characters = fields.Integer("The ceiling this answer was kept under.", required=True)
    returned_characters = fields.Integer("How much of it the returned records use.", required=True)
    deferred_count = fields.Integer("How many records were found and left out.", required=True)
    ids = fields.Items(
        fields.Text("The PMID of one record left out, as it was sent."),
        "The PMIDs to ask for next, in order, with the other inputs unchanged. None of them is in `unavailablePmids`.",
        required=True,
    )
    next_deferred_characters = fields.Integer(
        "Size of the first record left out: with a lower ceiling the next call returns nothing.", required=True
    )


class FetchArticlesResponse(Schema):
    """The records, and what became of the other PMIDs."""

    keep_empty = ("articles",)

    articles = fields.Items(
        fields.Record(ArticleSchema, "One PubMed record."),
        "The records, in the order in which their PMIDs were first named.",
        required=True,
    )
    total_returned = fields.Integer("How many records this answer holds.", required=True)
    unavailable_pmids = fields.Items(
        fields.Text("A PMID without a record, as it was sent."),
        "PMIDs for which PubMed returned no record, all of them. PubMed leaves such a PMID out without a word, "
        "so this does not say why; one of zeros, or of more than nine digits, cannot exist and is not looked up.",
    )
    failed = failed_ids(
        "PMIDs whose NCBI call failed, so that nothing is known of them; none is in `unavailablePmids`. Absent when "
        "there are none. Where NCBI failed for all, the answer is the error."
    )
    truncated = fields.Boolean("`true` when `maxResponseCharacters` held records back; see `deferred`. Else absent.")
    deferred = fields.Record(
        DeferredSchema, "What `maxResponseCharacters` held back and how to get it. Absent when nothing was."
    )
    notice = fields.Text(
        "What to know about this answer: that nothing was found, how to get the rest, that NCBI failed for some "
        "PMIDs, that stored records stand in because NCBI failed."
    )


def record_characters(article: Article) -> int:
    """How many characters the record is as it is returned, in compact JSON with non-ASCII text as it is."""
    return len(json.dumps(_ARTICLE.dump(article), ensure_ascii=False, separators=(",", ":")))
