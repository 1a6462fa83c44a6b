"""Ways to change a certificate: one value anywhere in it, its text, or what it means."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

from dags import CDAG
from pebble import RULES

EXTREMES = (
    *(0, 1, -1, 2, 3, 7, 2**24, 2**31 - 1, 2**31, 2**32, -(2**31)),
    *(2**40, 2**51, 2**54, 2**58),
    *(
        2**40,
        2**51,
        2**54,
        2**58,
        2**53,
        2**60,
        2**61,
        2**62,
        2**62 - 1,
        2**63 - 1,
        2**63,
        2**64,
        -(2**62),
        -(2**63),
        10**30,
    ),
)
STRANGERS = (
    *(None, True, False, 1.5, 1e300, float("nan"), float("inf"), "", "all", "x\ny", "\x1b[2J"),
    *("1e99999999", "1/0", "-1/2", "0", "4", "\ud800", [], {}, [[]], [0], [-1], {"a": 1}, [None]),
)
NAMES = (
    *(
        "attention",
        "butterfly",
        "compulsory",
        "dirac",
        "forest",
        "parts",
    ),
    *(
        "projections",
        "reuse",
        "segments",
        "shares",
        "windows",
        "exact",
        "front",
        "reloads",
    ),
    *("staged", "stored", "loaded", "owners", "readers"),
    *("wavefront", "moment", "chains", "dominators", "fft", "matmul", "tree", "stencil", "lu"),
    *("affine", "uniform", "a", "ab", "ac", "bc", "abc", "abs", "s", ">", "!=", "1/2", "19/40"),
)
LARGER = (4, 5, 8, 16, 1000, 2**24, 2**31, 2**61)

Place = tuple[Any, Any]  # a container, and a key or an index of it
Records = list[dict[str, Any]]


def places(value: Any) -> list[Place]:
    """Every entry of a JSON value, at any depth."""
    results: list[Place] = []
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        results.append((value, key))
        if isinstance(value[key], dict | list):
            results += places(value[key])
    return results


def changed_field(rng: random.Random, record: dict[str, Any]) -> None:
    """Change one entry of `record` in place; most often one of its data."""
    data = record.get("data")
    inner = places(data) if isinstance(data, dict | list) else []
    outer = [(record, key) for key in record if key != "format"]
    container, key = rng.choice(inner if inner and rng.random() < 0.85 else outer)
    value = container[key]
    if rng.random() < 0.1:
        del container[key]
    elif isinstance(value, list) and rng.random() < 0.7:
        container[key] = _changed_list(rng, value)
    elif type(value) is int and rng.random() < 0.8:
        near = [
            value + 1,
            value - 1,
            2 * value,
            -value,
            value + 2**32,
            value + 2**62,
            value + 2**64,
        ]
        container[key] = rng.choice([*near, *EXTREMES])
    elif isinstance(value, str) and rng.random() < 0.6:
        container[key] = rng.choice(NAMES)
    elif isinstance(value, dict) and rng.random() < 0.5:
        value["more"] = 1
    else:
        container[key] = deepcopy(rng.choice([*STRANGERS, *EXTREMES]))  # later changed itself


def _changed_list(rng: random.Random, value: list[Any]) -> list[Any]:
    """A list with an entry more or less, in another order, or with entries that wrap."""
    way = rng.randrange(8)
    if way == 0:
        return value[:-1]
    if way == 1:
        return value[::-1]
    if way == 2:
        return value + value
    if way == 3 and value:
        return [*value, rng.choice(value)]
    if way == 4 and value:
        return [value[0]] * len(value)
    if way == 5:
        return [*value, rng.choice(EXTREMES)]
    if way == 6:
        return sorted(value + [rng.randrange(12) for _ in range(2)], key=str)
    numbers = [entry for entry in value if type(entry) is int]
    return [entry + rise for entry in numbers for rise in (0, 2**62, -(2**62), 2**63)]


def changed_text(rng: random.Random, content: bytes) -> bytes:
    """The bytes of a file with a key twice, a number that is none, too many levels, ..."""
    text = content.decode()
    key = rng.choice(list(json.loads(text)))
    ways: list[Callable[[], str]] = [
        lambda: text.replace("{", f'{{"{key}": 1, ', 1),
        lambda: text[:-1] + f', "{key}": 0}}',
        lambda: text.replace(": ", ": NaN, ", 1) if rng.random() < 0.5 else text + "\x00",
        lambda: text.replace(
            '"memory": ', '"memory": ' + rng.choice(["1e400", "-", "1" * 5000]), 1
        ),
        lambda: text.replace('"data": ', '"data": ' + "[" * 200_000, 1),
        lambda: text.replace('"data": {', '"data": {"a": ' + "[" * 900 + "]" * 900 + ", ", 1),
        lambda: text[: rng.randrange(len(text))],
        lambda: "[" + text + "]",
        lambda: rng.choice(["", "null", "1e999999999", '"' + "x" * 10**6, "{}", "Infinity"]),
    ]
    if rng.random() < 0.2:
        place = rng.randrange(len(content))
        return content[:place] + bytes([rng.randrange(256)]) + content[place + 1 :]
    return rng.choice(ways)().encode("utf-8", "surrogatepass")


def other_dag(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> CDAG:
    """A DAG of as many vertices, with an edge, a size or an output changed.

    Its vertices keep the points of a program that they had, which are then wrong.
    """
    indices, words = dag.pred_indices.copy(), dag.sizes.copy()
    outputs = dag.outputs.tolist()
    rows = np.repeat(np.arange(dag.n), np.diff(dag.pred_indptr))
    way = rng.randrange(3)
    edge = rng.randrange(max(indices.size, 1))
    if way == 0 and indices.size:
        v = int(rows[edge])
        row = indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        free = [u for u in range(v) if u not in row]
        if free:
            indices[edge] = rng.choice(free)
            start, end = dag.pred_indptr[v : v + 2]
            indices[start:end].sort()
    elif way == 1:
        words[rng.randrange(dag.n)] += rng.choice([1, 5, 2**30])
    elif dag.computed.size:
        outputs.append(int(rng.choice(dag.computed.tolist())))
    sized = None if dag.words is None and way != 1 else words
    known = {"words": sized, "outputs": sorted(set(outputs)), "origin": dag.origin}
    return CDAG(dag.pred_indptr, indices, **known)


def other_game(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Claim it under other rules, or with another memory."""
    if rng.random() < 0.6:
        record["rules"] = rng.choice(list(RULES))
    if rng.random() < 0.6:
        record["memory"] = max(0, record["memory"] + rng.choice([-2, -1, 1, 2, 5, 100, 2**61]))


