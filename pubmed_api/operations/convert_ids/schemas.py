"""What goes in and out of an id conversion."""

from pubmed_api.schemas import fields
from pubmed_api.schemas.failed import failed_ids
from pubmed_api.web import ArgsSchema, Schema


class ConvertIdsArgs(ArgsSchema):
    """Identifiers of one type."""

    ids = fields.Items(
        fields.Text("One identifier of the declared type.", min_length=1),
        "The identifiers to convert, one in each element and all of the type `idType` names. No element may hold "
        "a comma or white space: NCBI would read `23193287,37952131` as two.",
        required=True,
        min_items=1,
        max_items=50,
        id_list=True,
        example=["23193287"],
    )
    id_type = fields.Text(
        'What `ids` holds: `pmid` (digits, "23193287"), `pmcid` (digits with or without the prefix, '
        '"PMC3531190") or `doi` (from "10." on, "10.1093/nar/gks1195").',
        required=True,
        choices=("pmcid", "pmid", "doi"),
        example="pmid",
    )


class IdRecordSchema(Schema):
    """What is known of one submitted identifier."""

    requested_id = fields.Text("The element of `ids` this record answers, exactly as it was sent.", required=True)
    pmid = fields.Text("The PubMed ID, where one is known.")
    pmcid = fields.Text("The PMC ID with its prefix; absent when the article is not in PMC.")
    doi = fields.Text(
        "The DOI in NCBI's upper and lower case; absent when none is known. Other sources may spell it in "
        "another case: compare DOIs without regard to it."
    )
    errmsg = fields.Text("Why this identifier was not converted. A record without it was.")


class ConvertIdsResponse(Schema):
    """One record per identifier, with counts."""

    records = fields.Items(
        fields.Record(IdRecordSchema, "What is known of one identifier."),
        "One record for each element of `ids`, in the same order; an element sent twice has two.",
        required=True,
    )
    total_converted = fields.Integer("How many records have no `errmsg`.", required=True)
    total_submitted = fields.Integer("How many elements `ids` had.", required=True)
    failed = failed_ids(
        "Identifiers whose NCBI call failed, each once; their records have an `errmsg` that says so. Absent when there "
        "are none. Where NCBI failed for all, the answer is the error."
    )
    notice = fields.Text(
        "What to know about this answer: that some identifiers could not be looked up, or that it is an old one, "
        "because NCBI failed."
    )
