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
from collections.abc import Iterator
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
from pebble import ONE_SHOT, RULES, Machine, MemoryTooSmallError, Rules, judge, min_memory
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
MORE = (0, 0, 0, 0, 1, 1, 2, 3, 5)  # memory than the least
ORDERS = ("natural+belady-cost", "depth-first+belady")
GAMES = ("one-shot", "one-shot", "one-shot", *RULES)
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
        found = []
        for name in ORDERS:
            with suppress(MemoryTooSmallError):
                schedule = scheduler_named(name)(self.dag, self.memory, rules=rules)
                found.append(judge(self.dag, schedule, self.memory, rules=rules).io)
        if is_searched(self.dag):
            limits = {"time_limit": EXACT[rules.recompute], "max_memory": 1 << 27}
            best = exact(self.dag, self.memory, rules=rules, **limits)
            found += [] if best.io is None else [best.io]
        return min(found)

    def by_several(self, processors: int) -> int:
        """The least words that are known to be enough for several processors."""
        machine = Machine.parallel(min(processors, MANY), self.memory)
        plays = parallel_plays(self.dag, machine)
        return min([self.truth, *(each.count.io for each in plays)])

    @cached_property
    def names(self) -> list[str]:
        """Assignments, and arrays that are read."""
        made = [each.name for each in self.nest.assignments]
        arrays = (one.array for each in self.nest.assignments for one in each.reads)
        return [*dict.fromkeys((*made, *arrays))]


def is_searched(dag: CDAG) -> bool:
    """Return whether a DAG is small enough for the exhaustive search."""
    return dag.n <= BITS and dag.computed.size <= SEARCHED


def run(cases: int, seed: int, kind: str | None = None) -> Outcomes:
    """Return what `cases` forgeries of each kind, or of one, came to."""
    outcomes = Outcomes()
    for each in NESTS if kind is None else [kind]:
        forged = climb = 0
        while forged < cases:
            rng = random.Random(f"{seed} {each} {climb}")
            forged += climbed(rng, each, min(CLIMB, cases - forged), outcomes, climb)
            climb += 1
    return outcomes


def climbed(rng: random.Random, kind: str, most: int, outcomes: Outcomes, climb: int) -> int:
    """Climb from one certificate, and return how many were forged."""
    game, data = begun(rng, kind)
    best, highest = data, -(2**62)
    for _ in range(most):
        outcome, worth, seconds = judged(game, kind, data)
        outcomes.slowest = max(outcomes.slowest, seconds)
        outcomes.counts[kind, outcome.partition(":")[0]] += 1
        if outcome.startswith("failed"):
            about = f"{outcome}; {game.name}, M = {game.memory}, {game.rules.name}: "
            outcomes.failures.append(Failure(climb, kind, about + json.dumps(data)))
            return most
        if worth is not None and (worth >= highest or rng.random() < 0.02):
            best, highest = data, worth
        data = forged(rng, kind, best, game)
    return most


def judged(game: Game, kind: str, data: Data) -> tuple[str, int | None, float]:
    """Return the outcome, what is proved without the compulsory words, and the seconds of it."""
    certificate = Certificate(kind, data)
    for _ in range(2):  # kernels may have been compiled
        began = time.process_time()
        words, error = None, ""
        try:
            words = proven(game.nest, game.memory, game.rules, certificate)
        except RedBlueError as refused:
            error = str(refused)
        except Exception as other:
            return f"failed: {type(other).__name__}: {other}", None, 0.0
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
    """Return the words of all parts, be they less than inputs alone."""
    record = read(NESTS[kind].record, data)
    if kind == MERGED:
        return proven(game.nest, game.memory, game.rules, Certificate(kind, data))
    if isinstance(record, Mesh):
        return mesh_words(game.nest, held(game.nest, game.memory, game.rules), record)
    parts: list[Any] = [record]
    if isinstance(record, Parts):
        parts = [each for field in FIELDS.values() for each in getattr(record, field)]
    elif isinstance(record, Waits):
        parts = [*record.arrays]
    if isinstance(record, Nothing):
        return 0
    found = [part_of_sum(game.nest, game.memory, game.rules, each) for each in parts]
    return sum(each.loads + each.stores for each in found)


