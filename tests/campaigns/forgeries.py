"""Forged certificates of nests: no climb over their fields leads above the truth.

A climb takes a small nest with rules and a memory, and a certificate of one kind, honest or put
together by chance. It changes fields again and again: entries that are there twice, left out, in
another order, parts of a label, other names, shifts, sizes, exponents, numbers of windows. A change
that the checker accepts is kept if it proves no less, compulsory words aside. What is accepted is
held against the least that exhaustive search finds, of larger games against schedules that the
referee judges; and no check takes longer than `SECONDS`.
"""

import json
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, permutations
from typing import Any

from dags import CDAG, RedBlueError
from dags.programs import instantiate
from dags.programs.box_nests import BoxNest
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import KERNELS, polybench
from pebble import (
    ONE_SHOT,
    PARTIAL,
    RULES,
    Machine,
    MemoryTooSmallError,
    Rules,
    judge,
    min_memory,
    rules_named,
)
from pebble.small.game import BITS
from proofs import CertificateError
from proofs.bounds.loops.labelled import described, labelled_choices
from proofs.bounds.loops.meshes import meshes_in
from proofs.bounds.loops.nests import FIELDS, _merged, choices, gains
from proofs.bounds.loops.window_sizes import tight_exponents
from proofs.core.records import Certificate, read
from proofs.lemmas.loops.hbl import Shape
from proofs.lemmas.loops.labelled import Labelled, counts
from proofs.lemmas.loops.meshes import Mesh, mesh_words
from proofs.lemmas.loops.nest_updates import in_order, premises
from proofs.lemmas.loops.nests import (
    COMPULSORY,
    CUT,
    EVERYWHERE,
    JOINT,
    LABELLED,
    MERGED,
    MESH,
    NESTS,
    OF_ALL,
    SUM,
    WAITS,
    WINDOWS,
    Nothing,
    Parts,
    compulsory_of,
    held,
    part_of_sum,
    proven,
)
from proofs.lemmas.loops.waiting import Waits
from schedulers import scheduler_named
from schedulers.exact import exact
from schedulers.parallel import parallel_plays
from tests.campaigns.mutations import places
from tests.campaigns.outcomes import Failure, Outcomes
from tests.chain_texts import CHAINS, sized
from tests.nest_texts import TEXTS
from tests.test_proofs.small_nests import small_nest_text

