"""``redblue bound``: lower bounds on I/O, with certificates."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from redblue.cli import console
from redblue.cli.computation import Asked, say_notes
from redblue.cli.files import require_file
from redblue.cli.options import (
    Counted,
    EffortName,
    Memories,
    RulesName,
    TimeLimit,
    effort_of,
    names,
)
from redblue.cli.watch import Watch
from redblue.show.answer import Facts, Part
from redblue.show.rows import table

if TYPE_CHECKING:
    from dags import CDAG, Computation
    from pebble import Rules
    from proofs import Bound, BoundMethod
    from redblue.answers.results import IOCurve
    from redblue.racing.bounding import Proofs
    from redblue.racing.race import Race
    from redblue.show.model import Table

ALL = "all"  # methods, each asked alone


def bound(
    computation: Asked,
    memory: Memories = None,
    bounds: Annotated[str | None, "NAMES"] = None,
    rules: RulesName = "one-shot",
    certificate: Annotated[Path | None, "FILE"] = None,
    effort: EffortName = None,
    time_limit: TimeLimit = None,
    seed: int = 0,
    counted: Counted = False,
) -> Facts:
    """Prove a lower bound on the I/O of every schedule, in words.

    `redblue check` verifies the certificate.

    Parameters
    ----------
    bounds
        Methods of bounds, separated by commas, or all: they run one by one, for a comparison. By
        default all methods run until a schedule meets the bound.
    certificate
        Write the best bound and its certificate to this file.
    seed
        Seed of random methods.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line
    from pebble import rules_named
    from proofs import save_bound
    from redblue.answers.checking import judged_in
    from redblue.answers.memories import parse_memories
    from redblue.answers.results import describe
    from redblue.racing.bounding import Proofs, proved

    require_file(certificate)
    word, spec = computation.word_of(memory), computation.name
    given = None if memory is None else parse_memories(memory, word)
    if certificate is not None and (given is None or len(given) > 1):
        many = "all" if given is None else len(given)
        raise InvalidSpecError(f"a certificate is for one memory size, not for {many}")
    if time_limit is not None and time_limit <= 0:
        raise InvalidSpecError(f"the time limit must be more than 0 seconds, not {time_limit:g}")
    if bounds is not None and effort is not None:
        raise InvalidSpecError("--effort is for all methods together, not with --bounds")
    alone, game = _alone(bounds), rules_named(rules)
    effort_of(effort)
    watch = Watch(time_limit)
    begun: list[Proofs] = []

    def work() -> None:
        tell(f"loading {one_line(spec)}")
        begun.append(Proofs(computation.load(), game, given))
        proved(
            begun[0],
            methods=alone,
            strict=bounds != ALL,
            counted=counted,
            effort=effort,
            budget=watch.budget(seed=seed),
            compilation_counts=watch.limit is not None,
            tell=tell,
        )

    with console.status_line() as show:
        tell = watch.telling(show)
        watch.run(work, lambda: bool(begun) and begun[0].begun)
    if not begun or not begun[0].begun:
        console.fail(f"{watch.why()}; no bound is proved yet", code=watch.code)
    proofs, question = begun[0], begun[0].computation
    if certificate is not None and given is not None:
        best = proofs.best(given[0])
        save_bound(best, judged_in(question, best), certificate)
        console.say(f"wrote {certificate}")
    if proofs.curve is not None:
        say_notes(proofs.curve)
        return _counted(question, proofs.curve)
    races, graph = [race for race in proofs.races if race.proved], question.dag
    rows = _rows(proofs)
    plays = [] if alone is not None else [_play(race) for race in races if race.found is not None]
    forms = _closed_forms(graph, game) if bounds is None or bounds == ALL else []
    record: dict[str, Any] = {
        "dag": describe(graph, spec, rules=game),
        "rules": game.name,
        "rows": rows,
    }
    record |= {"closed_forms": forms, "plays": plays, "unfinished": proofs.waiting}
    title = f"I/O lower bound, in words: {Path(spec).name}, {game.name}"
    parts: list[Part] = [_table(title, rows)]
    if plays:
        parts.append("\n".join(_goal(play, rows) for play in plays))
    for words, left in proofs.waiting.items():
        console.say_to_readers(
            f"note: with {words:,} words, not finished within the time limit: {', '.join(left)}"
        )
    if forms:
        parts.append(_forms_table(graph.as_generated.family or "", forms, game))
    if not watch.interrupted:
        return Facts(record, tuple(parts))
    kept = "" if certificate is None else f", and the best is in {certificate}"
    problem = f"{watch.why()}; the bounds proved until then are printed above{kept}"
    return Facts(record, tuple(parts), watch.code, problem)