def begun(rng: random.Random, kind: str) -> tuple[Game, Data]:
    """Return a game and a certificate of a kind: of some that are drawn what proves most."""
    found: list[tuple[Fraction, Game, Data]] = []
    for _ in range(1000):
        game = drawn(rng, kind)
        for data in starts(rng, kind, game)[:TRIES] if game is not None else ():
            assert game is not None
            found.append((closeness(game, kind, data), game, data))
        if len(found) >= TRIES:
            break
    _, game, data = max(found, key=lambda each: each[0])
    return game, data


def closeness(game: Game, kind: str, data: Data) -> Fraction:
    """Return what a certificate proves over the compulsory words, less than 0 if it is refused."""
    with suppress(RedBlueError):
        proven(game.nest, game.memory, game.rules, Certificate(kind, data))
        return Fraction(worth_of(game, kind, data), max(1, compulsory_of(game.nest)))
    return Fraction(-(2**62))


def drawn(rng: random.Random, kind: str) -> Game | None:
    """Return a small game, None if the text that was drawn is too large or not read."""
    any_order, rules = rng.random() < ANY_ORDER, RULES[rng.choice(GAMES)]
    source = rng.choice(["texts", "texts", "chains", "kernels", "random"])
    if kind in LIKELY and rng.random() < 0.8:
        source, name = rng.choice(LIKELY[kind])
    elif source != "random":
        name = rng.choice([*{"texts": TEXTS, "chains": CHAINS, "kernels": KERNELS}[source]])
    if source == "temporaries":
        text, names = TEMPORARIES[name]
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
    sizes = tuple((each, rng.choice(LENGTHS)) for each in names)
    try:
        nest, dag = read_text(text, sizes, any_order)
    except RedBlueError:
        return None
    if not 0 < dag.n <= MOST:
        return None
    asked = rules if is_searched(dag) else ONE_SHOT  # schedulers take more room than sliding does
    memory = min_memory(dag, rules=asked) + rng.choice(MORE)
    about = f"{name} {dict(sizes)}{', sums in any order' * any_order}"
    return Game(about, nest, dag, memory, rules)


@lru_cache(maxsize=512)
def read_text(text: str, sizes: tuple[tuple[str, int], ...], any_order: bool) -> Any:
    """Return a nest and its DAG."""
    program = polybench(text) if text in KERNELS else from_c(text)
    nest = box_nest(program, dict(sizes), any_order=any_order)
    compulsory_of(nest)
    return nest, instantiate(program, dict(sizes))


def starts(rng: random.Random, kind: str, game: Game) -> list[Data]:
    """Return certificates of a kind to begin with."""
    if kind == MERGED:
        return [dict(each.data) for each in _merged(game.nest, game.memory, game.rules)]
    if kind == SUM:
        found: dict[str, list[Data]] = {}
        for each in rng.sample([*FIELDS], rng.randint(1, 4)):
            for data in starts(rng, each, game)[: rng.randint(1, 3)]:
                found.setdefault(FIELDS[each], []).extend(
                    data["arrays"] if each == WAITS else [data]
                )
        return [found] if found else []
    found_here = [fitted(rng, kind, each, game) for each in plain(rng, kind, game)]
    if kind in FIELDS and not game.rules.recompute:
        found_here += [
            each.data if kind != WAITS else {"arrays": [each.data]}
            for each in gains(game.nest, game.memory, game.rules)
            if each.kind == kind
        ]
    return found_here