CLIMB = 250  # forgeries from one start
SECONDS = 1.0  # of a check
MOST, SEARCHED = 300, 36  # vertices of a game, and computed ones of what is searched
LENGTHS = (1, 2, 2, 2, 3, 3, 4, 6, 8)  # of loops
LONG = (4, 5, 6, 7, 8, 10)  # of loops whose values are used again
MORE = (0, 0, 0, 0, 1, 1, 2, 3, 5)  # memory than the least
ORDERS = ("natural+belady-cost", "depth-first+belady")
GAMES = ("one-shot", "one-shot", "one-shot", PARTIAL.name, *RULES)
ANY_ORDER = 0.15  # of the games
EXACT = {False: 10.0, True: 3.0}  # seconds of the search, by whether values are made again
TRIES = 12  # certificates of which one is begun with
TEMPORARIES = {  # updates in two vertices
    "product": (
        "void f(int I, int J, int K, double A[I][K], double B[K][J], double C[I][J]) {"
        " for (int i = 0; i < I; i++) for (int j = 0; j < J; j++) for (int k = 0; k < K; k++) {"
        " double p = A[i][k] * B[k][j]; C[i][j] += p; } }",
        "IJK",
    ),
    "matrix and vector": (
        "void f(int I, int J, double A[I][J], double x[J], double y[I]) {"
        " for (int i = 0; i < I; i++) for (int j = 0; j < J; j++) {"
        " double p = A[i][j] * x[j]; y[i] += p; } }",
        "IJ",
    ),
    "convolution": (
        "void f(int F, int P, int R, double x[P+R], double w[F][R], double y[F][P]) {"
        " for (int f = 0; f < F; f++) for (int p = 0; p < P; p++) for (int r = 0; r < R; r++) {"
        " double t = x[p+r] * w[f][r]; y[f][p] += t; } }",
        "FPR",
    ),
}
REUSED = {  # where windows prove something of partial computation
    "pairs": (
        "void f(int I, int J, double q[J], double y[I]) { for (int i = 0; i < I; i++) {"
        " y[i] = 0; for (int j = 0; j < J; j++) y[i] += q[j]; } }",
        "IJ",
    ),
    "outer product": (
        "void f(int I, int J, double p[I], double q[J], double y[I][J]) {"
        " for (int i = 0; i < I; i++) for (int j = 0; j < J; j++) y[i][j] = p[i] * q[j]; }",
        "IJ",
    ),
    "chains": (
        "void f(int I, int J, double q[J], double z[I][J]) { for (int i = 0; i < I; i++)"
        " for (int j = 1; j < J; j++) z[i][j] = z[i][j - 1] * q[j]; }",
        "IJ",
    ),
    "sum of pairs": (
        "void f(int I, int J, double p[I], double q[J], double s[1]) { s[0] = 0;"
        " for (int i = 0; i < I; i++) for (int j = 0; j < J; j++) s[0] += p[i] * q[j]; }",
        "IJ",
    ),
}
LIKELY = {  # where kinds of certificates prove something
    MESH: [
        ("texts", "sweeps"),
        *(("kernels", name) for name in ("jacobi-1d", "jacobi-2d", "heat-3d", "seidel-2d")),
    ],
    WAITS: [("texts", "softmax"), ("texts", "norm"), ("chains", "softmax of scores")],
    MERGED: [("temporaries", name) for name in TEMPORARIES],
    JOINT: [("chains", name) for name in ("two products", "three products", "block")],
}
FEW = 5  # arrays whose exponents are searched
MANY = 4  # processors that are played; more of them may stand idle
Data = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Game:
    """A nest and its DAG, a memory and rules."""

    name: str
    nest: BoxNest
    dag: CDAG
    memory: int
    rules: Rules

    @cached_property
    def truth(self) -> int:
        """The least words that are known to be enough."""
        rules = self.rules
        if self.nest.any_order:  # a value that slides takes the room of the one before
            rules = RULES["recompute-sliding" if rules.recompute else "one-shot-sliding"]
        results = []
        for name in ORDERS:
            with suppress(MemoryTooSmallError):
                schedule = scheduler_named(name)(self.dag, self.memory, rules=rules)
                results.append(judge(self.dag, schedule, self.memory, rules=rules).io)
        if is_searched(self.dag) and not (rules.partial and self.dag.m > BITS):
            limits = {"time_limit": EXACT[rules.recompute], "max_memory": 1 << 27}
            best = exact(self.dag, self.memory, rules=rules, **limits)
            results += [] if best.io is None else [best.io]
        return min(results)

    def by_several(self, processors: int) -> int:
        """The least words that are known to be enough for several processors."""
        machine = Machine.parallel(min(processors, MANY), self.memory)
        plays = parallel_plays(self.dag, machine)
        return min([self.truth, *(play.count.io for play in plays)])

    @cached_property
    def names(self) -> list[str]:
        """Assignments, and arrays that are read."""
        built = [assignment.name for assignment in self.nest.assignments]
        arrays = (read.array for assignment in self.nest.assignments for read in assignment.reads)
        return [*dict.fromkeys((*built, *arrays))]


def is_searched(dag: CDAG) -> bool:
    """Whether a DAG is small enough for the exhaustive search."""
    return dag.n <= BITS and dag.computed.size <= SEARCHED


def run(cases: int, seed: int, kind: str | None = None) -> Outcomes:
    """What `cases` forgeries of each kind, or of one, came to."""
    outcomes = Outcomes()
    for entry in NESTS if kind is None else [kind]:
        forged = climb = 0
        while forged < cases:
            rng = random.Random(f"{seed} {entry} {climb}")
            forged += climbed(rng, entry, min(CLIMB, cases - forged), outcomes, climb)
            climb += 1
    return outcomes


