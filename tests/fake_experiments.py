"""Experiments that end at once, for tests of the report."""

import os

from dags import fft
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    PlayerScene,
    Series,
)
from redblue.show.rows import table
from schedulers import SCHEDULERS

EVIL = "<script>window.hurt = 1</script>&\"'$x^2$</style><!-- \x07"
LONG = "of stencil:shape=32x32,steps=8,neighbourhood=box,and=so,it=goes,on=without,a=space"
MEMORY = Axis("fast memory M (words)", 2)
WORDS = Axis("I/O (words)", 10)


def claim(verdict, text="what is claimed"):
    return Claim(
        f"{text} ({verdict})", "Somebody 1986, (1)", "1 word", "1 word", verdict, "exactly"
    )


def curve_figure(name="io-curve"):
    memories = (4.0, 8.0, 64.0, 512.0, 4096.0)
    upper = Series(
        "blocked",
        memories,
        (400000.0, 200000.0, 100000.0, 66000.0, 65536.0),
        "upper",
        tuple(f"blocked: {m:,.0f} words" for m in memories),
    )
    lower = Series("best bound", memories[1:], (90000.0, 70000.0, 65536.0, 65536.0), "lower")
    law = Series(
        "law", memories, tuple(800000 / (1 + m.bit_length()) for m in map(int, memories)), "fit"
    )
    return Figure(
        name, f"I/O falls. {LONG}", MEMORY, WORDS, (upper, lower, law), ("blocked", "best bound")
    )


def good(bench):
    """All that a page can show."""
    bench.progress("good")
    straight = Figure(
        "ratio",
        "The ratio rises.",
        Axis("log2 M"),
        Axis("operations a word"),
        (
            Series("measured", (1.0, 2.0, 3.0), (0.5, 1.0, 1.5)),
            Series("theorem", (1.0, 3.0), (0.5, 1.5), "theorem"),
        ),
    )
    rows = ("fft", 4096, 0.3333333333333333, None), ("matmul", 65536, 2.0, "50% & more_or_less")
    counts = table("counts", f"Counted words. {LONG}", rows, "family", "M [words]", "ratio", "note")
    return Experiment(
        "good",
        "A good one",
        "What was asked.\n\nWhat came out.",
        tuple(
            claim(verdict, LONG) for verdict in ("confirmed", "corrected", "undecided", "confirmed")
        ),
        (counts,),
        (curve_figure(), straight),
        (scene(),),
    )


def scene(memory=4):
    """A play of a small DAG."""
    schedule = SCHEDULERS["natural+belady"](fft(4), memory)
    return PlayerScene(
        "A play",
        "fft:n=4",
        memory,
        "one-shot",
        tuple(schedule.op.tolist()),
        tuple(schedule.vertex.tolist()),
        8,
    )


def refuting(bench):
    """One claim that does not hold."""
    return Experiment(
        "refuting", "A doubtful one", "Asked.", (claim("refuted"), claim("confirmed"))
    )


def failing(bench):
    """What raises."""
    raise ValueError("4 words\nare too few <b>")


def illegal(bench):
    """A play that the referee refuses."""
    return Experiment(
        "illegal", "Illegal", "", players=(PlayerScene("x", "fft:n=4", 4, "one-shot", (2,), (5,)),)
    )


def dying(bench):
    """What ends its process."""
    os._exit(7)


def hostile(bench):
    """Every text tries to be mark-up."""
    series = Series(EVIL, (1.0, 2.0), (1.0, 2.0), "upper", (EVIL, EVIL))
    return Experiment(
        EVIL,
        EVIL,
        EVIL,
        (Claim(EVIL, EVIL, EVIL, EVIL, "confirmed", EVIL),),
        (table(EVIL, EVIL, [(EVIL,), (None,)], f"{EVIL} [{EVIL}]"),),
        (Figure(EVIL, EVIL, Axis(EVIL, 2), Axis(EVIL), (series,)),),
        (PlayerScene(EVIL, "fft:n=4", 4, "one-shot", scene().op, scene().vertex),),
    )