def plain(rng: random.Random, kind: str, game: Game) -> list[Data]:
    """Return certificates of a kind that are not fitted yet: windows and exponents lack."""
    nest = game.nest
    sums = [each.name for each in nest.assignments if each.sums]
    if kind == COMPULSORY:
        return [{}]
    if kind == CUT:
        return [{"assignment": name} for name in sums]
    if kind == MESH:
        return [dict(each.data) for each in meshes_in(nest)]
    if kind == LABELLED:
        return [described(each) for each in labelled_choices(nest)]
    if kind == JOINT:
        known = {each.name: each for each in nest.assignments}
        touched = {name: [name, *(one.array for one in known[name].reads)] for name in sums}
        pairs = [*combinations(sums, 2), *combinations(sums, 3)]
        return [
            {"assignments": [*some], "private": [rng.choice(touched[name]) for name in some]}
            for some in pairs
            for _ in range(TRIES)
        ]
    if kind == WAITS:
        return [{"arrays": [each]} for each in sweeps(nest)]
    chosen = [
        {"assignment": name, "arrays": [*arrays], "order": [*order]}
        for name, arrays, order in choices(nest)
    ]
    more = {"size": 2} if kind == EVERYWHERE else {"size": 2, "processors": rng.randint(1, 4)}
    return chosen if kind == WINDOWS else [{**each, **more} for each in chosen]


def sweeps(nest: BoxNest) -> Iterator[Data]:
    """Yield arrays with two or three assignments that read them."""
    for array in {one.array for each in nest.assignments for one in each.reads}:
        readers = [e.name for e in nest.assignments if any(r.array == array for r in e.reads)]
        for number in (2, 3):
            for some in permutations(readers[:4], number):
                yield {"array": array, "sweeps": [*some]}


def fitted(rng: random.Random, kind: str, data: Data, game: Game) -> Data:
    """Return a certificate with windows of all its updates, and with exponents of its arrays."""
    made = deepcopy(data)
    if kind == SUM:
        for each, field in FIELDS.items():
            if isinstance(made.get(field), list) and each != WAITS:
                made[field] = [
                    fitted(rng, each, one, game) if isinstance(one, dict) else one
                    for one in made[field]
                ]
        return made
    with suppress(RedBlueError, KeyError, TypeError, ValueError, IndexError):
        shape, updates = updates_of(kind, made, game.nest)
        if kind in (EVERYWHERE, OF_ALL):
            size = made["size"] if rng.random() < 0.5 else rng.randint(2, max(2, min(updates, 40)))
            made |= {"size": size, "exponents": exponents_for(rng, shape, updates, size)}
        elif kind in (WINDOWS, LABELLED, JOINT) and updates:
            size, more = divmod(updates, rng.choice([updates, rng.randint(1, min(updates, 32))]))
            number = updates // size
            size, more = divmod(updates, number)
            cut = [(size + 1, more), (size, number - more)]
            windows: list[Data] = [{"size": s, "count": n} for s, n in cut if s and n]
            if shape is not None:
                found = exponents_for(rng, shape, updates, size)
                windows = [{**each, "exponents": found} for each in windows]
            made["windows"] = windows
    return made


def updates_of(kind: str, data: Data, nest: BoxNest) -> tuple[Any, int]:
    """Return the arrays of updates, and how many these are; as far as the checker goes along."""
    if kind == JOINT:
        known = {each.name: each.size for each in nest.assignments}
        return None, sum(known[name] for name in data["assignments"])
    if kind == LABELLED:
        one = {"windows": [{"size": 1, "count": 1, "exponents": {}}]}
        counted = counts(nest, read(Labelled, {**data, **one}))
        return counted.shape, counted.updates
    if kind not in (WINDOWS, EVERYWHERE, OF_ALL):
        raise CertificateError("kind", "has no windows")
    box = tuple(tuple(each) for each in data.get("box", ()))
    order = tuple(data["order"])
    found = premises(nest, data["assignment"], tuple(data["arrays"]), order, box)
    if data.get("ordered"):
        return in_order(found, order, tuple(data["ordered"]))[0], found.updates
    return found.shape, found.updates


