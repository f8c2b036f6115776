"""What a fetch says beside its records, in sentences."""

from collections.abc import Sequence


def build_none_found_notice(count: int) -> str:
    """None of the PMIDs asked for brought a record."""
    asked = "the PMID asked for" if count == 1 else f"any of the {count} PMIDs asked for"
    return (
        f"PubMed returned no record for {asked}, and gives no reason. pubmed_search_articles finds PMIDs that have one."
    )


def build_deferral_notice(
    pmids: Sequence[str], *, ceiling: int, returned: int, returned_characters: int, next_characters: int
) -> str:
    """Records were held back to stay under the ceiling; how to get them."""
    if returned == 0:
        start = f"The first record alone exceeds maxResponseCharacters ({ceiling}), so none was returned."
    else:
        start = f"The records returned use {returned_characters} of {ceiling} characters (maxResponseCharacters)."
    return (
        f"{start} Deferred PMIDs ({len(pmids)}): {', '.join(pmids)}. Ask for them in a further call with "
        f"maxResponseCharacters of at least {next_characters}, the size of the next record."
    )
