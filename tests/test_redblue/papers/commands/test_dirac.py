"""``redblue papers dirac``: plays of all regimes, against the golden rows."""

import json

import pytest

from tests.command_line import run_redblue

TABLES = {"A": "A-reflected", "B": "B-reflected"}


@pytest.fixture(scope="module")
def golden(shared):
    return json.loads((shared / "golden" / "seed_papers.json").read_text())


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("n4", [8, 16])
def test_golden_rows(golden, n4, wrap):
    """One command has the medium rows, with all links too, and those of slabs and strips."""
    flag = "wrap=yes" if wrap else "wrap=no"
    ending = run_redblue("papers", "dirac", "k=4", f"n4={n4}", flag, "--json")
    plays = json.loads(ending.out)["plays"]
    results = {(play["regime"], play["s"], play["links"]): play for play in plays}
    for k, long, ring, local, neighbour, peak, all_links in golden["dirac_medium"]["rows"]:
        if (k, long, ring) == (4, n4, wrap):
            for links, words in (("own", local), ("all", all_links)):
                first = results["medium", 4, links]
                assert (first["local"], first["neighbour"], first["peak"]) == (
                    words,
                    neighbour,
                    peak,
                )
                first = results["all nodes", 4, links]
                assert (first["local"], first["neighbour"]) == (words, neighbour)
                assert first["peak"] == peak + (66 if links == "own" else 24)  # placed, not slid
    for table in golden["dirac_small"]:
        if (table["N4"], table["wrap"]) == (n4, wrap):
            for s, local, _, peak, *_ in table["rows"][: 3 if table["schedule"] == "A" else 4]:
                first = results[TABLES[table["schedule"]], s, "own"]
                assert (first["local"], first["peak"]) == (local, peak)
    for _, long, s, local, _, _, peak, *_ in golden["dirac_lockstep_A"]["rows"] if wrap else ():
        if (long, s) in ((n4, 1), (n4, 2), (n4, 3)):
            first = results["A-lockstep", s, "own"]
            assert (first["local"], first["peak"]) == (local, peak)


def test_its_table():
    out = run_redblue("papers", "dirac", "k=2", "n4=4").out
    assert "all nodes" in out
    assert "pull" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nodes=2x2",), "a torus of nodes is like 2x2x2, not '2x2'"),
        (("nodes=0x2x2",), "a torus of nodes is like 2x2x2, not '0x2x2'"),
        (("k=0",), "k must be at least 1, not 0"),
        (("n4=2",), "n4 must be at least 3, not 2"),
        (("k=40", "nodes=9x9x9"), "373,248,000 sites are more than the 262,144"),
    ],
)
def test_errors(arguments, message):
    ending = run_redblue("papers", "dirac", *arguments)
    assert ending.code == 2
    assert message in ending.err
