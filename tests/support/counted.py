"""Reading what ``/metrics`` says."""

from prometheus_client.parser import text_string_to_metric_families


def read_samples(text):
    """Every sample of an exposition: ``{(name, frozenset of labels): value}``."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def sample(text, name, **labels):
    """One number, 0 where it was never counted; ``name`` without the common beginning."""
    return read_samples(text).get((f"pubmed_api_{name}", frozenset(labels.items())), 0)
