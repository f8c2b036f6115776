import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.entrez import DatabaseField
from pubmed_api.parsers.einfo import parse_einfo_result

ANSWER = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE eInfoResult PUBLIC "-//NLM//DTD einfo 20190110//EN" "einfo.dtd">
<eInfoResult>
  <DbInfo>
    <DbName>pubmed</DbName>
    <MenuName>PubMed</MenuName>
    <Description>Invented bibliographic records</Description>
    <Count>0042</Count>
    <LastUpdate>2031/02/03 04:05</LastUpdate>
    <FieldList>
      <Field><Name>TIAB</Name><FullName>Title/Abstract</FullName><Description>Words of both</Description></Field>
      <Field><Name>UID</Name><TermCount/><IsHidden>Y</IsHidden></Field>
      <Field><FullName>Field without a tag</FullName></Field>
    </FieldList>
    <LinkList><Link><Name>pubmed_pubmed</Name><Description>Not a field</Description></Link></LinkList>
  </DbInfo>
</eInfoResult>"""


def test_einfo_result__database():
    info = parse_einfo_result(ANSWER)
    assert (info.db_name, info.description) == ("pubmed", "Invented bibliographic records")


def test_einfo_result__numbers_and_dates_are_strings_as_written():
    info = parse_einfo_result(ANSWER)
    assert (info.count, info.last_update) == ("0042", "2031/02/03 04:05")


def test_einfo_result__fields_with_a_tag():
    assert parse_einfo_result(ANSWER).fields == (
        DatabaseField("TIAB", "Title/Abstract", "Words of both"),
        DatabaseField("UID"),
    )


def test_einfo_result__one_field_is_a_list_of_one():
    body = b"<eInfoResult><DbInfo><FieldList><Field><Name>ALL</Name></Field></FieldList></DbInfo></eInfoResult>"
    assert parse_einfo_result(body).fields == (DatabaseField("ALL"),)


def test_einfo_result__empty_description_of_a_database():
    info = parse_einfo_result(b"<eInfoResult><DbInfo><Count> </Count></DbInfo></eInfoResult>")
    assert (info.db_name, info.description, info.count, info.last_update) == ("pubmed", None, None, None)
    assert info.fields == ()


@pytest.mark.parametrize(
    "body",
    [
        b"<eInfoResult><DbList><DbName>pubmed</DbName></DbList></eInfoResult>",
        b"<other><DbInfo><DbName>pubmed</DbName></DbInfo></other>",
        b'{"einforesult":{"dbinfo":[]}}',
    ],
)
def test_einfo_result__no_database(body):
    with pytest.raises(UpstreamInvalidResponse):
        parse_einfo_result(body)
