"""The verified checker beside the referee and the other checker: plays, certificates, changes."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

import dags
import pebble
from dags import CDAG
from pebble import RULES, IllegalMoveError, Move, Rules, Schedule, judge, min_memory
from proofs import BOUNDS, Bound, CertificateError
from proofs.bounds.loops.kept_values import best_count
from proofs.certificates import Certificate, proven_io
from proofs.verified import NotVerifiedError, verify
from tests.campaigns.mutations import MEANINGS, changed_field
from tests.golden import files
from tests.golden.certificates import NAME
from tests.strategies import _RandomPlayer

KINDS = (
    *("compulsory", "open-chains", "optimum", "parts", "projections"),
    *("reload-windows", "renumbered", "shares", "staged"),
)
PRODUCTS = (
    ("matmul:n=3", 5, "one-shot"),
    ("matmul:n=4", 6, "one-shot"),
    ("matmul:m=4,n=2,k=3", 4, "one-shot"),
    ("matmul:m=5,n=3,k=4", 4, "one-shot-sliding"),
)


class Game(NamedTuple):
    """A drawn game, with a schedule that may be broken."""

    dag: CDAG
    schedule: Schedule
    memory: int
    rules: Rules


def drawn_dag(rng: random.Random) -> CDAG:
    """A small DAG, with sizes or without, perhaps with an output that is read."""
    n, limit = rng.randint(1, 9), rng.randint(1, 4)
    rows = [sorted(rng.sample(range(v), rng.randint(0, min(limit, v)))) for v in range(n)]
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    return CDAG(
        starts,
        [u for row in rows for u in row],
        words=[rng.randint(1, 4) for _ in range(n)] if rng.random() < 0.5 else None,
        outputs=[v for v in range(n) if rows[v] and rng.random() < 0.3],
    )


def drawn_games(dag: CDAG, count: int, rng: random.Random) -> Iterator[Game]:
    """Yield plays of a DAG under all rules: every other one is broken, by one to three moves."""
    for number in range(count):
        rules = rng.choice(list(RULES.values()))
        memory = max(min_memory(dag, rules=rules), 1) + rng.choice((0, 0, 1, 3))
        moves = list(_RandomPlayer(dag, memory, rules, rng).play())
        for _ in range(rng.randint(1, 3) if number % 2 else 0):
            moves = _changed(moves, dag, rng)
        memory = max(0, memory - (rng.random() < 0.1))
        yield Game(dag, Schedule.from_moves(moves), memory, rules)


def _changed(moves: list[Any], dag: CDAG, rng: random.Random) -> list[Any]:
    place = rng.randint(0, len(moves))
    second = (rng.choice([Move.LOAD, Move.STORE, Move.COMPUTE, Move.DELETE]), rng.randrange(dag.n))
    options = rng.choice(("drop", "insert", "replace", "swap", "cut"))
    if options == "insert":
        return [*moves[:place], second, *moves[place:]]
    if options == "replace":
        return [*moves[:place], second, *moves[place + 1 :]]
    if options == "drop":
        return [*moves[:place], *moves[place + 1 :]]
    if options == "cut":
        return moves[:place]
    remaining = moves[place : place + 2]
    return [*moves[:place], *reversed(remaining), *moves[place + 2 :]]


def by_referee(game: Game) -> int | str:
    """What the referee says of a play in the words of the definition in Coq."""
    try:
        return judge(game.dag, game.schedule, game.memory, rules=game.rules).io
    except IllegalMoveError as error:
        return f"illegal {error.step}" if error.step < len(game.schedule) else "unfinished"


class Case(NamedTuple):
    """A certificate of a computation, golden or drawn, or a change of one."""

    dag: CDAG
    memory: int
    rules: Rules
    kind: str
    data: Any

    def python(self) -> int | str:
        """The words that the checker in Python reads, or why it refuses."""
        try:
            return proven_io(self.dag, self.memory, self.rules, Certificate(self.kind, self.data))
        except CertificateError as error:
            return str(error)

    def coq(self, io: int) -> str | None:
        """Why the verified checker refuses so many words; None if it proves them."""
        certificate = Certificate(self.kind, self.data)
        try:
            verify(self.dag, Bound("golden", self.memory, io, self.rules, certificate))
        except (CertificateError, NotVerifiedError) as error:
            return f"{type(error).__name__}: {error}"
        return None


@cache
def dag_of(spec: str) -> CDAG:
    """A golden DAG."""
    return dags.load(spec)


def golden_cases() -> list[Case]:
    """The golden certificates of kinds that are verified, under rules that are."""
    cases = []
    for name, record in files.kept(NAME).items():
        _, rules, memory, _ = name.split(" ")
        if rules in RULES and record["kind"] in KINDS:
            dag = dag_of(name.split(" ")[0])
            cases.append(Case(dag, int(memory), RULES[rules], record["kind"], record["data"]))
    return cases


def product_cases() -> list[Case]:
    """Certificates of windows of updates of small products."""
    cases = []
    for spec, memory, rules in PRODUCTS:
        dag = dag_of(spec)
        bound = BOUNDS["projections"](dag, memory, rules=RULES[rules])
        certificate = json.loads(json.dumps(bound.certificate.data))
        cases.append(Case(dag, memory, RULES[rules], "projections", certificate))
        best = best_count(pebble.Game.of(dag, memory, RULES[rules]))
        assert best is not None
        cases.append(Case(dag, memory, RULES[rules], "open-chains", dict(best[1])))
    return cases


def mutated(case: Case, rng: random.Random) -> Case:
    """A case with one entry of its data changed."""
    record = {"data": deepcopy(case.data)}
    changed_field(rng, record)
    return case._replace(data=record.get("data"))


def reinterpreted(case: Case, remaining: list[Case], rng: random.Random) -> Case:
    """A case that means something else: another game, DAG, kind, or numbers elsewhere.

    Parameters
    ----------
    case, others
        The case, and those whose data it may take.
    rng
        What chooses.
    """
    record = {
        "kind": case.kind,
        "data": deepcopy(case.data),
        "memory": case.memory,
        "rules": case.rules.name,
    }
    known = [{"kind": second.kind, "data": second.data} for second in remaining]
    dag = MEANINGS[rng.choice(sorted(MEANINGS))](rng, record, case.dag, known) or case.dag
    rules = RULES[record["rules"]]
    return Case(dag, record["memory"], rules, record["kind"], record["data"])


def drawn_search(rng: random.Random) -> Case:
    """A certificate that claims an excess of a drawn game where values are computed again.

    Every play of the game moves more than the compulsory words; the claim is right or wrong, of the
    whole DAG or of a piece.
    """
    rules = rng.choice([rules for rules in RULES.values() if rules.recompute])
    while True:
        dag = drawn_dag(rng)
        memory = min_memory(dag, rules=rules) + rng.choice((0, 0, 0, 1))
        full = _search(dag, memory, rules, "all", {"excess": 1})
        if isinstance(full.python(), int):
            break
    piece = sorted(rng.sample(range(dag.n), rng.randint(dag.n // 2, dag.n)))
    data = {"excess": rng.choice((0, 1, 1, 2, 2, 3, 4, 6))}
    data |= {"states": rng.choice((3, 50))} if rng.random() < 0.5 else {}
    return _search(dag, memory, rules, "all" if rng.random() < 0.7 else piece, data)


def _search(
    dag: CDAG, memory: int, rules: Rules, vertices: str | list[int], data: dict[str, int]
) -> Case:
    part = {"vertices": vertices, "proof": "exact", "data": data}
    return Case(dag, memory, rules, "parts", {"parts": [part]})
