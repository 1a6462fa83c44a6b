"""Files that were made to break a reader: each is refused in one sentence, in bounded memory."""

import io
import time
import tracemalloc
import zipfile

import numpy as np
import pytest

import dags
from dags import FormatError, InvalidDAGError, RedBlueError, tree
from dags.cdag import files as archives
from dags.errors import one_line, shown
from dags.formats import FORMATS
from dags.formats.matrix_market import BANNER
from pebble import InvalidScheduleError, Move, Schedule
from tests.campaigns import files
from tests.command_line import run_redblue


@pytest.fixture(params=["dag.npz", "schedule.npz"])
def archive(request, tmp_path):
    """An archive of each kind, and what reads it."""
    path = tmp_path / request.param
    if request.param == "dag.npz":
        dags.save(tree(2), path)
        return path, dags.load
    Schedule.from_moves([(Move.LOAD, 0), (Move.STORE, 1)]).save(path)
    return path, Schedule.load


def rewritten(path, change, compression=zipfile.ZIP_STORED):
    """Write the archive again with `change` made to the file of one array."""
    with zipfile.ZipFile(path) as old:
        contents = {name: old.read(name) for name in old.namelist()}
    name = sorted(contents)[-1]
    contents[name] = change(contents[name])
    with zipfile.ZipFile(path, "w", compression) as new:
        for name, content in contents.items():
            new.writestr(name, content)


def with_header(content, header):
    """Put another header before the entries of an array."""
    entries = content[10 + int.from_bytes(content[8:10], "little") :]
    return content[:8] + len(header).to_bytes(2, "little") + header.encode("latin-1") + entries


def pickled(content):
    stream = io.BytesIO()
    np.save(stream, np.array([{"a": 1}], object))
    return stream.getvalue()


LONG = "9" * 300_000
HEADERS = {
    "a number of no end": "{'descr': '|u1', 'fortran_order': False, 'shape': (1000000000000,), }\n",
    "20 digits": "{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,), }\n",
    "digits": "{'descr': '|u1', 'fortran_order': False, 'shape': (" + "1" * 5000 + "x,), }\n",
    "blanks": "{'descr': '|u1', 'fortran_order': False, 'shape': (" + "1 " * 2500 + "x,), }\n",
    "nothing closed": "{'descr': '|u1', 'fortran_order': False, 'shape': (3",
    "an open string": '"""' + " " * 60,
    "a thousand brackets": "(" * 9000,
    "Python": "__import__('os').abort()",
    "entries of nothing": "{'descr': '|S0', 'fortran_order': False, 'shape': (1000000000000,), }\n",
    "records": "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,), }\n",
    "60,000 characters": " " * 60_000,
}


