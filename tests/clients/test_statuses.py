import datetime
from email.utils import format_datetime

import pytest
from requests.structures import CaseInsensitiveDict

from pubmed_api.clients.statuses import check_status, read_retry_after
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import (
    UpstreamError,
    UpstreamNotFound,
    UpstreamRateLimited,
    UpstreamRefused,
    UpstreamTimeout,
    UpstreamUnreachable,
)

SENT = Sent("ncbi", "eutils.test", "efetch")


def answer(status=200, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, CaseInsensitiveDict(named), b"")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (204, UpstreamUnreachable),
        (206, UpstreamUnreachable),
        (301, UpstreamRefused),
        (307, UpstreamRefused),
        (400, UpstreamRefused),
        (401, UpstreamRefused),
        (403, UpstreamRefused),
        (404, UpstreamNotFound),
        (414, UpstreamRefused),
        (429, UpstreamRateLimited),
        (500, UpstreamUnreachable),
        (501, UpstreamRefused),
        (502, UpstreamUnreachable),
        (503, UpstreamUnreachable),
        (504, UpstreamTimeout),
        (520, UpstreamUnreachable),
    ],
)
def test_check_status__means_what_the_table_says(status, kind):
    with pytest.raises(UpstreamError) as raised:
        check_status(SENT, answer(status))
    assert type(raised.value) is kind
    assert raised.value.data == {"host": "eutils.test", "endpoint": "efetch", "status": status}


def test_check_status__good_passes():
    check_status(SENT, answer(200))


def test_check_status__keeps_retry_after():
    with pytest.raises(UpstreamUnreachable) as raised:
        check_status(SENT, answer(503, Retry_After="7"))
    assert raised.value.retry_after == 7


NOW = datetime.datetime(2026, 12, 1, 12, 0, 0, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2),
        (" 54000 ", 54000),
        ("0", 0),
        (format_datetime(NOW + datetime.timedelta(seconds=9), usegmt=True), 9),
        (format_datetime(NOW - datetime.timedelta(days=9), usegmt=True), 0),
        ("Tue, 01 Dec 2026 12:00:05", 5),
        ("", None),
        ("soon", None),
        ("-3", None),
        ("1e9", None),
        ("9" * 5000, None),
        ("Tue, 99 Dec 2026 12:00:05 GMT", None),
    ],
)
def test_read_retry_after__value(value, seconds):
    assert read_retry_after(answer(429, retry_after=value), now=NOW.timestamp) == seconds


def test_read_retry_after__absent():
    assert read_retry_after(answer(429)) is None