def climbed(rng: random.Random, kind: str, limit: int, outcomes: Outcomes, climb: int) -> int:
    """Climb from one certificate, and return how many were forged."""
    game, data = begun(rng, kind)
    best, highest = data, -(2**62)
    for _ in range(limit):
        outcome, worth, seconds = judged(game, kind, data)
        outcomes.slowest = max(outcomes.slowest, seconds)
        outcomes.counts[kind, outcome.partition(":")[0]] += 1
        if outcome.startswith("failed"):
            about = f"{outcome}; {game.name}, M = {game.memory}, {game.rules.name}: "
            outcomes.failures.append(Failure(climb, kind, about + json.dumps(data)))
            return limit
        if worth is not None and (worth >= highest or rng.random() < 0.02):
            best, highest = data, worth
        data = forged(rng, kind, best, game)
    return limit


def judged(game: Game, kind: str, data: Data) -> tuple[str, int | None, float]:
    """The outcome, what is proved without the compulsory words, and the seconds of it."""
    certificate = Certificate(kind, data)
    for _ in range(2):  # kernels may have been compiled
        began = time.process_time()
        words, error = None, ""
        try:
            words = proven(game.nest, game.memory, game.rules, certificate)
        except RedBlueError as refused:
            error = str(refused)
        except Exception as second:
            return f"failed: {type(second).__name__}: {second}", None, 0.0
        if (seconds := time.process_time() - began) < SECONDS:
            break
    else:
        return f"failed: {seconds:.1f} seconds", None, seconds
    if words is None:
        return ("refused" if len(error) < 500 else f"failed: {error}"), None, seconds
    if words > compulsory_of(game.nest):
        truth = game.truth
        if kind == OF_ALL and words > 0:
            truth = game.by_several(data["processors"])
        if words > truth:
            return f"failed: {words} are proved, {truth} played", None, seconds
        return "beyond compulsory", worth_of(game, kind, data), seconds
    return "compulsory", worth_of(game, kind, data), seconds


def worth_of(game: Game, kind: str, data: Data) -> int:
    """The words of all parts, be they less than inputs alone."""
    record = read(NESTS[kind].record, data)
    if kind == MERGED:
        return proven(game.nest, game.memory, game.rules, Certificate(kind, data))
    if isinstance(record, Mesh):
        return mesh_words(game.nest, held(game.nest, game.memory, game.rules), record)
    parts: list[Any] = [record]
    if isinstance(record, Parts):
        parts = [entry for field in FIELDS.values() for entry in getattr(record, field)]
    elif isinstance(record, Waits):
        parts = [*record.arrays]
    if isinstance(record, Nothing):
        return 0
    results = [part_of_sum(game.nest, game.memory, game.rules, part) for part in parts]
    return sum(entry.loads + entry.stores for entry in results)


def begun(rng: random.Random, kind: str) -> tuple[Game, Data]:
    """A game and a certificate of a kind: of some that are drawn what proves most."""
    results: list[tuple[Fraction, Game, Data]] = []
    for _ in range(1000):
        game = drawn(rng, kind)
        for data in starts(rng, kind, game)[:TRIES] if game is not None else ():
            assert game is not None
            results.append((closeness(game, kind, data), game, data))
        if len(results) >= TRIES:
            break
    _, game, data = max(results, key=lambda entry: entry[0])
    return game, data


def closeness(game: Game, kind: str, data: Data) -> Fraction:
    """What a certificate proves over the compulsory words, less than 0 if it is refused."""
    with suppress(RedBlueError):
        proven(game.nest, game.memory, game.rules, Certificate(kind, data))
        return Fraction(worth_of(game, kind, data), max(1, compulsory_of(game.nest)))
    return Fraction(-(2**62))


