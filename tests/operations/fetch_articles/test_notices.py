from pubmed_api.operations.fetch_articles.notices import build_deferral_notice, build_none_found_notice


def test_none_found_notice__says_what_was_seen_and_where_to_go():
    notice = build_none_found_notice(3)
    assert "no record for any of the 3 PMIDs" in notice
    assert "pubmed_search_articles" in notice
    assert not {"invalid", "withdrawn", "unpublished", "exist"} & set(notice.split())


def test_none_found_notice__one_pmid():
    assert "no record for the PMID asked for" in build_none_found_notice(1)


def test_deferral_notice__some_returned():
    notice = build_deferral_notice(
        ["90000002", "90000003"], ceiling=250, returned=1, returned_characters=100, next_characters=300
    )
    assert "100 of 250 characters" in notice
    assert "90000002, 90000003" in notice
    assert "at least 300" in notice


def test_deferral_notice__nothing_fitted():
    notice = build_deferral_notice(["90000001"], ceiling=50, returned=0, returned_characters=0, next_characters=100)
    assert "first record alone exceeds" in notice
    assert "0 of" not in notice
    assert "90000001" in notice
    assert "at least 100" in notice