def refused(path, read, message):
    tracemalloc.start()
    with pytest.raises((FormatError, InvalidScheduleError), match=message) as caught:
        read(str(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e7
    assert str(caught.value).startswith(f"{path}: ")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_headers_that_claim_too_much_or_nothing(archive, header):
    path, read = archive
    rewritten(path, lambda content: with_header(content, header))
    refused(path, read, "is no NumPy archive, or a damaged one")


def test_pickled_objects(archive):
    path, read = archive
    rewritten(path, pickled)
    refused(path, read, "pickled Python objects, which are not read")


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions(archive, compression):
    path, read = archive
    rewritten(path, bytes, compression)
    refused(path, read, "in a way that NumPy does not write")


def test_encryption(archive):
    path, read = archive
    data = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        position = data.find(signature)
        while position >= 0:
            data[position + flags] |= 1
            position = data.find(signature, position + 1)
    path.write_bytes(data)
    refused(path, read, "is encrypted")


@pytest.mark.parametrize("size", [1 << 22, 1 << 19])  # beyond the limit as bytes, or as numbers
def test_archives_that_unpack_to_too_much(archive, size, monkeypatch):
    path, read = archive
    monkeypatch.setattr(archives, "FREE_BYTES", 1 << 20)
    zeros = np.zeros(size, np.uint8)
    stream = io.BytesIO()
    np.save(stream, zeros)
    rewritten(path, lambda content: stream.getvalue(), zipfile.ZIP_DEFLATED)
    refused(path, read, "unpacks to .* bytes, too many for a file of")


def test_what_compresses_well_is_read(tmp_path):
    schedule = Schedule(np.tile([0, 3], 10**6), np.zeros(2 * 10**6, np.int32))
    schedule.save(tmp_path / "long.npz")
    assert Schedule.load(tmp_path / "long.npz") == schedule


@pytest.mark.parametrize(
    "line",
    [
        '["LOAD", 1e400]',
        '["LOAD", 1e99999999]',
        '["LOAD", NaN]',
        '["LOAD", 1.0]',
        '["LOAD", "1"]',
        '["LOAD", true]',
        f'["LOAD", {"9" * 5000}]',
        f'["LOAD", {2**31}]',
        "[" * 1000 + "]" * 1000,
        "[" * 100_000,
        '[["LOAD"], 1]',
        '{"LOAD": 1, "STORE": 2}',
        "\xff\xfe",
    ],
)
def test_lines_of_hostile_json(tmp_path, line):
    path = tmp_path / "play.jsonl"
    path.write_bytes(b'["LOAD", 0]\n' + line.encode("latin-1") + b"\n")
    refused(path, Schedule.load, "line 2 is no move")


@pytest.mark.parametrize("read", [dags.load, Schedule.load])
@pytest.mark.parametrize("suffix", [".npz", ".jsonl", ".dot", ".json"])
@pytest.mark.parametrize("sign", ["\0", "\ud800", "\n", "\x1b[2J", "x" * 5000])
def test_names_that_no_file_has(read, suffix, sign):
    with pytest.raises(RedBlueError) as caught:
        read(f"a{sign}b{suffix}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


def test_writers_refuse_such_names():
    for write in (Schedule([], []).save, lambda path: dags.save(tree(1), path)):
        with pytest.raises(FormatError, match="which holds a NUL character"):
            write("a\0b.npz")


def test_the_command_line_says_so(tmp_path):
    path = tmp_path / "play.jsonl"
    path.write_text('["LOAD", 1e400]\n')
    ending = run_redblue("check", "tree:height=2", str(path), "--memory", "3")
    assert ending.code == 2
    assert ending.sentence == f'{path}: line 1 is no move like ["LOAD", 3]'


@pytest.mark.parametrize(
    ("suffix", "text", "message"),
    [
        (".dot", "digraph { " + "/* " * 200_000, "a name expected, not '/'"),
        (".dot", "digraph { " + '"\\' * 200_000, "a name expected, not '\"'"),
        (".dot", "digraph { " + "<" * 200_000, "a name expected, not '<'"),
        (".dot", "digraph { " + "{" * 200_000, "nested more than 100 deep"),
        (".json", "[" * 200_000, "is no JSON that can be read"),
        (".json", '{"directed": true, "nodes": [' + "9" * 5000 + "]}", "is no JSON that can be"),
        (".mtx", f"{BANNER} matrix coordinate pattern general\n90000000 90000000 0\n", "are empty"),
        (".mtx", f"{BANNER} matrix coordinate real general\n2 2 1\n2 1 {LONG}x", "no number"),
        (".graphml", "<a>" * 200_000, "is no GraphML"),
    ],
)  # fmt: skip
def test_texts_that_would_take_long_or_much(tmp_path, suffix, text, message):
    path = tmp_path / f"a{suffix}"
    path.write_text(text)
    start = time.process_time()
    with pytest.raises(FormatError, match=message) as caught:
        dags.load(str(path))
    assert time.process_time() - start < 5
    assert len(str(caught.value)) < 500


def test_groups_that_multiply_are_refused(tmp_path):
    names = " ".join(f"a{i}" for i in range(3000))
    path = tmp_path / "a.dot"
    path.write_text(f"digraph {{ {{{names}}} -> {{{names.replace('a', 'b')}}} }}")
    with pytest.raises(FormatError, match="groups are joined by more than 4194304 edges"):
        dags.load(str(path))


def test_xml_entities_are_not_multiplied(tmp_path):
    lines = ['<!DOCTYPE a [<!ENTITY e0 "xxxxxxxxxx">']
    lines += [f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10)]
    path = tmp_path / "a.graphml"
    path.write_text("\n".join(lines) + "]><a>&e9;</a>")
    with pytest.raises(FormatError, match="is no GraphML"):
        dags.load(str(path))


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".edges", f"{'a' * 9000} b\nb {'a' * 9000}\n"),
        (".dot", f'digraph {{ "{"a" * 9000}" [words=no]; }}'),
        (".dot", f"digraph {{ a -> {'-' * 9000} }}"),
        (".hdag", f"{'x' * 9000} 1 2\n"),
        (".json", f'{{"directed": true, "nodes": [{{"id": "{"x" * 9000}", "words": "a"}}], '
                  '"edges": []}'),
    ],
)  # fmt: skip
def test_garbage_is_cut(tmp_path, suffix, text):
    path = tmp_path / f"a{suffix}"
    path.write_text(text)
    with pytest.raises(
        (FormatError, InvalidDAGError), match=r"\.\.\.|expected, not '--'"
    ) as caught:
        dags.load(str(path))
    assert len(str(caught.value)) < 500


def test_cutting():
    assert shown("short") == "'short'"
    assert len(shown("long" * 100)) == 40
    assert len(shown([["x" * 100] * 100])) < 400
    assert one_line("a\nb\0\x1b\u2028") == "a\\nb\\x00\\x1b\\u2028"
    assert one_line("ab" * 100, 11) == "abab...abab"
    assert one_line("fits") == "fits"


def test_a_part_of_the_campaign():
    outcomes = files.run(700, seed=20)
    counts = outcomes.counts
    assert not outcomes.failures
    assert counts.total() == 700
    assert {kind for kind, _ in counts} == {*FORMATS, *files.SCHEDULES, "specification"}
    assert {outcome for _, outcome in counts} == {"read", "refused"}
