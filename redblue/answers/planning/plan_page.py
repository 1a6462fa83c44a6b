"""Placed plans as a picture of memory over time, and as a page."""

from shlex import quote
from typing import Final

from dags.errors import one_line
from pebble import ONE_SHOT
from redblue.answers.planning.placed import COLUMNS, PlacedPlan, name_of, stay_rows
from redblue.show.model import Column, Experiment, MemoryMap, Span, Table
from redblue.show.player.names import cleaned
from redblue.show.reporting import Report, Run
from redblue.show.reporting.as_data import from_data, to_data
from redblue.show.units import bytes_for_words

SHOWN: Final = 60  # stays in the table of a page; more are folded


def plan_map(plan: PlacedPlan) -> MemoryMap:
    """The picture of a plan: moves to the right, addresses upwards, spills marked."""
    rows = stay_rows(plan)
    spans = tuple(
        Span(
            cleaned(name_of(plan.dag, row.vertex)),
            row.begin,
            row.end,
            row.offset,
            row.offset + row.size,
            row.enters in ("load", "reload"),
            row.enters in ("reload", "recompute"),
            row.leaves in ("spill", "drop"),
        )
        for row in rows
    )
    caption = f"Tensors in fast memory: {plan_title(plan)}."
    unit = "bytes" if plan.in_bytes else "words"
    return MemoryMap("memory", caption, plan.memory * plan.unit, unit, spans)


def plan_title(plan: PlacedPlan) -> str:
    """What a plan moves, and what is proved, in a few words."""
    return f"{_unit_of(plan, plan.count.io)} moved, at least {plan.bound.io:,} must be"


def plan_report(plan: PlacedPlan, date: str) -> Report:
    """The report of a plan: the picture of memory, and the stays of all tensors.

    Parameters
    ----------
    plan
        The plan.
    date
        When it was made, as the page shows it.
    """
    rows = stay_rows(plan)
    size = "bytes" if plan.in_bytes else "words"
    stays = Table(
        "stays",
        "The stays of tensors in fast memory. Moments are places in the order of moves.",
        tuple(Column(name) for name in ("tensor", size, *COLUMNS[2:])),
        tuple(
            (name_of(plan.dag, r.vertex), r.size, r.offset, r.begin, r.end, r.enters, r.leaves)
            for r in rows
        ),
        folded=len(rows) > SHOWN,
    )
    summary = (
        bytes_for_words(plan.shown()[0]) if plan.unit == 1 and plan.in_bytes else plan.shown()[0]
    )
    name = cleaned(one_line(plan.spec or "the plan"))
    shown = Experiment(
        name=name,
        title=f"{name}, {plan.rules.name}",
        summary=summary.replace("\n", "\n\n"),
        tables=(stays,),
        maps=(plan_map(plan),),
        command=command(plan),
    )
    clean = from_data(to_data(shown))
    title = f"A plan of memory for {name}"
    return Report((Run(clean.name, clean, "", 0.0),), date, title=title, own=True)


def command(plan: PlacedPlan) -> str:
    """The command that makes such a plan; empty where nothing names the computation."""
    if not plan.spec:
        return ""
    rules = "" if plan.rules == ONE_SHOT else f" --rules {plan.rules.name}"
    aligned = "" if plan.alignment == 1 else f" --alignment {plan.alignment}"
    return f"redblue plan {quote(plan.spec)} --memory {plan.memory}{rules} --addresses{aligned}"


def _unit_of(plan: PlacedPlan, words: int) -> str:
    """A number of words with their unit: bytes where a word is a byte."""
    return f"{words:,} {'bytes' if plan.in_bytes and plan.unit == 1 else 'words'}"
