"""People and groups."""

from lxml import etree

from pubmed_api.sandbox.people import read_people, read_person


def test_read_person__with_every_part() -> None:
    person = read_person(
        etree.fromstring(
            "<Author><LastName>Doe</LastName><ForeName>Jane A</ForeName><Initials>JA</Initials><Suffix>Jr</Suffix>"
            '<Identifier Source="ORCID">0000</Identifier>'
            "<AffiliationInfo><Affiliation>Here.</Affiliation></AffiliationInfo>"
            "<AffiliationInfo><Affiliation>There.</Affiliation></AffiliationInfo></Author>"
        )
    )
    assert (person.short_name, person.full_name) == ("Doe JA Jr", "Doe, Jane A Jr")
    assert person.affiliations == ("Here.", "There.")
    assert person.identifiers == (("ORCID", "0000"),)


def test_read_person__group_and_single_name() -> None:
    group = read_person(etree.fromstring("<Author><CollectiveName>The Group</CollectiveName></Author>"))
    single = read_person(etree.fromstring("<Author><LastName>Cher</LastName></Author>"))
    assert (group.short_name, group.full_name) == ("The Group", "The Group")
    assert (single.short_name, single.full_name) == ("Cher", "Cher")


def test_read_people__leaves_out_invalid_entries() -> None:
    people = etree.fromstring(
        '<AuthorList><Author ValidYN="N"><LastName>Wrong</LastName></Author>'
        '<Author ValidYN="Y"><LastName>Right</LastName></Author></AuthorList>'
    )
    assert [person.last for person in read_people([people])] == ["Right"]