def _alone(bounds: str | None) -> "dict[str, BoundMethod] | None":
    """The methods that are asked alone, by name; None where all of them race."""
    from proofs import BOUNDS, bound_named

    if bounds is None:
        return None
    return {name: bound_named(name) for name in (BOUNDS if bounds == ALL else names(bounds))}


def _rows(proofs: "Proofs") -> list[dict[str, Any]]:
    """The rows of methods and the best of them."""
    rows: list[dict[str, Any]] = []
    for race in (race for race in proofs.races if race.proved):
        rows += [_row(name, *race.proved[name]) for name in sorted(race.proved)]
        best = proofs.best(race.memory)
        seconds = sum(seconds for _, seconds in race.proved.values())
        rows.append({**_row("best", best, seconds), "memory": race.memory})
    return rows


def _play(race: "Race") -> dict[str, Any]:
    """The best play that a race knows."""
    assert race.found is not None
    _, io, method = race.found
    return {"memory": race.memory, "io": io, "method": method}


def _goal(play: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """How far the best play is from the bound."""
    best, key = play["io"], ("best", play["memory"])
    proved = next(row["io"] for row in rows if (row["method"], row["memory"]) == key)
    known = f"M = {play['memory']:,}: the best known schedule moves {best:,} words"
    if best == proved:
        return f"{known} and meets the bound: both are optimal"
    return f"{known}, {best / proved:.3f} times the bound" if proved else known


def _closed_forms(graph: "CDAG", rules: "Rules") -> list[dict[str, str]]:
    """The formulas that hold for the family of a DAG, and when they do."""
    from proofs.laws.closed_forms import WITH_SIZES

    family = graph.as_generated.family
    if family is None or (graph.words is not None and family not in WITH_SIZES):
        return []
    return _forms(family, rules)


def _forms(family: str, rules: "Rules") -> list[dict[str, str]]:
    """The formulas that hold for a family, and when they do."""
    from proofs.laws.closed_forms import FORMS

    forms = FORMS.get(family, ())
    return [
        {"formula": form.formula, "holds": form.holds}
        for form in forms
        if not rules.partial and (form.recompute or not rules.recompute)
    ]


def _forms_table(family: str, forms: list[dict[str, str]], rules: "Rules") -> "Table":
    """A line per formula."""
    caption = f"closed forms of {family}, with K = {'M' if rules.sliding else 'M - 1'}:"
    return table("closed-forms", caption, forms, "words <- formula", "holds <- holds")


def _counted(known: "Computation", curve: "IOCurve") -> Facts:
    """The closed forms of a computation whose DAG is not built."""
    lowers = [row for row in curve.rows if row.kind == "lower" and row.method != "best"]
    forms, record = _forms(known.family or "", curve.rules), curve.to_dict()
    rows = [row for row in record["rows"] if row["kind"] == "lower"]
    proved = table(
        "bounds", f"I/O lower bound, in words: {curve.title}", lowers, "M <- memory", "words <- io",
        ("words / compulsory", lambda row: f"{(row.io or 0) / known.compulsory:.4g}"),
    )  # fmt: skip
    told = [proved, *([_forms_table(known.family or "", forms, curve.rules)] if forms else [])]
    return Facts({**record, "rows": rows, "closed_forms": forms, "unfinished": {}}, tuple(told))


def _row(method: str, bound: "Bound", seconds: float) -> dict[str, Any]:
    """A row as `--json` prints it."""
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


def _table(title: str, rows: list[dict[str, Any]]) -> "Table":
    """A line per memory and method; the best of a memory is bold."""
    best = [y for y, row in enumerate(rows) if row["method"] == "best"]
    columns = ("M <- memory", "bound <- method", "words <- io")
    seconds = ("seconds", lambda row: round(row["seconds"], 2))
    bold = [(y, x) for y in best for x in range(4)]
    return table("bounds", title, rows, *columns, seconds, bold=bold)
