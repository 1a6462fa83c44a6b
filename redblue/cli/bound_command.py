"""``redblue bound``: lower bounds on I/O, with certificates."""

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.counted_answers import Counted, counted_member, curve_of
from redblue.cli.files import require_file
from redblue.cli.loading import loaded
from redblue.cli.options import (
    Family,
    Json,
    Memories,
    NoRecognise,
    RulesName,
    Spec,
    Tile,
    WordBytes,
    Words,
    names,
    tiled,
)
from redblue.cli.units import word_of
from redblue.cli.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dags import CDAG, Member
    from pebble import Rules
    from proofs import Bound, BoundMethod
    from redblue.results import IOCurve


def bound(
    spec: Spec,
    memory: Memories = None,
    bounds: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Methods, with commas; default: all that apply."),
    ] = None,
    rules: RulesName = "one-shot",
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the best bound with its certificate there."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            help="Seconds for each memory size; of all methods, the one that proves most has what "
            "the others leave.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of methods that draw at random.")] = 0,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    family: Family = None,
    no_recognise: NoRecognise = False,
    sizes: Words = None,
    counted: Counted = False,
    json: Json = False,
) -> None:
    """Prove how many words must be moved; `redblue check` verifies the certificate."""
    from dags import InvalidSpecError
    from dags.errors import one_line
    from pebble import require_memory, rules_named
    from proofs import BOUNDS, bound_named, save_bound
    from redblue.curves.curve import default_schedulers
    from redblue.memories import parse_memories
    from redblue.planning.ranges import found_memories
    from redblue.results import describe

    require_file(certificate)
    word = word_of(spec, word_bytes, memory, attribute=sizes)
    given = None if memory is None else parse_memories(memory, word)
    if certificate is not None and (given is None or len(given) > 1):
        many = "all" if given is None else len(given)
        raise InvalidSpecError(f"a certificate is for one memory size, not for {many}")
    if time_limit is not None and time_limit <= 0:
        raise InvalidSpecError(f"the time limit must be more than 0 seconds, not {time_limit:g}")
    methods = {name: bound_named(name) for name in (BOUNDS if bounds is None else names(bounds))}
    game = rules_named(rules)
    watch = Watch(time_limit)
    spec = tiled(spec, tile)
    taken = {"bounds": bounds, "certificate": certificate, "family": family, "words": sizes}
    if (member := counted_member(spec, counted, **taken)) is not None:
        _show_counted(member, curve_of(member, given, game), json)
        return
    watch.stage = f"loading {one_line(spec)}"

    def load() -> "tuple[CDAG, Sequence[int]]":
        graph = loaded(spec, family=family, recognise=not no_recognise, words=sizes, tell=not json)
        if given is None:
            watch.stage = "looking for the range of memory"
        chosen = given or found_memories(graph, default_schedulers(graph), rules=game)
        require_memory(graph, chosen[-1], rules=game)
        return graph, chosen

    known = watch.run(load)
    if known is None:
        console.fail(f"{watch.why()}; nothing is proved yet", code=watch.code)
    graph, memories = known
    rows: list[dict[str, Any]] = []
    unfinished: dict[int, list[str]] = {}
    for number, words in enumerate(memories):
        watch = watch if number == 0 else Watch(time_limit)
        task = Proofs(graph, words, game, seed, methods, strict=bounds is not None)
        watch.run(partial(task.work, watch), task.any)
        if task.waiting:
            unfinished[words] = [*task.waiting]
        if not task.proved and not rows:
            console.fail(f"{watch.why()}; nothing is proved for {words:,} words", code=watch.code)
        if watch.interrupted and not task.proved:
            break
        if not task.proved:
            continue
        best = max(task.proved, key=lambda found: found[0].io)[0]
        if certificate is not None:
            save_bound(best, graph, certificate)
            console.say(f"wrote {certificate}")
        rows += [_row(found.method, found, seconds) for found, seconds in task.proved]
        rows.append(_row("best", best, sum(seconds for _, seconds in task.proved)))
        if watch.interrupted:
            break
    forms = _closed_forms(graph, game) if bounds is None else []
    if json:
        record = {"dag": describe(graph, spec, rules=game), "rules": game.name, "rows": rows}
        console.emit_json({**record, "closed_forms": forms, "unfinished": unfinished})
    else:
        console.emit_text(f"words that must be moved: {Path(spec).name}, {game.name}\n")
        _emit_table(rows)
        for words, left in unfinished.items():
            console.say(f"note: not in the time with {words:,} words: {', '.join(left)}")
        if forms:
            red = "M" if game.sliding else "M - 1"
            console.emit_text(f"\nclosed forms of {graph.as_generated.family}, with K = {red}:\n")
            _emit_forms(forms)
    if watch.interrupted:
        kept = "" if certificate is None else f", and the best of it in {certificate}"
        console.fail(f"{watch.why()}; what is proved by then is told above{kept}", code=watch.code)


