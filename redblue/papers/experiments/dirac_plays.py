"""Plays of the Dirac operator, counted by the engine, and theorem 1 of Bilardi et al. for each."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dags import dirac
from pebble import Rules, play
from proofs import dirac as dirac_bound
from redblue.papers.experiments.bench import Bench
from schedulers import DiracPlan, dirac_plan, dirac_schedule
from schedulers.families.dirac_choice import best_dirac_play, resident_dirac_schedule, resident_peak
from schedulers.families.dirac_plans import Regime, theorem_memories

SLIDING = Rules(sliding=True)
REGIMES: tuple[Regime, ...] = ("A-lockstep", "A-reflected", "B-reflected")
COMPULSORY = 120

Played = dict[str, Any]


def all_plays(bench: Bench, k: int, n4: int) -> list[Played]:
    """The plays of every regime and thickness, counted by the engine."""
    asked = [("medium", k), *((regime, s) for regime in REGIMES for s in _widths(regime, k, n4))]
    return [
        bench.remembered(
            {"dirac": regime, "k": k, "n4": n4, "s": s},
            partial(count_play, dirac_plan(k, n4, regime=regime, s=s), regime, s),
        )
        for regime, s in asked
    ]


def _widths(regime: Regime, k: int, n4: int) -> range:
    """The thicknesses that leave more than one slab or strip."""
    return range(1, n4 if regime == "B-reflected" else k)


def count_play(plan: DiracPlan, regime: str, s: int) -> Played:
    """The engine's count of a plan, with as much memory as its closed form needs."""
    dag = dirac(**plan.params)
    count = play(dag, dirac_schedule(dag, lockstep=plan.lockstep), plan.peak, rules=SLIDING)
    fields = dag.words_of(dag.inputs[dag.channel[dag.inputs] == 0])  # type: ignore[index]
    results = dag.outputs[dag.channel[dag.outputs] == 0]  # type: ignore[index]
    return {"regime": regime, "k": plan.k, "n4": plan.n4, "s": s, "sites": plan.sites,
            "local": count.channels[0].io, "neighbour": count.channels[1].io, "peak": count.peak,
            "work": count.work, "held": fields + dag.words_of(results)}  # fmt: skip


def excess(play: Played) -> Fraction:
    """I_lc / n - 120."""
    return Fraction(int(play["local"]), int(play["sites"])) - COMPULSORY


def dividing(plays: Iterable[Played], regime: str, k: int, n4: int) -> list[Played]:
    """The plays of a regime in which s divides the axes that are cut."""
    length = n4 if regime == "B-reflected" else k
    return [
        play
        for play in plays
        if (play["regime"], play["k"], play["n4"]) == (regime, k, n4) and length % play["s"] == 0
    ]


def promise(play: Played) -> Fraction:
    """Case 3's right-hand side."""
    k, sites = int(play["k"]), int(play["sites"])
    return (COMPULSORY + Fraction(66, int(play["s"]))) * sites + 132 * k**2


def room(play: Played) -> int:
    """Case 3's memory without its O(1)."""
    return int((96 * play["k"] ** 2 + 288 * play["k"]) * play["s"])


def closed_peak(play: Played) -> int:
    """The closed form of a regime's peak."""
    slice_ = play["k"] ** 2 * play["s"]
    forms = {"A-lockstep": (96, 114), "A-reflected": (96, 90), "B-reflected": (48, 90)}
    site, visit = forms[play["regime"]]
    return int(site * slice_ + visit)


def best_plays(bench: Bench, k: int, n4: int) -> list[Played]:
    """The best plays by rising memory, all fields resident last."""
    small = [66, 90, 128, 192, 256, 384]
    powers = [1 << bit for bit in range((k * k).bit_length())]
    memories = sorted({*small, *(48 * k * w + 90 for w in powers), *theorem_memories(k, n4)})

    def points() -> list[Played]:
        best = (*dirac_curve(k, n4, memories[:-1]), resident_point(k, n4))
        return [
            {"memory": p.memory, "local": p.local_io, "peak": p.peak, "tile": p.tile} for p in best
        ]

    plays: list[Played] = bench.remembered({"dirac curve": memories, "k": k, "n4": n4}, points)
    return plays


@dataclass(frozen=True)
class DiracPoint:
    """Counts of a play of the Dirac operator of one node, made by the engine, in words."""

    memory: int
    local_io: int  # between fast memory and the node's own: channel 0
    neighbour_io: int  # to and from other nodes: channel 1
    peak: int  # of fast memory that was in use
    tile: str  # sites that are visited together, and along which axis


def dirac_curve(
    k: int, n4: int, memories: Iterable[int], *, wrap: bool = True
) -> tuple[DiracPoint, ...]:
    """The best plays of one application with each of `memories` words, by rising memory.

    A play for less memory is one for more, so local I/O falls.
    """
    points: list[DiracPoint] = []
    for memory in sorted(set(memories)):
        best = best_dirac_play(k, n4, memory, wrap=wrap)
        count = play(best.dag, best.play.blocks(), memory, rules=SLIDING)
        plan = best.plan
        sides = f"{k} x {plan.width} x {plan.slab} x {plan.strip}"
        tile = f"{sides}, {plan.sweep}{', seam' * plan.seam}"
        local, neighbour = count.channels[0].io, count.channels[1].io
        point = DiracPoint(memory, local, neighbour, count.peak, tile)
        if points and points[-1].local_io <= local:
            point = replace(points[-1], memory=memory)
        points.append(point)
    return tuple(points)


def resident_point(k: int, n4: int, *, wrap: bool = True) -> DiracPoint:
    """The point where all fields stay in fast memory from application to application.

    Its local I/O is that between the arrival of the fields and the departure of the result.
    """
    plans = [dirac_plan(k, n4, wrap=wrap), dirac_plan(k, n4, regime="B-reflected", s=n4, wrap=wrap)]
    plan = min(plans, key=resident_peak)
    memory = resident_peak(plan)
    dag = dirac(**plan.params)
    settle, work, leave = resident_dirac_schedule(dag)
    full_play = play(dag, (settle, work, leave), memory, rules=SLIDING)
    outside = sum(dag.words_of(part.vertex) for part in (settle, leave))
    local = full_play.channels[0].io - outside
    return DiracPoint(memory, local, full_play.channels[1].io, full_play.peak, "all")


def proved_local_io(k: int, n4: int, memory: int, *, wrap: bool = True) -> int:
    """A lower bound on the local I/O of one application by any play, in words.

    Sweeps and tiles change the order of the hops, which the proof does not ask for.
    """
    dag = dirac(k, n4, wrap)
    assert dag.channel is not None
    ends = np.concatenate([dag.inputs, dag.outputs])
    # the proof counts each word that travels between nodes once, as every play must
    return dirac_bound(dag, memory, rules=SLIDING).io - dag.words_of(ends[dag.channel[ends] == 1])
