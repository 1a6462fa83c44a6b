"""Golden answers by subject: of the commands, of all registries, of checkers, of experiments."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from dags import load
from pebble import RULES, MemoryTooSmallError, min_memory, play, rules_named
from proofs import BOUNDS, NotApplicableError
from redblue import EXPERIMENTS
from redblue.papers.experiments.bench import Bench
from schedulers import scheduler_named
from tests.command_line import run_redblue
from tests.golden.certificates import certificates
from tests.golden.files import stripped
from tests.golden.inputs import BOUNDS as NAMES
from tests.golden.inputs import EVERYDAY, FEW, SCHEDULES, SMALL

Answers = Iterator[tuple[str, Any]]
AMPLE = 60.0  # seconds that no method takes: where each ends by itself, answers repeat
EDGES = 24  # of DAGs that are searched completely in a moment, in all games
EXPERIMENTS_AT_ONCE = ("many-core", "communication-density", "mesh", "qcd-chips")


def said(*arguments: Any) -> tuple[str, Any]:
    """A command, and its answer: JSON, or the exit code and the sentence of a refusal."""
    words = [str(word) for word in arguments]
    ending = run_redblue(*words, "--json")
    answer = stripped(json.loads(ending.out)) if ending.out else [ending.code, ending.err.strip()]
    return " ".join(words), answer


def memories(spec: str, rules: str = "one-shot") -> tuple[int, int]:
    """A memory that plays a DAG, barely, and one of twice the words."""
    minimum = min_memory(load(spec), rules=rules_named(rules)) + 1
    return minimum, 2 * minimum


def descriptions() -> Answers:
    """Yield what is told of DAGs, generators and programs."""
    yield said("dags")
    for spec in (*SMALL, *EVERYDAY, "nothing:n=2", "fft:n=3"):
        yield said("dag", spec)


def comparisons() -> Answers:
    """Yield bounds, comparisons and curves."""
    chosen = ("--bounds", ",".join(NAMES))
    plays = ("--schedulers", ",".join(FEW), "--bounds", "compulsory,wavefront")
    for spec in SMALL:
        sample, extra = memories(spec)
        applies = ",".join(bounds_that_apply(spec))
        yield said("bound", spec, "--memory", sample, "--bounds", applies)
        yield said("curve", spec, "--memory", f"{sample},{extra}", *plays)
    yield said("curve", "--compare", SMALL[10], SMALL[14], "--memory", 4, *plays)
    yield said("curve", "--compare", "fft:n=64", "--memory", 8, "--rules", "recompute", *plays)
    yield said("bound", "fft:n=4", "--memory", 4, *chosen)
    yield said("bound", "fft:n=4", "--memory", 2, "--bounds", "compulsory")


def bounds_that_apply(spec: str) -> Iterator[str]:
    """Yield the names of the methods that prove something of a DAG."""
    dag, memory = load(spec), memories(spec)[0]
    for name in NAMES:
        try:
            BOUNDS[name](dag, memory)
        except NotApplicableError:
            continue
        yield name


def optima() -> Answers:
    """Yield what complete search finds in four games, and in a hierarchy."""
    for spec in SMALL:
        dag = load(spec)
        if dag.computed.size > 12 or dag.m > EDGES:
            continue
        for rules in ("one-shot", "recompute", "one-shot-sliding", "partial"):
            minimum = memories(spec, rules)[0]
            game = (spec, "--memory", minimum, "--rules", rules)
            yield said("solve", *game, "--method", "exact")
        if dag.computed.size <= 6:
            sample, extra = memories(spec)
            yield said("levels", spec, "--memory", f"{sample},{extra}", "--effort", "exact")


def laws() -> Answers:
    """Yield curves, plans and laws of computations that no memory holds, and of all sizes."""
    for spec in ("matmul:n=100000", "lu:n=20000", "fft:n=2^40", "stencil:shape=9000x9000,steps=99"):
        yield said("curve", spec, "--memory", "1e3:1e6:4")
        yield said("bound", spec, "--memory", "10000")
        yield said("law", spec)
        yield said("plan", spec, "--memory", "10000")
    yield said("law", "ij,j->i")


def machines() -> Answers:
    """Yield what the models of machines say."""
    yield said("machine", "list")
    for name in ("many-core", "mesh", "density", "qcd", "split"):
        yield said("papers", name)
    yield said("machine", "balance", "--machine", "H100", "--law", "M^1/2")


def bounds() -> Answers:
    """Yield what methods prove of all examples under all rules, and the kind of certificate."""
    for spec in EVERYDAY:
        dag = load(spec)
        for rules in (*RULES, "partial"):
            for memory in memories(spec, rules):
                game = {}
                for name in NAMES:
                    try:
                        result = BOUNDS[name](
                            dag, memory, rules=rules_named(rules), time_limit=AMPLE
                        )
                    except NotApplicableError:
                        continue
                    game[name] = [result.io, result.certificate.kind]
                yield f"{spec} {rules} {memory}", game


def plays() -> Answers:
    """Yield what quick schedulers move of all examples under all rules."""
    for spec in EVERYDAY:
        dag = load(spec)
        for rules in (*RULES, "partial"):
            for memory in memories(spec, rules):
                game = {}
                for name in SCHEDULES:
                    try:
                        built = scheduler_named(name)(dag, memory, rules=rules_named(rules))
                    except MemoryTooSmallError:
                        continue
                    game[name] = play(dag, built, memory, rules=rules_named(rules)).io
                yield f"{spec} {rules} {memory}", game


def experiments() -> Answers:
    """Yield the experiments that need no search, field by field."""
    for name in EXPERIMENTS_AT_ONCE:
        result = EXPERIMENTS[name](Bench(quick=True))
        yield name, json.loads(json.dumps(vars(result), default=_fields))


def _fields(part: Any) -> dict[str, Any]:
    """The fields of a part of an experiment but those that a terminal or a file takes."""
    return {key: var for key, var in vars(part).items() if key not in ("keys", "bold", "floor")}


SUBJECTS: dict[str, Callable[[], Answers]] = {
    "bounds.json": bounds,
    "certificates.json.gz": certificates,
    "comparisons.json": comparisons,
    "descriptions.json": descriptions,
    "experiments.json.gz": experiments,
    "laws.json": laws,
    "machines.json": machines,
    "optima.json": optima,
    "plays.json": plays,
}
