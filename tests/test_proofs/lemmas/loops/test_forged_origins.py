"""Certificates about DAGs whose origin is forged: what they claim of it is verified, or refused."""

import numpy as np
import pytest

from dags import CDAG, load
from dags.cdag.origin import Operator, Origin
from dags.tracing import trace
from pebble import PARTIAL, RULES, Move, Schedule, judge
from proofs import Certificate, CertificateError, affine, check, compulsory
from proofs.certificates import proven_io

AGAIN = RULES["recompute"]
SIDE, MEMORY = 60, 10


def scaled_products():
    """Products of a_i, what one step makes of a_i, and e_j; and places that are forged.

    Nobody reads the first 60 inputs. Inputs a_i and what is made of them have their places.
    """
    row = np.arange(SIDE)
    a, e, c, first = SIDE + row, 2 * SIDE + row, 3 * SIDE + row, 4 * SIDE
    rows = [[] for _ in range(3 * SIDE)] + [[v] for v in a]
    rows += [[a[i], e[j], c[i]] for i in row for j in row]
    made_by, points = np.zeros(len(rows), np.int16), np.zeros((len(rows), 2), np.int32)
    made_by[e], made_by[first:] = -1, 1
    points[:first, 0] = np.tile(row, 4)
    points[c, 1] = 1
    points[first:] = np.stack([np.repeat(row, SIDE), np.tile(row, SIDE)], axis=1)
    names = ("i", "t"), ("i", "j"), ("s",)  # the last one makes nothing
    operators = tuple(Operator(k, None, name, (2 * k, 2 * k + 1)) for k, name in enumerate(names))
    origin = Origin("forged", "", {}, operators, (("e", 1),), made_by, points)
    starts = np.cumsum([0, *map(len, rows)])
    return CDAG(starts, np.concatenate(rows).astype(np.int32), origin=origin)


def blocks_of_rows(dag):
    """A play that holds some a_i, and makes what it reads beside them again and again."""
    moves, first = [], 4 * SIDE
    for start in range(0, SIDE, MEMORY - 3):
        block = range(start, min(SIDE, start + MEMORY - 3))
        moves += [(Move.LOAD, SIDE + i) for i in block]
        for j in range(SIDE):
            moves.append((Move.LOAD, 2 * SIDE + j))
            for i in block:
                c, u = 3 * SIDE + i, first + i * SIDE + j
                moves += [(Move.COMPUTE, c), (Move.COMPUTE, u), (Move.STORE, u)]
                moves += [(Move.DELETE, u), (Move.DELETE, c)]
            moves.append((Move.DELETE, 2 * SIDE + j))
        moves += [(Move.DELETE, SIDE + i) for i in block]
    return Schedule(*zip(*moves, strict=True))


def reference(made_by, loop, *offsets):
    return [{"made_by": made_by, "loops": [loop, -1][: len(offsets)], "offsets": [*offsets]}]