def drawn(rng: random.Random, kind: str) -> Game | None:
    """A small game, None if the text that was drawn is too large or not read."""
    any_order, rules = rng.random() < ANY_ORDER, rules_named(rng.choice(GAMES))
    source = rng.choice(["texts", "texts", "chains", "kernels", "random"])
    lengths: Sequence[int] = LENGTHS
    if rules.partial and rng.random() < 0.7:
        source, name, lengths = "temporaries", rng.choice([*REUSED]), LONG
    elif kind in LIKELY and rng.random() < 0.8:
        source, name = rng.choice(LIKELY[kind])
    elif source != "random":
        name = rng.choice([*{"texts": TEXTS, "chains": CHAINS, "kernels": KERNELS}[source]])
    if source == "temporaries":
        text, names = {**TEMPORARIES, **REUSED}[name]
    elif source == "texts":
        text, names = TEXTS[name]
    elif source == "chains":
        text, names = CHAINS[name][0], "".join(sized(CHAINS[name][1]))
    elif source == "kernels":
        text = name
        names = tuple(polybench(name).sizes)
    else:
        text, names = small_nest_text(rng), ""
        name = f"{text!r}"
    sizes = tuple((entry, rng.choice(lengths)) for entry in names)
    try:
        nest, dag = read_text(text, sizes, any_order)
    except RedBlueError:
        return None
    if not 0 < dag.n <= MOST:
        return None
    is_played = rules.partial or is_searched(dag)  # schedulers take more room than sliding does
    game_rules = rules if is_played else ONE_SHOT
    memory = min_memory(dag, rules=game_rules) + rng.choice(MORE)
    about = f"{name} {dict(sizes)}{', sums in any order' * any_order}"
    return Game(about, nest, dag, memory, rules)


@lru_cache(maxsize=512)
def read_text(text: str, sizes: tuple[tuple[str, int], ...], any_order: bool) -> Any:
    """A nest and its DAG."""
    program = polybench(text) if text in KERNELS else from_c(text)
    nest = box_nest(program, dict(sizes), any_order=any_order)
    compulsory_of(nest)
    return nest, instantiate(program, dict(sizes))


def starts(rng: random.Random, kind: str, game: Game) -> list[Data]:
    """Certificates of a kind to begin with."""
    if kind == MERGED:
        return [dict(entry.data) for entry in _merged(game.nest, game.memory, game.rules)]
    if kind == SUM:
        results: dict[str, list[Data]] = {}
        for entry in rng.sample([*FIELDS], rng.randint(1, 4)):
            for data in starts(rng, entry, game)[: rng.randint(1, 3)]:
                results.setdefault(FIELDS[entry], []).extend(
                    data["arrays"] if entry == WAITS else [data]
                )
        return [results] if results else []
    found_here = [fitted(rng, kind, entry, game) for entry in plain(rng, kind, game)]
    if kind in FIELDS and not game.rules.recompute:
        found_here += [
            gain.data if kind != WAITS else {"arrays": [gain.data]}
            for gain in gains(game.nest, game.memory, game.rules)
            if gain.kind == kind
        ]
    return found_here


def plain(rng: random.Random, kind: str, game: Game) -> list[Data]:
    """Certificates of a kind that are not fitted yet: windows and exponents lack."""
    nest = game.nest
    sums = [assignment.name for assignment in nest.assignments if assignment.sums]
    if kind == COMPULSORY:
        return [{}]
    if kind == CUT:
        return [{"assignment": name} for name in sums]
    if kind == MESH:
        return [dict(mesh.data) for mesh in meshes_in(nest)]
    if kind == LABELLED:
        return [described(labelled_choice) for labelled_choice in labelled_choices(nest)]
    if kind == JOINT:
        known = {assignment.name: assignment for assignment in nest.assignments}
        touched = {name: [name, *(read.array for read in known[name].reads)] for name in sums}
        pairs = [*combinations(sums, 2), *combinations(sums, 3)]
        return [
            {"assignments": [*pair], "private": [rng.choice(touched[name]) for name in pair]}
            for pair in pairs
            for _ in range(TRIES)
        ]
    if kind == WAITS:
        return [{"arrays": [sweep]} for sweep in sweeps(nest)]
    chosen = [
        {"assignment": name, "arrays": [*arrays], "order": [*order]}
        for name, arrays, order in choices(nest)
    ]
    extra = {"size": 2} if kind == EVERYWHERE else {"size": 2, "processors": rng.randint(1, 4)}
    return chosen if kind == WINDOWS else [{**entry, **extra} for entry in chosen]


