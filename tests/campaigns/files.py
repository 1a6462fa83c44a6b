"""Damaged and hostile files of every format: each is read, or refused in one sentence.

A case takes a file that one of our writers made, changes bytes or fields of it, and reads it.
Nothing but RedBlueError may come out, within a second of CPU time and in bounded memory, and its
message is one line.
"""

import io
import json
import random
import re
import resource
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

import dags
from dags.formats import FORMATS
from pebble import Move, Schedule
from tests.campaigns.outcomes import Failure, Outcomes

SECONDS = 1.0  # CPU time of a case
MEGABYTES = 400  # growth of the largest memory by one case; an archive may unpack to 256 MiB
LONGEST = 700  # characters of a message: two names of files and a sentence
SCHEDULES = ("schedule.npz", "schedule.jsonl")
KINDS = (*sorted(FORMATS), *SCHEDULES, "specification")

HOSTILE = [
    "-1", "0", "1", "7", "1e400", "-1e400", "1e99999999", "NaN", "Infinity", "true", "null", "0x10",
    str(2**31), str(2**31 - 1), str(2**32), str(2**63), str(2**63 - 1), str(-(2**63)), str(2**64),
    "9" * 30, "9" * 5000, "1_000", "007", "+7", "1.5", "", " ", "\0", "\n", "\r", "\t", "\x1b[2J",
    "\ufeff", "\u2028", "é", "x" * 3000, "[" * 1000, "{" * 150, "<" * 500, "(" * 300, '"', "\\",
    "'",
    '"' * 7, "/*", "*/", "//", "#", "%", "%%", "->", "--", "&", "&lol;", "<!--", "]]>", "</graph>",
    "<![CDATA[", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "[]", "{}", "[[]]", '{"a": 1}', "subgraph",
    "digraph", "node", "{a b c} -> {d e f}", ",", ";", ":", "=", "1 2", "1 2 3 4 5", "a b",
]  # fmt: skip
TOKEN = re.compile(rb"[A-Za-z_.+-]*[0-9]+|[A-Za-z_]+|\S")


def run(cases: int, seed: int) -> Outcomes:
    """What reading `cases` damaged files came to; `damaged` makes the file of a case."""
    outcomes = Outcomes()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wholes = {kind: whole(kind, folder) for kind in KINDS}
        for kind, samples in wholes.items():
            for sample in samples:
                read(kind, sample, folder)  # compiles and imports whatever reading needs
                assert verdict(kind, sample, folder) == "read", kind
        dags.from_edges(2, [(1, 0)])  # compiles renumbering
        for case in range(cases):
            kind = KINDS[case % len(KINDS)]
            data = damaged(kind, wholes[kind], seed, case)
            began = time.process_time()
            try:
                outcomes.counts[kind, verdict(kind, data, folder)] += 1
            except Exception as error:
                outcomes.counts[kind, "failed"] += 1
                message = f"{type(error).__name__}: {error}"[:300]
                outcomes.failures.append(Failure(case, kind, message))
            outcomes.slowest = max(outcomes.slowest, time.process_time() - began)
    return outcomes


def verdict(kind: str, data: bytes, folder: Path) -> str:
    """Read `data` within limits; return "read" or "refused"."""
    largest, start = peak(), time.process_time()
    message = None
    try:
        read(kind, data, folder)
    except dags.RedBlueError as error:
        message = str(error)
    seconds, grown = time.process_time() - start, peak() - largest
    assert seconds < SECONDS, f"{seconds:.1f} seconds"
    assert grown < MEGABYTES, f"{grown} megabytes more"
    assert message is None or (message.isprintable() and len(message) < LONGEST), message
    return "read" if message is None else "refused"


def read(kind: str, data: bytes, folder: Path) -> None:
    """Read `data` as a file of a kind."""
    spec = data.decode("utf-8", "surrogateescape")
    if kind != "specification":
        path = folder / (kind if kind in SCHEDULES else f"file{kind}")
        path.write_bytes(data)
        spec = str(path)
    Schedule.load(spec) if kind in SCHEDULES else dags.load(spec)


