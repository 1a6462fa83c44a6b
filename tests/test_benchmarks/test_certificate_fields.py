"""The page on the format of certificates has what the checkers read."""

import pytest

from benchmarks.certificate_fields import MARK, PAGE, SPECIFIED, described, table
from proofs.certificates import CHECKERS
from proofs.certificates.pieces.ledger import PIECES


def test_the_table_of_fields_is_what_checkers_read():
    written = PAGE.read_text().partition(MARK)[2].strip()
    assert written == table().strip(), "run python benchmarks/certificate_fields.py"


@pytest.mark.parametrize("name", SPECIFIED)
def test_each_field_of_a_specified_kind_is_on_the_page(name):
    page = PAGE.read_text().partition(MARK)[0]
    record = {**CHECKERS, **PIECES}[name].record
    for field in described(record).split("; "):
        named = field.partition(":")[0]
        assert not named or named in page, named