def sweeps(nest: BoxNest) -> Iterator[Data]:
    """Yield arrays with two or three assignments that read them."""
    for array in {access.array for assignment in nest.assignments for access in assignment.reads}:
        readers = [e.name for e in nest.assignments if any(r.array == array for r in e.reads)]
        for number in (2, 3):
            for reader in permutations(readers[:4], number):
                yield {"array": array, "sweeps": [*reader]}


def fitted(rng: random.Random, kind: str, data: Data, game: Game) -> Data:
    """A certificate with windows of all its updates, and with exponents of its arrays."""
    changed = deepcopy(data)
    if kind == SUM:
        for entry, field in FIELDS.items():
            if isinstance(changed.get(field), list) and entry != WAITS:
                changed[field] = [
                    fitted(rng, entry, window, game) if isinstance(window, dict) else window
                    for window in changed[field]
                ]
        return changed
    with suppress(RedBlueError, KeyError, TypeError, ValueError, IndexError):
        shape, updates = updates_of(kind, changed, game.nest)
        if kind in (EVERYWHERE, OF_ALL):
            size = (
                changed["size"] if rng.random() < 0.5 else rng.randint(2, max(2, min(updates, 40)))
            )
            changed |= {"size": size, "exponents": exponents_for(rng, shape, updates, size)}
        elif kind in (WINDOWS, LABELLED, JOINT) and updates:
            size, extra = divmod(updates, rng.choice([updates, rng.randint(1, min(updates, 32))]))
            number = updates // size
            size, extra = divmod(updates, number)
            cut = [(size + 1, extra), (size, number - extra)]
            windows: list[Data] = [{"size": s, "count": n} for s, n in cut if s and n]
            if shape is not None:
                result = exponents_for(rng, shape, updates, size)
                windows = [{**window, "exponents": result} for window in windows]
            changed["windows"] = windows
    return changed


def updates_of(kind: str, data: Data, nest: BoxNest) -> tuple[Any, int]:
    """The arrays of updates, and how many these are; as far as the checker goes along."""
    if kind == JOINT:
        known = {assignment.name: assignment.size for assignment in nest.assignments}
        return None, sum(known[name] for name in data["assignments"])
    if kind == LABELLED:
        first = {"windows": [{"size": 1, "count": 1, "exponents": {}}]}
        counted = counts(nest, read(Labelled, {**data, **first}))
        return counted.shape, counted.updates
    if kind not in (WINDOWS, EVERYWHERE, OF_ALL):
        raise CertificateError("kind", "has no windows")
    box = tuple(tuple(entry) for entry in data.get("box", ()))
    order = tuple(data["order"])
    premised = premises(nest, data["assignment"], tuple(data["arrays"]), order, box)
    if data.get("ordered"):
        return in_order(premised, order, tuple(data["ordered"]))[0], premised.updates
    return premised.shape, premised.updates


def exponents_for(rng: random.Random, shape: Shape, updates: int, size: int) -> Data:
    """Exponents that say much of a size, or some by chance."""
    if rng.random() < 0.7 and 0 < len(shape.partial) <= FEW:
        ((_, result),) = tight_exponents(shape, updates, [max(1, size)])
        return {name: str(power) for name, power in result.items()}
    powers = [Fraction(rng.randint(0, 6), rng.choice([1, 2, 3, 4, 6])) for _ in shape.partial]
    if rng.random() < 0.4:
        powers = [rng.choice([Fraction(1), Fraction(1, 2), Fraction(0)])] * len(powers)
    return {
        measure.name: str(min(power, Fraction(4)))
        for measure, power in zip(shape.partial, powers, strict=True)
    }


