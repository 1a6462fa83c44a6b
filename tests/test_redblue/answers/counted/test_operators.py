"""Reports of operators that are not laid out."""

import json
import re

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags import Computation
from proofs import check
from proofs.files import load_bound
from redblue.answers.counted.curves import closed_bound
from redblue.answers.counted.operators import operator, operator_experiment, sentences
from redblue.answers.hardware import machine_named
from tests.command_line import run_redblue
from tests.html_pages import Page
from tests.nest_texts import PADDED, PRODUCT


@pytest.fixture
def spec(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nest.c").write_text(PRODUCT)
    return "nest.c:M=8192,N=8192,K=8192"


def test_each_memory_of_a_machine_is_a_boundary(spec):
    known, machine = Computation(spec), machine_named("H100")
    result = operator(known, [24_576], machine=machine, word_bytes=4)
    by_name = {boundary.name: boundary for boundary in result.boundaries}
    assert set(by_name) == set(machine.memory)
    cache = by_name["L2"]
    assert cache.point.memory == 50 * 2**20 // 4
    assert known.compulsory < cache.point.proved <= cache.point.played
    assert cache.seconds(cache.point.proved) == pytest.approx(4 * cache.point.proved / 3.35e12)
    own_part = by_name["L1"]  # of 132 processors, 256 KiB each
    assert own_part.seconds(1) is None
    assert (own_part.processors, own_part.point.memory) == (132, 65_536)
    assert (
        2 * 8192**3 / 256 * 0.95 < own_part.point.proved <= own_part.point.played
    )  # 2 P / sqrt(M)
    assert "132 fast memories of 262,144 bytes each" in result.quoted(
        own_part.point, own_part.processors
    )
    page = operator_experiment(result, "nest")
    (printed,) = (passage for passage in page.passages if "132 processors" in passage.title)
    assert '"nest-processors"' in printed.code[0]
    assert result.points[0].memory == 24_576
    (tiles,) = (passage for passage in page.passages if passage.title == "Tiles")
    assert tiles.code[0] == f"M = 24,576, {result.points[0].played:,} words:"
    assert tiles.code[1].startswith("for (")
    assert f"{4 * cache.point.proved:,} bytes" in result.quoted(cache.point)
    assert (
        page.summary.count(result.quoted(own_part.point, own_part.processors)) == 1
    )  # registers are as many


def test_certificates_are_those_of_the_text_and_its_sizes(spec, tmp_path):
    known = Computation(spec)
    page = operator_experiment(operator(known, [5_000]), "nest")
    (passage,) = (part for part in page.passages if part.file)
    (tmp_path / passage.file).write_text(passage.code[0])
    bound = load_bound(tmp_path / passage.file, known.nest)
    check(known.nest, 5_000, bound)
    assert f"{bound.io:,} words" in page.summary
    ending = run_redblue("check", spec, passage.file)
    assert ending.code == 0, ending.err


@pytest.mark.parametrize("family", ["fft:n=1048576", "lu:n=2000", "attention:tokens=4096,width=64"])
def test_a_boundary_of_a_family_has_the_bound_of_its_memory(family):
    result = operator(Computation(family), [100_000], machine=machine_named("H100"), word_bytes=4)
    apart = [entry for entry in result.boundaries if entry.processors > 1]
    assert apart
    for entry in result.boundaries:
        together = closed_bound(result.known, entry.processors * entry.point.memory).io
        if entry.processors == 1 or result.known.nest is None:
            assert entry.point.proved == together
        else:
            assert entry.point.proved >= together


def test_without_a_machine_there_is_the_curve_to_compulsory_words(spec):
    result = operator(Computation(spec))
    assert result.points[-1].played == result.points[-1].proved == result.known.compulsory
    assert result.arithmetic is None
    assert not result.boundaries
    rising = [point.proved for point in result.points]
    assert rising == sorted(rising, reverse=True)
    assert all(point.proved <= point.played for point in result.points if point.played is not None)


def test_the_command_writes_a_page(spec, tmp_path):
    ending = run_redblue("report", spec, "--machine", "h100", "--memory", "30000", "--json")
    assert ending.code == 0, ending.err
    assert "No kernel that computes each value of nest.c" in json.dumps(json.loads(ending.out))
    page = Page((tmp_path / "report.html").read_text())
    assert "proved" in page.text
    assert "// kept across " in page.text


def test_a_small_one_has_a_report_on_a_machine_too(spec, tmp_path):
    (tmp_path / "small.c").write_text(PADDED)
    small = "small.c:C=4,F=4,H=1000,R=3"
    ending = run_redblue("report", small, "--machine", "Warp", "--memory", "64,1KB")
    assert ending.code == 0, ending.err
    assert "No kernel" in ending.out
    assert run_redblue("report", small, spec).code == 0  # sizes are mixed
    assert run_redblue("report", small, "--machine", "none of these").code == 2
    assert run_redblue("report", "matmul", "--machine", "H100").code == 2


@pytest.mark.parametrize("side", [64, 5_000, 10**6])
def test_no_sentence_says_that_a_memory_of_so_many_bytes_moves_as_many(side):
    result = operator(Computation(f"matmul:n={side}"))
    quote = result.quoted(result.telling)
    numbers = re.findall(r"([0-9,]+) bytes", quote)
    assert len(numbers) == 3  # the last one is of a word
    assert numbers[0] != numbers[1]
    assert result.telling.proved > result.known.compulsory
    all_fits = result.quoted(result.points[-1])
    assert "which no fast memory saves" in all_fits
    assert "into and out of a fast memory" not in all_fits


def test_words_and_seconds_of_a_sentence_are_of_one_boundary(spec):
    result = operator(Computation(spec), machine=machine_named("H100"), word_bytes=4)
    lines = sentences(result)
    by_link = {entry.link: entry for entry in result.boundaries if entry.rate}
    times = [line for line in lines if line.startswith("Through ")]
    assert len(times) == len(by_link) >= 2
    for line in times:
        place = lines.index(line)
        boundary = by_link[line.split()[1]]
        moved = f"{4 * boundary.point.proved:,} bytes"
        assert moved in line
        assert f"{boundary.seconds(boundary.point.proved):.3g} s at least" in line
        assert lines[place - 1].startswith(f"{boundary.name}: ")
        assert moved in lines[place - 1]
