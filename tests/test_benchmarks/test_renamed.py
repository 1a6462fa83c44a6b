"""The gate of renamings: trees without local names are equal, and arguments follow parameters."""

import pytest

from benchmarks.names import FILLERS, FOLDERS, MOST_SHARE, shares
from benchmarks.renamed import differences

BEFORE = """
import math as told

LIMIT = 3


def sums(rows, least=0):
    '''Sums.'''
    found = []
    for each in rows:
        found.append(sum(x for x in each if x > least))
    for each in found:
        yield each, LIMIT


def total(rows):
    def one(row):
        return max(row)

    return sum(value for value, _ in sums(rows, least=2)) + one(rows[0]) + told.pi
"""


def changed(*pairs):
    after = BEFORE
    for old, new in pairs:
        assert old in after
        after = after.replace(old, new)
    return [*differences({"a.py": BEFORE}, {"a.py": after})]


@pytest.mark.parametrize(
    "pairs",
    [
        [("found", "totals")],
        [("for each in rows", "for row in rows"), ("if x", "if x"), ("in each if", "in row if")],
        [("x for x in each if x >", "entry for entry in each if entry >")],
        [("one(", "largest(")],
        [("'''Sums.'''", "'''The sums of rows.'''")],
        [("least=0", "minimum=0"), ("> least", "> minimum"), ("least=2", "minimum=2")],
    ],
)
def test_local_names_may_change(pairs):
    assert changed(*pairs) == []


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([("found", "LIMIT")], "the syntax trees differ"),  # hides the constant that is yielded
        ([("found", "rows")], "the syntax trees differ"),
        ([("LIMIT", "MOST")], "the syntax trees differ"),
        ([("told", "math")], "the syntax trees differ"),  # a module's names are no local ones
        ([("def total", "def whole")], "the syntax trees differ"),
        ([("least=0", "minimum=0"), ("> least", "> minimum")], "has no parameter 'least'"),
        ([("least=2", "minimum=2")], "sums(least=...) is sums(minimum=...)"),
        ([("max(row)", "min(row)")], "the syntax trees differ"),
    ],
)
def test_all_else_is_reported(pairs, reason):
    (line,) = changed(*pairs)
    assert reason in line


def test_a_loop_has_a_variable_of_its_own_only_where_nothing_is_left_of_it():
    text = "def f(a, b):\n    for x in a:\n        pass\n    for x in b:\n        pass\n"
    apart = text.replace("for x in b", "for y in b")
    assert [*differences({"a.py": text}, {"a.py": apart})] == []
    text, apart = text + "    return x\n", apart + "    return x\n"
    assert [*differences({"a.py": text}, {"a.py": apart})] == ["a.py: the syntax trees differ"]


def test_few_stored_names_are_pronouns():
    counts = shares()
    assert {"each", "found", "some", "one", "told", "at"} <= FILLERS
    assert counts.keys() == set(FOLDERS)
    names, fillers = (sum(column) for column in zip(*counts.values(), strict=True))
    assert names > 50_000
    assert fillers < MOST_SHARE * names, f"{fillers:,} of {names:,}: see benchmarks/names.py --list"
