"""The page of a lower-bound report, and its BibTeX."""

import re

import networkx as nx
import pytest

import redblue as rb
from dags import Computation
from pebble import ONE_SHOT
from proofs import METHODS
from redblue.answers.evidence import evidence_experiment, gather, own_report
from redblue.answers.evidence.paragraphs import ENTRIES, bibtex
from redblue.show.reporting import report_page
from redblue.show.reporting.as_data import from_data, to_data
from schedulers import METHODS as PLAYS
from tests.fake_experiments import EVIL
from tests.html_pages import Page


@pytest.fixture(scope="module")
def found():
    return gather("fft:n=32", [4, 6, 8], effort="quick", seed=3)


def page_of(spec, evidence):
    """The page of the report on a DAG, with evidence that was gathered before."""
    options = {"rules": ONE_SHOT, "gathered": lambda place: evidence}
    report, _ = own_report([Computation(spec)], None, "1 May", **options)
    return report_page(report)


@pytest.fixture(scope="module")
def page(found):
    return Page(page_of("fft:n=32", found))


def test_the_page_has_what_a_paper_needs(page):
    for text in (
        "Lower bounds on the I/O of fft:n=32",
        "The gap is widest at M = 6",
        "The published law is log M",
        "redblue check fft:n=32 M6.json",
        "@inproceedings{hong1981,",
        "redblue report fft:n=32 --memory 4,6,8 --effort quick --seed 3",
    ):
        assert text in page.text, text
    assert "Claims" not in page.text


def test_an_experiment_of_evidence_is_data(found):
    shown = evidence_experiment(found, found.spec)
    repeated = from_data(to_data(shown))
    assert repeated.passages == shown.passages
    assert repeated.players[0].dag is None
    assert repeated.players[0].op == shown.players[0].op


def test_a_graph_and_several_dags_have_a_report():
    graph = nx.DiGraph([("a", "c"), ("b", "c"), ("c", "d")])
    report_ = rb.report([graph, "pyramid:height=2"], [3], effort="quick")
    assert [run.sound for run in report_.runs] == [True, True]
    text = Page(report_page(report_)).text
    assert "Contents" in text
    assert "redblue.save writes the DAG to dag.npz" in text


def test_a_hostile_name_is_only_shown():
    evidence = gather("fft:n=4", [4], effort="quick", spec=EVIL)
    text = page_of("fft:n=4", evidence)
    assert "<script>window.hurt" not in text
    assert "\x07" not in text
    assert "window.hurt = 1" in Page(text).text


def test_optima_are_called_so():
    report_ = rb.report("pyramid:height=2", [4], effort="quick")
    assert "the schedules are optimal" in report_.experiments[0].summary


def test_literature_is_whole():
    tables = (*METHODS.values(), *PLAYS.values())
    used = {"hong1981", "kung1986", *(key for method in tables for key in method.sources)}
    assert used == set(ENTRIES)
    text = bibtex(ENTRIES)
    assert re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE) == [*ENTRIES]
    assert text.count("{") == text.count("}")
    assert all({"author", "title", "year"} <= fields.keys() for _, fields in ENTRIES.values())