def chains(size, labels):
    """A proof that each update touches an item of each of three arrays."""
    slots = [reference(0, 0, 0, 1), reference(0, 0, 0, 0), reference(-1, 1, 0)]
    space = {
        **dict.fromkeys(("joint", "complete", "single", "shared"), False),
        "statements": [{"operator": 1, "loops": [0, 1], "slots": slots}],
        "order": [],
        "symmetric": "",
        "arrays": [
            {"slots": [slot], "kept": [kept], "by_value": False, "cost": "1"}
            for slot, kept in enumerate("aab")
        ],
        "labels": labels,
    }
    powers = {"array 0": "1/2", "array 1": "1/2", "array 2": "1"}
    windows = [{"size": size, "count": SIDE**2 // size, "exponents": powers}]
    data = {"argument": "chains", "space": space, "windows": windows}
    return Certificate("affine", data)


def test_an_input_is_no_item_beside_what_is_made_of_it():
    """One load of a_i would count twice; 4473 words were proved where 4200 are moved."""
    dag = scaled_products()
    played = judge(dag, blocks_of_rows(dag), MEMORY, rules=AGAIN).io
    places = [{"operator": 0, "loops": [0]}]
    for size in (50, 60, 75, 90, 100):
        with pytest.raises(CertificateError, match="an input has the label of another"):
            proven_io(dag, MEMORY, AGAIN, chains(size, places))
        with pytest.raises(CertificateError, match="no link of a chain"):
            proven_io(dag, MEMORY, AGAIN, chains(size, []))
    assert played == 4200


def test_inputs_are_no_updates():
    dag = scaled_products()
    inputs = {"operator": 0, "loops": [0, 1], "slots": [reference(-1, 0, 0)]}
    data = chains(1, []).data
    arrays = [{"slots": [0], "kept": ["a"], "by_value": False, "cost": "1"}]
    space = {**data["space"], "statements": [inputs], "arrays": arrays}
    with pytest.raises(CertificateError):
        proven_io(dag, MEMORY, AGAIN, Certificate("affine", {**data, "space": space}))


def summed(argument, operator, values, before):
    """A proof by the sums of what one operator of a traced product makes."""
    slots = [{"sum": 1, "values": [values], "before": before}]
    flags = dict.fromkeys(("joint", "single", "shared"), False)
    space = {
        **flags,
        "statements": [{"operator": operator, "loops": [0, 1, 2], "slots": slots}],
        "order": [],
        "complete": True,
        "symmetric": "",
        "arrays": [{"slots": [0], "kept": ["abc"], "by_value": False, "cost": "1"}],
        "labels": [],
    }
    windows = [{"size": 1, "count": 1, "exponents": {}}]
    return Certificate("affine", {"argument": argument, "space": space, "windows": windows})


def test_no_sum_is_an_update_of_partial_computation():
    """What is added up in parts would count as a partial update, and for its item again."""
    dag = trace(lambda a, b: a @ b, (1, 4), (4, 1))
    product, total = ([here(kind), last(kind)] for kind in (0, 1))
    for argument, rules in (("segments", RULES["one-shot"]), ("aggregations", PARTIAL)):
        proof = summed(argument, 0, product[0], total[1])
        with pytest.raises(CertificateError, match="do not hold the 2 that"):
            proven_io(dag, 4, rules, proof)
    proof = summed("segments", 1, total[1], product[0])
    with pytest.raises(CertificateError, match="do not hold the 2 that"):
        proven_io(dag, 4, RULES["one-shot"], proof)
    with pytest.raises(CertificateError, match="a sum is an update"):
        proven_io(dag, 4, PARTIAL, summed("aggregations", 1, total[1], product[0]))


def here(kind):
    """The reference to what an operator makes at the same point."""
    return [{"made_by": kind, "loops": [0, 1, 2], "offsets": [0, 0, 0]}]


def last(kind):
    """The reference to what an operator made one step before along the sum."""
    return [{"made_by": kind, "loops": [0, 1, 2], "offsets": [0, 0, -1]}]


def test_spaces_of_other_rules_are_not_those_of_partial_computation():
    """One cache served both, and what was found for one was refused for the other."""
    for spec in ("polybench/gemm:NI=4,NJ=4,NK=4,level=operation", "polybench/mvt:N=4"):
        dag = load(spec)
        for rules in (PARTIAL, RULES["one-shot"], PARTIAL):
            check(dag, 4, affine(dag, 4, rules=rules))


def test_labels_of_nothing():
    """An operator that makes nothing gives no vertex a label; nothing is proved of no items."""
    dag = scaled_products()
    data = chains(1, [{"operator": 2, "loops": [0]}]).data
    slotless = {"operator": 1, "loops": [0, 1], "slots": []}
    space = {**data["space"], "statements": [slotless], "arrays": []}
    windows = [{"size": SIDE**2, "count": 1, "exponents": {}}]
    data = {"argument": "dominators", "space": space, "windows": windows}
    proved = proven_io(dag, MEMORY, AGAIN, Certificate("affine", data))
    assert proved == compulsory(dag, MEMORY, rules=AGAIN).io
