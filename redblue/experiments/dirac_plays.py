"""Plays of the Dirac operator, counted by the engine, and theorem 1 for each."""

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import Any

from dags import dirac
from pebble import play
from redblue.experiments.bench import Bench
from redblue.experiments.dirac_curve import SLIDING, dirac_curve, resident_point
from schedulers import DiracPlan, dirac_plan, dirac_schedule
from schedulers.families.dirac_plans import Regime, theorem_memories

REGIMES: tuple[Regime, ...] = ("A-lockstep", "A-reflected", "B-reflected")
COMPULSORY = 120

Played = dict[str, Any]


def all_plays(bench: Bench, k: int, n4: int) -> list[Played]:
    """Return the plays of every regime and thickness, counted by the engine."""
    asked = [("medium", k), *((regime, s) for regime in REGIMES for s in _widths(regime, k, n4))]
    return [
        bench.remembered(
            {"dirac": regime, "k": k, "n4": n4, "s": s},
            partial(count_play, dirac_plan(k, n4, regime=regime, s=s), regime, s),
        )
        for regime, s in asked
    ]


def _widths(regime: Regime, k: int, n4: int) -> range:
    """Return the thicknesses that leave more than one slab or strip."""
    return range(1, n4 if regime == "B-reflected" else k)


def count_play(plan: DiracPlan, regime: str, s: int) -> Played:
    """Return the engine's count of a plan, with as much memory as its closed form needs."""
    dag = dirac(**plan.params)
    count = play(dag, dirac_schedule(dag, lockstep=plan.lockstep), plan.peak, rules=SLIDING)
    fields = dag.words_of(dag.inputs[dag.channel[dag.inputs] == 0])  # type: ignore[index]
    results = dag.outputs[dag.channel[dag.outputs] == 0]  # type: ignore[index]
    return {
        "regime": regime,
        "k": plan.k,
        "n4": plan.n4,
        "s": s,
        "sites": plan.sites,
        "local": count.channels[0].io,
        "neighbour": count.channels[1].io,
        "peak": count.peak,
        "work": count.work,
        "held": fields + dag.words_of(results),
    }


def excess(each: Played) -> Fraction:
    """Return I_lc / n - 120."""
    return Fraction(int(each["local"]), int(each["sites"])) - COMPULSORY


def dividing(plays: Iterable[Played], regime: str, k: int, n4: int) -> list[Played]:
    """Return the plays of a regime in which s divides what is cut."""
    length = n4 if regime == "B-reflected" else k
    return [
        each
        for each in plays
        if (each["regime"], each["k"], each["n4"]) == (regime, k, n4) and length % each["s"] == 0
    ]


def promise(each: Played) -> Fraction:
    """Return case 3's right-hand side."""
    k, sites = int(each["k"]), int(each["sites"])
    return (COMPULSORY + Fraction(66, int(each["s"]))) * sites + 132 * k**2


def room(each: Played) -> int:
    """Return case 3's memory without its O(1)."""
    return int((96 * each["k"] ** 2 + 288 * each["k"]) * each["s"])


def closed_peak(each: Played) -> int:
    """Return the closed form of a regime's peak."""
    slice_ = each["k"] ** 2 * each["s"]
    forms = {"A-lockstep": (96, 114), "A-reflected": (96, 90), "B-reflected": (48, 90)}
    site, visit = forms[each["regime"]]
    return int(site * slice_ + visit)


def best_plays(bench: Bench, k: int, n4: int) -> list[Played]:
    """Return the best plays by rising memory, all fields resident last."""
    small = [66, 90, 128, 192, 256, 384]
    memories = sorted(
        {*small, *(48 * k * w + 90 for w in _powers(k * k)), *theorem_memories(k, n4)}
    )

    def points() -> list[Played]:
        best = (*dirac_curve(k, n4, memories[:-1]), resident_point(k, n4))
        return [
            {"memory": p.memory, "local": p.local_io, "peak": p.peak, "tile": p.tile} for p in best
        ]

    found: list[Played] = bench.remembered({"dirac curve": memories, "k": k, "n4": n4}, points)
    return found


def _powers(most: int) -> list[int]:
    """Return the powers of two up to `most`."""
    return [1 << bit for bit in range(most.bit_length())]
