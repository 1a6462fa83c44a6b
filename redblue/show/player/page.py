"""The player as one HTML file that needs no other."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from dags import CDAG
from dags.cdag.files import writing
from pebble import ONE_SHOT, IOCount, Rules, Schedule, judge
from redblue.answers.results import describe
from redblue.show.player.layout import layout_of
from redblue.show.player.names import cleaned, names_of, short, size
from redblue.show.player.steps import Play, Step, play_of, require_small

# A memory of more than so many times the words in use would flatten their chart.
HEIGHT = 100  # of a chart
FAR = 4
OWN = ("one-shot", "recompute")  # rules by which a reader may play
WIDE = 10**5  # words from which numbers take half a row of the facts


def player_page(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    title: str = "",
    lower_bound: int | None = None,
    source: str = "",
) -> str:
    """An HTML page that plays `schedule` step by step; it fetches nothing.

    Parameters
    ----------
    dag, schedule, memory, rules
        The play, with `memory` in words; the referee replays it first.
    title
        Heading of the page; by default the label of the DAG.
    lower_bound
        Lower bound on the I/O of any play, in words, where one is known.
    source
        Origin of the schedule, in a few words.

    Raises
    ------
    IllegalMoveError
        If the schedule is not legal.
    TooLargeToShowError
        If the DAG or the schedule is too large to be followed.
    """
    title = cleaned(title) or describe(dag)["spec"]
    player = player_fragment(
        dag,
        schedule,
        memory,
        rules=rules,
        title=title,
        lower_bound=lower_bound,
        source=source,
        level=1,
    )
    return whole_page(title, player)


def save_player(
    out: str | Path, dag: CDAG, schedule: Schedule, memory: int, **shown: Any
) -> IOCount:
    """The cost of a play, whose page is written to a file, whole or not at all.

    Parameters
    ----------
    out
        The file.
    dag, schedule, memory
        The play.
    shown
        Rules, title, lower bound and source, as for `player_page`.
    """
    require_small(dag, schedule)
    count = judge(dag, schedule, memory, rules=shown.get("rules", ONE_SHOT))
    page = player_page(dag, schedule, memory, **shown)
    with writing(out) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return count


def whole_page(title: str, body: str) -> str:
    """The HTML page of a title and of players, with style and script."""
    style, script = player_style(), player_script()
    return (
        _templates()
        .get_template("page.html")
        .render(
            title=title,
            player=body,
            style=style,
            script=script,
            style_hash=_digest(style),
            script_hash=_digest(script),
        )
    )


def player_fragment(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    title: str = "",
    lower_bound: int | None = None,
    source: str = "",
    level: int = 2,
    own_first: bool = False,
) -> str:
    """HTML that plays `schedule` step by step, for a page that has style and script.

    Several may stand in one page: their ids are digests of their contents.

    Parameters
    ----------
    dag, schedule, memory, rules
        The play, with `memory` in words; the referee replays it first.
    title
        Heading of the player; by default the label of the DAG.
    lower_bound
        Lower bound on the I/O of any play, in words, where one is known.
    source
        Origin of the schedule, in a few words.
    level
        Level of the heading in HTML, 1 to 6.
    own_first
        Whether the reader plays first, and sees the play when asking for it.

    Raises
    ------
    IllegalMoveError
        If the schedule is not legal.
    TooLargeToShowError
        If the DAG or the schedule is too large to be followed.
    """
    require_small(dag)
    play = play_of(dag, schedule, memory, rules=rules)
    names = names_of(dag)
    data = _data(dag, play, memory, names, rules)
    data |= {"bound": lower_bound, "begun": own_first}
    title = cleaned(title) or describe(dag)["spec"]
    return (
        _templates()
        .get_template("fragment.html")
        .render(
            key=hashlib.sha256(repr((title, source, lower_bound, data)).encode()).hexdigest()[:8],
            title=title,
            level=level,
            source=cleaned(source),
            rules=rules.name,
            memory=memory,
            bound=lower_bound,
            play=play,
            data=data,
            own=data["own"],
            names=names,
            layout=layout_of(dag),
            vertices=_vertices(dag, names),
            wide=max(memory, play.count.io) >= WIDE,
            again=play.count.recomputes > 0,
            charts=_charts(play, memory, lower_bound),
        )
    )


@cache
def player_style() -> str:
    """The style sheet of all players of a page."""
    return _text("player.css")


@cache
def player_script() -> str:
    """The script of all players of a page."""
    return f'"use strict";\n(() => {{\n{_text("game.js")}{_text("player.js")}}})();\n'


def _text(name: str) -> str:
    return files("redblue.show.player").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("redblue.show.player"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _digest(text: str) -> str:
    """The digest that names a style or script in the page's security policy."""
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(
    dag: CDAG, play: Play, memory: int, names: tuple[str, ...], rules: Rules
) -> dict[str, Any]:
    """The data of a player that its script reads, as JSON."""
    bounds = dag.pred_indptr.tolist()
    operands = dag.pred_indices.tolist()
    return {
        "memory": memory,
        "names": names,
        "words": dag.sizes.tolist(),
        "inputs": dag.inputs.tolist(),
        "outputs": dag.outputs.tolist(),
        "own": rules.name in OWN,
        "again": rules.recompute,
        "operands": [operands[a:b] for a, b in pairwise(bounds)],
        "steps": [_parts(step) for step in play.steps],
        "loads": play.loads,
        "stores": play.stores,
        "occupancy": play.occupancy,
    }


@dataclass(frozen=True)
class Chart:
    """Words over the steps of a play, as a step curve in a box of `steps` by `HEIGHT`.

    Parameters
    ----------
    name
        The chart.
    line, area
        Paths of the stairs and of the area below them.
    limit
        Height of a line that is never crossed; None without one.
    top
        The words that the upper edge of the box stands for.
    """

    name: str
    line: str
    area: str
    limit: float | None
    top: int


def chart(name: str, values: Sequence[int], *, limit: int | None = None) -> Chart:
    """The chart of `values`, one a step; `limit` is a number of words to mark."""
    top = max(*values, limit or 0, 1)
    last = max(len(values) - 1, 1)

    def height(words: int) -> float:
        return round(HEIGHT * (1 - words / top), 2)

    line = f"M0 {height(values[0]):g}"
    for step, (before, after) in enumerate(pairwise(values), start=1):
        if after != before:
            line += f"H{step}V{height(after):g}"
    line += f"H{last}"
    mark = None if limit is None else height(limit)
    return Chart(name, line, f"{line}V{HEIGHT}H0Z", mark, top)


def _charts(play: Play, memory: int, lower_bound: int | None) -> tuple[Chart, Chart]:
    """The charts of I/O and memory; a memory that is far from full is not to scale."""
    io = [loads + stores for loads, stores in zip(play.loads, play.stores, strict=True)]
    near = memory <= FAR * max(play.occupancy)
    return (
        chart("Words in fast memory", play.occupancy, limit=memory if near else None),
        chart("Words of I/O so far", io, limit=lower_bound),
    )


def _vertices(dag: CDAG, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Name, tooltip and kind of each vertex in the drawing."""
    inputs, outputs = set(dag.inputs.tolist()), set(dag.outputs.tolist())
    return [
        {
            "text": short(names[v]),
            "input": v in inputs,
            "output": v in outputs,
            "size": "" if words == 1 else size(words),
        }
        for v, words in enumerate(dag.sizes.tolist())
    ]


def _parts(step: Step) -> list[int | None]:
    """A step as the script reads it: without empty fields at its end."""
    parts: list[int | None] = list(step)
    while parts[-1] is None:
        parts.pop()
    return parts