def peak() -> int:
    """The most memory, in megabytes, that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def whole(kind: str, folder: Path) -> list[bytes]:
    """Files that are as they should be."""
    if kind == "specification":
        return [
            b"fft:n=8",
            b"stencil:shape=4x4,steps=2,periodic=true",
            b"random_spmv:n=5,density=0.5",
        ]
    samples = []
    for dag in (example(), dags.fft(4), dags.tree(2)):
        path = folder / f"whole{Path(kind).suffix or kind}"
        if kind in SCHEDULES:
            moves = [(Move.LOAD, v) for v in dag.inputs.tolist()]
            moves += [(Move.COMPUTE, v) for v in dag.computed.tolist()]
            Schedule.from_moves(moves).save(path)
        else:
            dags.save(dag, path)
        samples.append(path.read_bytes())
    return samples


def example() -> dags.CDAG:
    """A DAG with everything that a file can keep."""
    return dags.from_edges(
        7,
        [(0, 2), (1, 2), (2, 3), (1, 4), (4, 5), (3, 5)],
        words=[1, 2, 1, 1, 3, 2, 4],
        work=[0, 0, 1, 2, 3, 4, 0],
        outputs=[2],
        channel=[0, 1, 0, 0, 0, 1, 2],
        labels=["a", "b_b", "c", 14, 5, "xy", "alone"],
    )


def damaged(kind: str, samples: list[bytes], seed: int, case: int) -> bytes:
    """The file of one case: the same for the same seed and case."""
    rng = random.Random(f"{seed} {case}")
    data = rng.choice(samples)
    changes = [bytes_changed, tokens_changed]
    if kind.endswith("npz"):
        changes = [bytes_changed, members_changed, headers_changed, headers_changed]
    elif kind.endswith("json"):
        changes.append(values_changed)
    elif kind == "schedule.jsonl":
        changes += [numbers_changed, numbers_changed]
    elif kind == "specification":
        changes = [tokens_changed]
    return rng.choice(changes)(data, rng, samples)


def bytes_changed(data: bytes, rng: random.Random, samples: list[bytes]) -> bytes:
    """Bytes overwritten, left out, put in, repeated, cut off, or from another file."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        position = rng.randrange(len(changed) + 1)
        to = position + rng.choice([1, 1, 2, 6, 40])
        way = rng.randrange(7)
        if way == 0:
            changed[position:to] = rng.randbytes(min(to, len(changed)) - position)
        elif way == 1:
            del changed[position:to]
        elif way == 2:
            changed[position:position] = rng.choice(HOSTILE).encode()
        elif way == 3:
            changed[position:position] = changed[position:to] * rng.choice([1, 3, 100])
        elif way == 4 and rng.random() < 0.3:
            del changed[position:]
        elif way == 5 and position < len(changed):
            changed[position] ^= 1 << rng.randrange(8)
        elif way == 6:
            second = rng.choice(samples)
            start = rng.randrange(len(second))
            changed[position:to] = second[start : start + 40]
    return bytes(changed)


def tokens_changed(data: bytes, rng: random.Random, samples: list[bytes]) -> bytes:
    """Numbers, words and signs of a text replaced, left out, or exchanged."""
    for _ in range(rng.choice([1, 1, 2, 5])):
        places = [match.span() for match in TOKEN.finditer(data)]
        if not places:
            break
        start, stop = rng.choice(places)
        if rng.random() < 0.2:
            second = rng.choice(places)
            new = data[second[0] : second[1]]
        else:
            new = b"" if rng.random() < 0.1 else rng.choice(HOSTILE).encode()
        data = data[:start] + new + data[stop:]
    return data


def numbers_changed(data: bytes, rng: random.Random, samples: list[bytes]) -> bytes:
    """A number replaced by a JSON value or by hostile text."""
    start, stop = rng.choice([match.span() for match in re.finditer(rb"[0-9]+", data)])
    new = rng.choice([json.dumps(json_value(rng)), *rng.choices(HOSTILE, k=3)])
    return data[:start] + new.encode() + data[stop:]


def values_changed(data: bytes, rng: random.Random, samples: list[bytes]) -> bytes:
    """A value somewhere in a JSON text replaced."""
    tree = json.loads(data)
    for _ in range(rng.randint(1, 3)):
        place = tree
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.85:
                place = place[key]
                continue
            place[key] = json_value(rng)
            break
    return json.dumps(tree).encode()


