import pytest

from pubmed_api.exceptions import BlankQuery, UpstreamUnreachable
from pubmed_api.operations.spell_check.service import spell_check


class FakeEutils:
    def __init__(self, corrected="", query=None):
        self.corrected, self.query = corrected, query
        self.terms = []

    def espell(self, *, term, db="pubmed"):
        self.terms.append(term)
        query = f"<Query>{self.query or term}</Query>"
        corrected = f"<CorrectedQuery>{self.corrected}</CorrectedQuery>"
        return f"<eSpellResult>{query}{corrected}<ERROR/></eSpellResult>".encode()


def test_spell_check__suggestion():
    eutils = FakeEutils("asthma")
    spelling = spell_check("asthmaa", eutils=eutils)
    assert (spelling.original, spelling.corrected, spelling.has_suggestion) == ("asthmaa", "asthma", True)
    assert eutils.terms == ["asthmaa"]


@pytest.mark.parametrize("query", ["asthma", "qqxzt", "12345678", "heart[mh] AND 2031[dp]"])
def test_spell_check__no_suggestion_leaves_the_query_alone(query):
    spelling = spell_check(query, eutils=FakeEutils())
    assert (spelling.original, spelling.corrected, spelling.has_suggestion) == (query, query, False)


@pytest.mark.parametrize("query", ["  ", "\t\n", "\u200b\u200b", "\u2060 \u3000"])
def test_spell_check__nothing_visible_is_not_sent(query):
    eutils = FakeEutils("asthma")
    with pytest.raises(BlankQuery) as caught:
        spell_check(query, eutils=eutils)
    assert caught.value.reason == "blank_query"
    assert eutils.terms == []


def test_spell_check__failure_is_not_read_as_no_suggestion():
    class Broken:
        def espell(self, **_):
            raise UpstreamUnreachable("ESpell is away.")

    with pytest.raises(UpstreamUnreachable):
        spell_check("asthmaa", eutils=Broken())
