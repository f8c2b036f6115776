"""What a client's look-up by ids gives, made of a whole answer as the stack would take it apart."""

from pubmed_api.clients.collection import Items
from pubmed_api.clients.split import split_id_rows, split_records, split_summaries


def records(body, pmids, failed=None):
    return _items(split_records(body, pmids), failed)


def summaries(body, pmids, failed=None):
    return _items(split_summaries(body, pmids), failed)


def id_rows(body, ids, id_type, failed=None):
    return _items(split_id_rows(body, ids, id_type), failed)


def _items(split, failed):
    """``failed`` ids had no answer, whatever the body holds."""
    failed = failed or {}
    found = {key: item.body for key, item in split.items() if item.body is not None and key not in failed}
    return Items(found, {key: failed[key] for key in split if key in failed})