class Proofs:
    """The bounds that methods prove for one memory size, as they come.

    Parameters
    ----------
    dag, memory, rules, seed
        The game.
    methods
        By name.
    strict
        Whether a method that does not apply is an error.
    """

    def __init__(
        self,
        dag: "CDAG",
        memory: int,
        rules: "Rules",
        seed: int,
        methods: "dict[str, BoundMethod]",
        *,
        strict: bool,
    ) -> None:
        self.dag, self.memory, self.rules, self.seed = dag, memory, rules, seed
        self.methods, self.strict = methods, strict
        self.waiting = list(methods)
        self.running, self.began = "", 0.0
        self._proved: dict[str, tuple[Bound, float]] = {}

    def work(self, watch: Watch) -> None:
        """Let methods prove something, each in its share of what is left.

        Where all are asked in a given time, those that search come last, and the one that proved
        most has the rest of it.
        """
        raced = watch.left is not None and not self.strict
        for bound, seconds in self._raced(watch) if raced else self._asked(watch):
            known, before = self._proved.get(bound.method, (bound, 0.0))
            better = bound if bound.io > known.io else known
            self._proved[bound.method] = better, before + seconds
        self._begin(watch, "")

    def _asked(self, watch: Watch) -> "Iterator[tuple[Bound, float]]":
        """Yield the bounds of methods, one after the other, and the seconds that they took."""
        from proofs import bounds_by

        names = {method: name for name, method in self.methods.items()}
        return bounds_by(
            names,
            self.dag,
            self.memory,
            rules=self.rules,
            seed=self.seed,
            time_limit=watch.left,
            strict=self.strict,
            begins=lambda method: self._begin(watch, names[method]),
        )

    def _raced(self, watch: Watch) -> "Iterator[tuple[Bound, float]]":
        """Yield the bounds of all methods in the time that is left, as `_asked` does."""
        from redblue.proving import bounds_in, quick_bounds, searching_bounds

        searching = searching_bounds(self.dag, self.memory, rules=self.rules)
        self.waiting = [*quick_bounds(self.rules), *searching]
        for bound in bounds_in(
            self.dag,
            self.memory,
            rules=self.rules,
            seed=self.seed,
            seconds=watch.left or 0.0,
            begins=partial(self._begin, watch),
        ):
            yield bound, time.monotonic() - self.began

    def _begin(self, watch: Watch, name: str) -> None:
        """Note that the method which is running has ended, and that another one begins."""
        if self.running in self.waiting:
            self.waiting.remove(self.running)
        self.running, self.began = name, time.monotonic()
        if name:
            watch.stage = f"proving by {name}"

    @property
    def proved(self) -> "list[tuple[Bound, float]]":
        """The best bound of each method so far, and the seconds that it took."""
        return [self._proved[name] for name in self.methods if name in self._proved]

    def any(self) -> bool:
        """Return whether anything is proved."""
        return bool(self.proved)


def _closed_forms(graph: "CDAG", rules: "Rules") -> list[dict[str, str]]:
    """Return the formulas that hold for the family of a DAG, and when they do."""
    from proofs.closed_forms import WITH_SIZES

    family = graph.as_generated.family
    if family is None or (graph.words is not None and family not in WITH_SIZES):
        return []
    return _forms(family, rules)


def _forms(family: str, rules: "Rules") -> list[dict[str, str]]:
    """Return the formulas that hold for a family, and when they do."""
    from proofs.closed_forms import FORMS

    forms = FORMS.get(family, ())
    return [
        {"formula": form.formula, "holds": form.holds}
        for form in forms
        if not rules.partial and (form.recompute or not rules.recompute)
    ]


def _emit_forms(forms: list[dict[str, str]]) -> None:
    """Print a line per formula."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("words", "holds"):
        table.add_column(heading, overflow="fold")
    for form in forms:
        table.add_row(form["formula"], form["holds"])
    console.emit_table(table)


def _show_counted(known: "Member", curve: "IOCurve", json: bool) -> None:
    """Print the closed forms of a member that is not laid out."""
    from rich.table import Table

    lowers = [row for row in curve.rows if row.kind == "lower" and row.method != "best"]
    forms = _forms(known.family, curve.rules)
    if json:
        record = curve.to_dict()
        rows = [row for row in record["rows"] if row["kind"] == "lower"]
        console.emit_json({**record, "rows": rows, "closed_forms": forms, "unfinished": {}})
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("M", "words", "words / compulsory"):
        table.add_column(heading, justify="right")
    once = known.compulsory
    for row in lowers:
        table.add_row(f"{row.memory:,}", f"{row.io:,}", f"{(row.io or 0) / once:.4g}")
    console.emit_text(f"words that must be moved: {curve.title}\n")
    console.emit_table(table)
    if not forms:
        return
    red = "M" if curve.rules.sliding else "M - 1"
    console.emit_text(f"\nclosed forms of {known.family}, with K = {red}:\n")
    _emit_forms(forms)


def _row(method: str, bound: "Bound", seconds: float) -> dict[str, Any]:
    """Return a row as `--json` prints it."""
    return {
        "kind": "lower",
        "method": method,
        "memory": bound.memory,
        "io": bound.io,
        "loads": None,
        "stores": None,
        "status": "bound",
        "seconds": round(seconds, 6),
    }


def _emit_table(rows: list[dict[str, Any]]) -> None:
    """Print a line per memory and method; the best of a memory is bold."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("M", "bound", "words", "seconds"):
        table.add_column(heading, justify="left" if heading == "bound" else "right")
    for row in rows:
        cells = (f"{row['memory']:,}", row["method"], f"{row['io']:,}", f"{row['seconds']:.2f}")
        table.add_row(*cells, style="bold" if row["method"] == "best" else None)
    console.emit_table(table)
