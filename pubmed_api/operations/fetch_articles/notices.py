"""What a fetch says beside its records, in sentences."""

from collections.abc import Sequence

from pubmed_api.models.failed_id import FailedId


def build_none_found_notice(count: int) -> str:
    """None of the PMIDs asked for brought a record."""
    asked = "the PMID asked for" if count == 1 else f"any of the {count} PMIDs asked for"
    return (
        f"PubMed returned no record for {asked}, and gives no reason. pubmed_search_articles finds PMIDs that have one."
    )


def build_failure_notice(failed: Sequence[FailedId]) -> str | None:
    """NCBI failed for some of the PMIDs, so that nothing is known of them; ``None`` where it did not."""
    if not failed:
        return None
    reasons = ", ".join(dict.fromkeys(entry.reason for entry in failed))
    advice = " Ask for them again." if any(entry.retryable for entry in failed) else ""
    return (
        f"NCBI failed for {len(failed)} of the PMIDs ({reasons}), which are in failed, not in unavailablePmids.{advice}"
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