def forged(rng: random.Random, kind: str, data: Data, game: Game) -> Data:
    """A certificate with one to three changes, most often fitted again."""
    changed = deepcopy(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        change(rng, kind, changed, game)
    return fitted(rng, kind, changed, game) if rng.random() < 0.75 else changed


def change(rng: random.Random, kind: str, data: Data, game: Game) -> None:
    """Change one place of a certificate."""
    places_found = places(data)
    if not places_found or rng.random() < 0.1:
        added(rng, kind, data, game)
        return
    container, key = rng.choice([place for place in places_found if place[0] is data])
    while isinstance(container[key], list | dict) and container[key] and rng.random() < 0.6:
        container = container[key]
        key = rng.choice([*(container if isinstance(container, dict) else range(len(container)))])
    value = container[key]
    if isinstance(value, list):
        container[key] = changed_list(rng, value)
    elif isinstance(value, dict):
        second = [
            first
            for first, position in places_found
            if isinstance(first, dict) and first is not value
        ]
        if second and isinstance(container, list):
            container[key] = deepcopy(rng.choice(second))
    elif isinstance(value, str) and key in ("assignment", "array", "family"):
        container[key] = rng.choice([*game.names, "star", "box", "grid"])
    elif isinstance(value, str):
        fraction = f"{rng.randint(0, 8)}/{rng.randint(1, 6)}"
        container[key] = rng.choice([*game.names, *game.names, fraction, fraction])
    else:
        near = [value + 1, value - 1, 2 * value, value // 2, 0, 1, 2, 3, rng.randint(-3, 40)]
        container[key] = rng.choice(near)


def changed_list(rng: random.Random, value: list[Any]) -> list[Any]:
    """A list with entries doubled, left out, or in another order."""
    way = rng.randrange(6)
    if not value:
        return [rng.randint(0, 2)]
    if way == 0:
        return value + deepcopy(value)
    if way == 1:
        return [*value, deepcopy(rng.choice(value))]
    if way == 2:
        removed = rng.randrange(len(value))
        return value[:removed] + value[removed + 1 :]
    if way == 3:
        return rng.sample(value, len(value))
    if way == 4:
        return [deepcopy(value[0])] * len(value)
    return value[::-1]


def added(rng: random.Random, kind: str, data: Data, game: Game) -> None:
    """Add an optional field, a part of a label, or parts of another certificate."""
    if kind == LABELLED and isinstance(data.get("slots"), list) and data["slots"]:
        part_of_label(rng, data)
    elif kind == SUM:
        extra = starts(rng, SUM, game)
        for field, parts in extra[0].items() if extra else ():
            data[field] = [*(data.get(field) or []), *parts]
    elif kind == WINDOWS:
        known = [e for e in game.nest.assignments if e.name == data.get("assignment")]
        if known and rng.random() < 0.6:
            ends = [sorted(rng.choices(range(low, high + 1), k=2)) for low, high in known[0].box]
            full = [[*entry] for entry in known[0].box]
            data["box"] = [rng.choice(pair) for pair in zip(ends, full, strict=True)]
        elif data.get("arrays"):
            data["ordered"] = rng.choices(data["arrays"], k=2)
    elif kind == COMPULSORY:
        data[rng.choice(["windows", "io", "assignment", "parts"])] = rng.choice(game.names)


def part_of_label(rng: random.Random, data: Data) -> None:
    """Have a slot once more, with a coordinate less, with other shifts, or with fewer values."""
    with suppress(IndexError, KeyError, TypeError, ValueError):
        slot = deepcopy(rng.choice(data["slots"]))
        position = rng.randrange(len(slot["roles"][0]))
        way = rng.randrange(3)
        if way == 0:
            for role in slot["roles"]:
                del role[position]
            for entry in slot["values"]:
                del entry["places"][position], entry["shifts"][position]
        elif way == 1:
            rng.choice(slot["values"])["shifts"][position] += rng.choice([-1, 1])
        else:
            slot["values"] = rng.sample(slot["values"], rng.randint(1, len(slot["values"])))
        data["slots"].append(slot)
