from pubmed_api.models.entrez import DatabaseField, DatabaseInfo
from pubmed_api.operations.database_info.service import database_info


class FakeEutils:
    def einfo(self, *, db="pubmed"):
        assert db == "pubmed"
        return (
            b"<eInfoResult><DbInfo><DbName>pubmed</DbName><Count>12</Count><LastUpdate>2031/01/02 03:04</LastUpdate>"
            b"<FieldList><Field><Name>ALL</Name><FullName>All Fields</FullName></Field></FieldList>"
            b"</DbInfo></eInfoResult>"
        )


def test_database_info__as_einfo_states_it():
    assert database_info(eutils=FakeEutils()) == DatabaseInfo(
        "pubmed", count="12", last_update="2031/01/02 03:04", fields=(DatabaseField("ALL", "All Fields"),)
    )
