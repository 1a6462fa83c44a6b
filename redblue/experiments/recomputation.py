"""I/O with and without recomputation of values."""

from functools import partial
from typing import Any

from dags import load
from pebble import ONE_SHOT, Rules, play
from redblue.experiments.bench import Bench
from redblue.experiments.series import played, proved
from redblue.results import IOCurve
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    PlayerScene,
    Series,
    Table,
    columns,
    first_shown,
    judged,
    rows_of,
)
from schedulers.exact import exact

RECOMPUTE = Rules(recompute=True)
GAME = "Hong and Kung, STOC 1981: the game lets values be computed again"
HELPED = {"grid:shape=4x4": (3, 4, 5), "hypercube:d=4": (6, 7, 8)}
NOT_HELPED = {"pyramid:height=4": (3, 4, 5, 6), "matmul:n=2": (4, 5, 6, 7)}
SHOWN = (("grid:shape=4x4", 3), ("fft:n=8", 9))
LINE, BOX = "stencil:shape=64,steps=32", "stencil:shape=32x32,steps=8,neighbourhood=box"
MEMORIES = {LINE: (6, 8, 12, 16, 24, 32, 48), BOX: (15, 20, 30, 40, 60, 80, 120, 160)}

Solved = dict[str, Any]


def experiment(bench: Bench) -> Experiment:
    """Experiment: optima of small DAGs and plays of stencils, with and without recomputation.

    The optima are found, and proved, by complete search under either set of rules.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981.
    """
    fft = {"fft:n=8": bench.pick((9, 10), tuple(range(3, 11)))}
    helped = [_pair(bench, spec, m) for spec, sizes in (HELPED | fft).items() for m in sizes]
    others = [_pair(bench, spec, m) for spec, sizes in NOT_HELPED.items() for m in sizes]
    curves = {spec: _curves(bench, spec) for spec in MEMORIES}
    return Experiment(
        name="recomputation",
        title="Recomputation: when is it better to compute a value again than to move it?",
        summary=(
            "Hong and Kung's game lets a value be computed any number of times; most schedules "
            "and many lower bounds take it that each is computed once. Complete search under both "
            "rules shows small DAGs in which that costs I/O, grids, hypercubes and Fourier "
            "transforms among them, and others in which it does not. On stencils in the plane "
            "overlapping tiles compute the values at their borders twice, and so move fewer words "
            "than any play found that computes each value once; on a line they do not."
        ),
        claims=(*_win_claims(helped), _even_claim(others), *_stencil_claims(curves)),
        tables=first_shown((_exact_table([*helped, *others]), _stencil_table(curves))),
        figures=first_shown(
            (_exact_figure(helped), *(_figure(spec, *pair) for spec, pair in curves.items()))
        ),
        references=("hong1981", "krishnamoorthy2007"),
        players=tuple(_scene(one) for one in _shown(helped)),
    )


def _pair(bench: Bench, spec: str, memory: int) -> tuple[Solved, Solved]:
    """Return the optimum computing each value once, and that with recomputation."""
    once, again = (
        bench.remembered(
            {"exact": spec, "memory": memory, "rules": rules.name},
            partial(_solve, spec, memory, rules),
        )
        for rules in (ONE_SHOT, RECOMPUTE)
    )
    return once, again


def _solve(spec: str, memory: int, rules: Rules) -> Solved:
    """Return the optimum, its proof's bound and its play, which the engine replays."""
    dag = load(spec)
    found = exact(dag, memory, rules=rules)
    assert found.schedule is not None  # nothing ends the search before there is one
    count = play(dag, found.schedule, memory, rules=rules)
    return {
        "spec": spec,
        "memory": memory,
        "rules": rules.name,
        "io": count.io,
        "bound": found.lower_bound,
        "recomputes": count.recomputes,
        "states": found.states,
        "op": found.schedule.op.tolist(),
        "vertex": found.schedule.vertex.tolist(),
    }


def _proved(solved: Solved) -> bool:
    return bool(solved["io"] == solved["bound"])


def _win_claims(pairs: list[tuple[Solved, Solved]]) -> list[Claim]:
    """Return the claim of each DAG that recomputation lowers its optimum."""
    claims = []
    for spec in dict.fromkeys(once["spec"] for once, _ in pairs):
        here = [pair for pair in pairs if pair[0]["spec"] == spec]
        wins = [(once, again) for once, again in here if again["io"] < once["io"]]
        said = "; ".join(f"{a['io']} for {o['io']} with M = {o['memory']}" for o, a in wins)
        claims.append(
            Claim(
                f"Recomputation lowers the least I/O of {spec}",
                GAME,
                "fewer words for some M",
                said or "the same for all M",
                judged(bool(wins) and all(_proved(one) for pair in wins for one in pair), "proved"),
                f"optimal by complete search under both rules, {len(here)} sizes of memory; a "
                "bound for one-shot plays is no bound there",
                kind="proof",
            )
        )
    return claims


def _even_claim(pairs: list[tuple[Solved, Solved]]) -> Claim:
    """Return the claim that the other DAGs gain nothing."""
    same = [once["io"] == again["io"] for once, again in pairs]
    names = ", ".join(dict.fromkeys(once["spec"] for once, _ in pairs))
    return Claim(
        "Small pyramids and products gain nothing",
        "this project",
        "the same optimum under both rules",
        f"{sum(same)} of {len(same)} optima the same",
        judged(all(same) and all(_proved(one) for pair in pairs for one in pair), "proved"),
        f"{names}, from the smallest memory to where only the compulsory words move",
        kind="proof",
    )