def exponents_for(rng: random.Random, shape: Shape, updates: int, size: int) -> Data:
    """Return exponents that say much of a size, or some by chance."""
    if rng.random() < 0.7 and 0 < len(shape.partial) <= FEW:
        ((_, found),) = tight_exponents(shape, updates, [max(1, size)])
        return {name: str(power) for name, power in found.items()}
    powers = [Fraction(rng.randint(0, 6), rng.choice([1, 2, 3, 4, 6])) for _ in shape.partial]
    if rng.random() < 0.4:
        powers = [rng.choice([Fraction(1), Fraction(1, 2), Fraction(0)])] * len(powers)
    return {
        measure.name: str(min(power, Fraction(4)))
        for measure, power in zip(shape.partial, powers, strict=True)
    }


def forged(rng: random.Random, kind: str, data: Data, game: Game) -> Data:
    """Return a certificate with one to three changes, most often fitted again."""
    made = deepcopy(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        change(rng, kind, made, game)
    return fitted(rng, kind, made, game) if rng.random() < 0.75 else made


def change(rng: random.Random, kind: str, data: Data, game: Game) -> None:
    """Change one place of a certificate."""
    found = places(data)
    if not found or rng.random() < 0.1:
        added(rng, kind, data, game)
        return
    container, key = rng.choice([place for place in found if place[0] is data])
    while isinstance(container[key], list | dict) and container[key] and rng.random() < 0.6:
        container = container[key]
        key = rng.choice([*(container if isinstance(container, dict) else range(len(container)))])
    value = container[key]
    if isinstance(value, list):
        container[key] = changed_list(rng, value)
    elif isinstance(value, dict):
        other = [one for one, at in found if isinstance(one, dict) and one is not value]
        if other and isinstance(container, list):
            container[key] = deepcopy(rng.choice(other))
    elif isinstance(value, str) and key in ("assignment", "array", "family"):
        container[key] = rng.choice([*game.names, "star", "box", "grid"])
    elif isinstance(value, str):
        fraction = f"{rng.randint(0, 8)}/{rng.randint(1, 6)}"
        container[key] = rng.choice([*game.names, *game.names, fraction, fraction])
    else:
        near = [value + 1, value - 1, 2 * value, value // 2, 0, 1, 2, 3, rng.randint(-3, 40)]
        container[key] = rng.choice(near)


def changed_list(rng: random.Random, value: list[Any]) -> list[Any]:
    """Return a list with entries doubled, left out, or in another order."""
    way = rng.randrange(6)
    if not value:
        return [rng.randint(0, 2)]
    if way == 0:
        return value + deepcopy(value)
    if way == 1:
        return [*value, deepcopy(rng.choice(value))]
    if way == 2:
        gone = rng.randrange(len(value))
        return value[:gone] + value[gone + 1 :]
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
        more = starts(rng, SUM, game)
        for field, parts in more[0].items() if more else ():
            data[field] = [*(data.get(field) or []), *parts]
    elif kind == WINDOWS:
        known = [e for e in game.nest.assignments if e.name == data.get("assignment")]
        if known and rng.random() < 0.6:
            ends = [sorted(rng.choices(range(low, high + 1), k=2)) for low, high in known[0].box]
            whole = [[*each] for each in known[0].box]
            data["box"] = [rng.choice(pair) for pair in zip(ends, whole, strict=True)]
        elif data.get("arrays"):
            data["ordered"] = rng.choices(data["arrays"], k=2)
    elif kind == COMPULSORY:
        data[rng.choice(["windows", "io", "assignment", "parts"])] = rng.choice(game.names)


def part_of_label(rng: random.Random, data: Data) -> None:
    """Have a slot once more, with a coordinate less, with other shifts, or with fewer values."""
    with suppress(IndexError, KeyError, TypeError, ValueError):
        slot = deepcopy(rng.choice(data["slots"]))
        at = rng.randrange(len(slot["roles"][0]))
        way = rng.randrange(3)
        if way == 0:
            for role in slot["roles"]:
                del role[at]
            for each in slot["values"]:
                del each["places"][at], each["shifts"][at]
        elif way == 1:
            rng.choice(slot["values"])["shifts"][at] += rng.choice([-1, 1])
        else:
            slot["values"] = rng.sample(slot["values"], rng.randint(1, len(slot["values"])))
        data["slots"].append(slot)