def json_value(rng: random.Random):
    """A value that does not belong where it is put."""
    nested: list = []
    for _ in range(rng.choice([3, 300, 900])):
        nested = [nested]
    large = [2**31, 2**63, 2**64, -(2**63), 10**300]
    return rng.choice([None, True, 1.5, float("inf"), float("nan"), *large, -1, 0, nested, {}, []]
                      + [rng.choice(HOSTILE)] * 5)  # fmt: skip


def members(data: bytes) -> dict[str, bytes]:
    """The files in an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive_of(files: dict[str, bytes], rng: random.Random) -> bytes:
    """An archive, at times of a kind that NumPy does not write or with flags that do not hold."""
    stream = io.BytesIO()
    kinds = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    kind = rng.choices(kinds, [4, 4, 1, 1])[0]
    with zipfile.ZipFile(stream, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    data = bytearray(stream.getvalue())
    if rng.random() < 0.2:  # in the directory at the end: flags, method, or a size
        position = data.rfind(b"PK\x01\x02")
        field = position + rng.choice([8, 10, 20, 24, 26, 42])
        data[field : field + 2] = rng.choice([b"\1\0", b"\0\0", b"\xff\xff", b"\x0e\0", b"\0\x7f"])
    return bytes(data)


def members_changed(data: bytes, rng: random.Random, samples: list[bytes]) -> bytes:
    """Arrays of other types, shapes and values, or under other names."""
    files = members(data)
    name = rng.choice(list(files))
    stream = io.BytesIO()
    array = np.load(io.BytesIO(files[name]))
    numbers = np.array(rng.choices([0, 1, 2, 3, -1, 255, 2**31, 2**63 - 1], k=rng.randint(0, 9)))
    replacements = [
        array.astype(
            rng.choice(["U9", "O"] if array.dtype.kind == "U" else ["S3", "c16", "?", "f4"])
        ),
        np.array([array, None], object),
        array.reshape(array.shape + (1,) * rng.randint(1, 4)),
        np.zeros((0, 3)),
        np.zeros(3, [("a", "i4"), ("b", "U2")]),
        np.array(["2020-01-01"], "M8[D]"),
        numbers,
        numbers.astype(np.uint64),
        np.frombuffer(rng.choice(HOSTILE).encode(), np.uint8),
        np.frombuffer(json.dumps(json_value(rng)).encode(), np.uint8),
    ]
    np.save(stream, replacements[rng.randrange(len(replacements))], allow_pickle=True)
    files[name] = stream.getvalue()
    if rng.random() < 0.1:
        files[rng.choice(["labels.npy", "x", "../op.npy", "\u2028.npy"])] = files.pop(name)
    return archive_of(files, rng)


def headers_changed(data: bytes, rng: random.Random, samples: list[bytes]) -> bytes:
    """An array whose header claims what is not so, or is no header."""
    files = members(data)
    name = rng.choice(list(files))
    content = files[name]
    size = int.from_bytes(content[8:10], "little")
    header, remaining = content[10 : 10 + size].decode("latin-1"), content[10 + size :]
    shape = rng.choice(["10**12,", "1000000000000,", "9999999999999999999,", "-1,", "3,,", "2, 2",
                        "", "0, 1000000000000", "1," * 40, "'a',", "(1,", "True,"])  # fmt: skip
    kind = rng.choice(["|O", "<i8", ">i8", "<f8", "|V99", "<U999999999", "<M8[D]", "i", "", "|S0"])
    header = rng.choice([
        re.sub(r"\(.*\)", f"({shape})", header),
        re.sub(r"'descr': '[^']*'", f"'descr': '{kind}'", header),
        re.sub(r"'descr': '[^']*'", "'descr': [('a', '<i4')]", header),
        tokens_changed(header.encode(), rng, samples).decode("utf-8", "replace"),
        bytes_changed(header.encode(), rng, samples).decode("latin-1"),
        "(" * rng.choice([50, 1000, 20000]),
        '"""',
    ])  # fmt: skip
    encoded = header.encode("latin-1", "replace")
    version = rng.choice([(1, 0), (1, 0), (1, 0), (2, 0), (3, 0), (4, 0), (9, 9)])
    width = 2 if version == (1, 0) else 4
    length = len(encoded) if rng.random() < 0.8 else rng.choice([0, 5, 65535])
    head = b"\x93NUMPY" + bytes(version) + (length % 65536).to_bytes(width, "little")
    files[name] = head + encoded + remaining
    return archive_of(files, rng)