def other_kind(rng: random.Random, record: dict[str, Any], dag: CDAG, known: Records) -> None:
    """Take the kind, the data, or one field of the data of another certificate."""
    second = json.loads(json.dumps(rng.choice(known)))
    way = rng.randrange(3)
    if way == 0:
        record["kind"], record["data"] = second["kind"], second["data"]
    elif way == 1:
        record["kind"] = second["kind"]
    else:
        ours, theirs = places(record["data"]), places(second["data"])
        if ours and theirs:
            (container, key), (source, name) = rng.choice(ours), rng.choice(theirs)
            container[key] = source[name]


def twice(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Have a part, a window or a case twice."""
    lists = [
        (container, key)
        for container, key in places(record["data"])
        if isinstance(container[key], list) and any(isinstance(e, dict) for e in container[key])
    ]
    if lists:
        container, key = rng.choice(lists)
        container[key] = container[key] * rng.choice([2, 3])


def other_member(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Claim to be another member of the family, or of another family."""
    members = [data for data in nested(record) if isinstance(data.get("params"), dict)]
    if not members or not members[0]["params"]:
        return
    data, params = members[0], members[0]["params"]
    if rng.random() < 0.3 and "family" in data:
        data["family"] = rng.choice(["fft", "grid", "stencil", "tree", "pyramid", "lu"])
    for key in rng.sample(sorted(params), rng.randint(1, len(params))):
        value = params[key]
        if isinstance(value, list):
            params[key] = [rng.choice(LARGER) for _ in range(rng.randint(0, 6))]
        elif type(value) is int:
            params[key] = rng.choice([value + 1, *LARGER, -1, 0, 1.5, True, None, 2**70])
        else:
            params[key] = rng.choice([*STRANGERS, "tree", "box", "multiply-add", "sklansky"])


def nested(record: dict[str, Any]) -> Records:
    """The data of a record, and those of the proofs that it has inside."""
    results = [record["data"]]
    while isinstance(results[-1].get("data"), dict):
        results.append(results[-1]["data"])
    return results


def other_numbers(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Exchange two vertices wherever they are named, or in one list of them only."""
    first, two = rng.randrange(dag.n), rng.randrange(dag.n)
    named = [
        (c, k) for c, k in places(record["data"]) if type(c[k]) is int and c[k] in (first, two)
    ]
    if rng.random() < 0.5 and named:
        chosen = rng.choice(named)[0]
        named = [(c, k) for c, k in named if c is chosen]
    for container, key in named:
        container[key] = first + two - container[key]


def other_inside(rng: random.Random, record: dict[str, Any], dag: CDAG, known: Records) -> None:
    """Give a proof of another certificate to one that holds another, or wrap it in such a one."""
    second = json.loads(json.dumps(rng.choice(known)))
    within = nested(record)
    if len(within) > 1 and rng.random() < 0.7:
        within[-2]["kind"], within[-2]["data"] = second["kind"], second["data"]
        return
    inner = {"kind": record["kind"], "data": record["data"]}
    if rng.random() < 0.5:
        record["kind"], record["data"] = "renumbered", {"vertex": [*range(dag.n)], **inner}
    else:
        record["kind"], record["data"] = "optimum", {"op": [], "vertex": [], **inner}


def boosted(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Raise one kind of number everywhere: flows, shares, counts, excesses."""
    numbers = [(c, k) for c, k in places(record["data"]) if type(c[k]) is int]
    names = sorted({k for c, k in numbers if isinstance(c, dict)})
    factor = rng.choice([2, 3, 10, 2**20, 2**40])
    if names and rng.random() < 0.5:
        name = rng.choice(names)
        chosen = [(c, k) for c, k in numbers if k == name]
    else:
        lists = [c for c, _ in numbers if isinstance(c, list)]
        together = rng.choice(lists) if lists else None
        chosen = [(c, k) for c, k in numbers if c is together]
    for container, key in chosen:
        container[key] = container[key] * factor


def wrapped(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Have indices name one edge again and again, as sums and differences that wrap allow."""
    lists = [
        (c, k)
        for c, k in places(record["data"])
        if isinstance(c[k], list) and c[k] and all(type(entry) is int for entry in c[k])
    ]
    if not lists:
        return
    container, key = rng.choice(lists)
    size = max(int(dag.pred_indices.size), 1)
    first, count = rng.choice(container[key]), rng.choice([1, 3, 50])
    turn = (first, 2**62 + first, first - size - 2**62, first - size)
    container[key] = [*(turn * count), first]
    for name in ("amounts", "returns", "weights", "sizes", "times", "counts"):
        if name in container and name != key and isinstance(container[name], list):
            container[name] = [rng.choice([1, 2, 2**20])] * len(container[key])


def other_stages(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Take other readers for the chains of values, and charge other values to stores or loads."""
    data = record["data"]
    if not isinstance(data.get("owners"), list) or not isinstance(data.get("readers"), list):
        return
    heads = np.repeat(np.arange(dag.n), np.diff(dag.pred_indptr)).tolist()
    edges = list(zip(dag.pred_indices.tolist(), heads, strict=True))
    rows = list(zip(data["owners"], data["readers"], strict=False))
    drawn = rng.sample(edges, rng.randint(0, len(edges)))
    kept = rng.sample(rows, rng.randint(0, len(rows)))
    rows = sorted(rng.choice([rows, drawn, kept, [*rows, *drawn[:2]]]), key=str)
    data["owners"], data["readers"] = [u for u, _ in rows], [v for _, v in rows]
    for part in [part_ for part_ in data.get("parts", ()) if rng.random() < 0.5]:
        if {"stored", "loaded"} <= part["data"].keys():
            ways = [part["data"]["stored"], part["data"]["loaded"], [rng.randrange(dag.n)], []]
            part["data"]["stored"], part["data"]["loaded"] = rng.choices(ways, k=2)


def more_memory(rng: random.Random, record: dict[str, Any], dag: CDAG, _: Records) -> None:
    """Ask for far more memory than there are values, where products with numbers inside wrap."""
    steps = max(int(dag.computed.size), 1)
    record["memory"] = rng.choice([2**k for k in range(40, 63)] + [2**64 // steps, 2**63 // steps])
    inner = [
        (entry, key) for entry, key in places(record.get("data", {})) if type(entry[key]) is int
    ]
    if inner and rng.random() < 0.7:
        container, key = rng.choice(inner)
        container[key] = rng.choice([*range(2, 9), 16, 100, 1000, 2**16, 2**24, 2**32, 2**40])


MEANINGS: dict[str, Callable[[random.Random, dict[str, Any], CDAG, Records], CDAG | None]] = {
    "another DAG": other_dag,
    "another game": other_game,
    "another kind": other_kind,
    "another member": other_member,
    "another proof inside": other_inside,
    "other numbers": other_numbers,
    "other stages": other_stages,
    "boosted": boosted,
    "more memory": more_memory,
    "twice": twice,
    "wrapped": wrapped,
}