def _curves(bench: Bench, spec: str) -> tuple[IOCurve, IOCurve]:
    """Return curves without and with recomputation."""
    once, again = (
        bench.curve(spec, MEMORIES[spec], schedulers=("structured",), rules=rules)
        for rules in (ONE_SHOT, RECOMPUTE)
    )
    return once, again


def _stencil_claims(curves: dict[str, tuple[IOCurve, IOCurve]]) -> list[Claim]:
    """Return the claims on overlapping tiles, one a stencil."""
    return [
        _line_claim(spec, pair) if spec == LINE else _plane_claim(spec, pair)
        for spec, pair in curves.items()
    ]


def _gains(pair: tuple[IOCurve, IOCurve]) -> dict[int, tuple[int, int]]:
    """Return the words without and with recomputation at each size of memory."""
    once, again = (dict(curve.envelope("upper")) for curve in pair)
    return {memory: (once[memory], again[memory]) for memory in once}


def _line_claim(spec: str, pair: tuple[IOCurve, IOCurve]) -> Claim:
    """Return the claim that tiles that overlap gain nothing where each value has few readers."""
    words = _gains(pair)
    same = sum(once == again for once, again in words.values())
    return Claim(
        f"Overlapping tiles gain nothing on a line: {spec}",
        "this project",
        "the same words",
        f"{same} of {len(words)} sizes of memory the same",
        judged(same == len(words)),
        "the best plays found, not optima: periodic patterns, in which nothing is computed twice, "
        "move as little as tiles that overlap",
    )


def _plane_claim(spec: str, pair: tuple[IOCurve, IOCurve]) -> Claim:
    """Return the claim that tiles that overlap move less at some size of memory."""
    words = _gains(pair)
    best = min(words, key=lambda memory: words[memory][1] / words[memory][0])
    once, again = words[best]
    return Claim(
        f"Overlapping tiles move less than one-shot plays: {spec}",
        "S. Krishnamoorthy et al., Effective automatic parallelization of stencil "
        "computations, PLDI 2007: overlapped tiling",
        "less at some M",
        f"{again:,} for {once:,} words with M = {best}, "
        f"{sum(again < once for once, again in words.values())} of {len(words)} sizes less",
        judged(again < once),
        "the best plays found, not optima: each was replayed by the engine",
    )


def _shown(pairs: list[tuple[Solved, Solved]]) -> list[Solved]:
    """Return the plays that the page shows."""
    return [one for pair in pairs for one in pair if (one["spec"], one["memory"]) in SHOWN]


def _scene(solved: Solved) -> PlayerScene:
    again = solved["recomputes"]
    how = f"{again} values computed again" if again else "each value computed once"
    return PlayerScene(
        title=f"{solved['spec']}, M = {solved['memory']}: {solved['io']} words, {how}",
        spec=solved["spec"],
        memory=solved["memory"],
        rules=solved["rules"],
        op=tuple(solved["op"]),
        vertex=tuple(solved["vertex"]),
        lower_bound=solved["bound"],
    )


def _exact_table(pairs: list[tuple[Solved, Solved]]) -> Table:
    names = ("DAG", "M [words]", "one-shot [words]", "recompute [words]", "values computed again",
             "states one-shot", "states recompute")  # fmt: skip
    rows = (
        (once["spec"], once["memory"], once["io"], again["io"], again["recomputes"],
         once["states"], again["states"])
        for once, again in pairs
    )  # fmt: skip
    caption = "Least I/O under either rules, proved by complete search, and the states it took."
    return Table("recomputation-exact", caption, columns(*names), rows_of(*rows))


def _stencil_table(curves: dict[str, tuple[IOCurve, IOCurve]]) -> Table:
    names = ("DAG", "M [words]", "one-shot [words]", "bound [words]", "recompute [words]",
             "bound with recomputation [words]")  # fmt: skip
    rows = []
    for spec, pair in curves.items():
        cells = [dict(curve.envelope(kind)) for curve in pair for kind in ("upper", "lower")]
        rows += [(spec, memory, *(cell[memory] for cell in cells)) for memory in cells[0]]
    caption = "The best plays found and the best bounds, without and with recomputation."
    return Table("recomputation-stencils", caption, columns(*names), rows_of(*rows))


def _exact_figure(pairs: list[tuple[Solved, Solved]]) -> Figure:
    """Return the figure of optima against memory."""
    series = []
    for spec in dict.fromkeys(once["spec"] for once, _ in pairs):
        for place, rules in enumerate((ONE_SHOT, RECOMPUTE)):
            ones = [pair[place] for pair in pairs if pair[0]["spec"] == spec]
            notes = tuple(f"{one['io']} words, optimal; {one['states']:,} states" for one in ones)
            x, y = ([float(one[key]) for one in ones] for key in ("memory", "io"))
            series.append(Series(f"{spec}, {rules.name}", tuple(x), tuple(y), "upper", notes))
    return Figure(
        "recomputation-exact",
        "The least I/O of small DAGs, each value computed once and with recomputation; every point "
        "is optimal.",
        Axis("fast memory M [words]"),
        Axis("least I/O [words]"),
        tuple(series),
    )


def _figure(spec: str, once: IOCurve, again: IOCurve) -> Figure:
    """Return the figure of a stencil's plays and bounds without and with recomputation."""
    return Figure(
        f"recomputation-{'line' if spec == LINE else 'box'}",
        f"{spec}: the best plays found and the best bounds. The gap is that with recomputation.",
        Axis("fast memory M [words]", 2),
        Axis("I/O [words]", 10),
        (
            played(once, label="best schedule, one-shot"),
            proved(once, label="best bound, one-shot"),
            played(again, label="best schedule, recompute"),
            proved(again, label="best bound, recompute"),
        ),
        gap=("best schedule, recompute", "best bound, recompute"),
    )
