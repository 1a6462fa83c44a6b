"""Placed plans on the command line: `plan` and `solve` with ``--addresses``, and `check`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from redblue.cli import console
from redblue.cli.computation import Asked, say_in_place
from redblue.cli.files import json_text, require_file, require_folder, today
from redblue.cli.watch import Watch
from redblue.show.answer import Facts

if TYPE_CHECKING:
    from redblue.answers.planning.placed import PlacedPlan

PICTURES = (".png", ".svg", ".pdf")
SUFFIXES = (".json", ".csv", ".html", *PICTURES, ".npz", ".jsonl")
NAMES = ("plan.json", "plan.csv", "plan.html", "plan.png", "plan.svg", "plan.npz")


def placed(
    computation: Asked, memory: str | None, out: Path | None, *, seed: int, **options: Any
) -> Facts:
    """Return the best placed plan that is found, and write it to a file or a folder.

    Parameters
    ----------
    computation
        The computation.
    memory
        Fast memory, as a text.
    out
        A file of `SUFFIXES`, or a folder for one of each.
    seed
        Seed of the searches.
    options
        `rules`, `time_limit`, and options of `PlanSearch`.
    """
    from dags import FormatError, InvalidSpecError
    from dags.errors import one_line
    from redblue.answers.planning.addresses import WORK, NoAddressesError, PlanSearch
    from redblue.answers.prices import require_price
    from redblue.answers.sources import rules_of
    from redblue.answers.words import words_of
    from redblue.cli.curve_command import require_limits

    if memory is None:
        raise InvalidSpecError("--addresses needs a --memory")
    if out is not None and out.suffix:
        if out.suffix.lower() not in SUFFIXES:
            raise FormatError(
                out, f"cannot be written: its name ends in none of {' '.join(SUFFIXES)}"
            )
        require_file(out)
    else:
        require_folder(out)
    word, spec = computation.word_of(memory), computation.name
    limit, rules = options.pop("time_limit"), rules_of(options.pop("rules"))
    require_price(options["price_of_work"], rules)
    require_limits(limit, None, kept=False)
    watch = Watch(limit)
    watch.stage = f"loading {one_line(spec)}"
    searches: list[PlanSearch] = []  # whose best outlives an interruption
    with console.status_line() as show:

        def work() -> bool:
            graph = computation.built()
            if graph.word_bytes is None and computation.record:
                graph = graph.with_word_bytes(word)
            words = _words(memory, word) if computation.record else words_of(memory, graph)
            budget = watch.budget(WORK if limit is None else None, seed=seed)
            searches.append(PlanSearch(graph, words, rules, budget=budget, **options))
            searches[0].run(watch.telling(show))
            return True

        watch.run(work, lambda: bool(searches) and searches[0].best is not None)
    if not searches or (searches[0].best is None and watch.stopped()):
        console.fail(f"{watch.why()}; nothing is placed yet", watch.code)
    try:
        plan = searches[0].plan(spec)
    except NoAddressesError as error:
        console.fail(str(error), code=3)
    say_in_place(plan.dag, rules.name)
    for path in () if out is None else _files(out):
        write(plan, path)
    if not watch.interrupted:
        return Facts(plan.to_dict(), plan.shown())
    problem = f"{watch.why()}; the best plan so far is printed above"
    return Facts(plan.to_dict(), plan.shown(), watch.code, problem)


def _words(memory: str, word: int) -> int:
    """A memory in words."""
    from redblue.answers.memories import parse_memory

    return parse_memory(memory, word)


def _files(out: Path) -> list[Path]:
    """The files to write."""
    if out.suffix:
        return [out]
    out.mkdir(parents=True, exist_ok=True)
    return [out / name for name in NAMES]


def write(plan: "PlacedPlan", out: Path) -> None:
    """Write a plan as the suffix of a file says, and tell its name."""
    from dags.cdag.files import writing
    from redblue.answers.planning.placed import plan_csv
    from redblue.answers.planning.plan_page import plan_map, plan_report, plan_title
    from redblue.show.reporting import report_page
    from redblue.show.reporting.memory_maps import draw_map

    suffix = out.suffix.lower()
    if suffix in (".npz", ".jsonl"):
        plan.schedule.save(out, plan.dag)
    else:
        with writing(out) as path:
            if suffix == ".json":
                path.write_text(json_text(plan.to_dict()), encoding="utf-8")
            elif suffix == ".html":
                text = report_page(plan_report(plan, today()))
                path.write_text(text, encoding="utf-8")
            elif suffix == ".csv":
                path.write_text(plan_csv(plan), encoding="utf-8", newline="")
            else:
                draw_map(plan_map(plan), plan_title(plan)).savefig(path)
    console.say(f"wrote {out}")


def judged_plan(computation: Asked | None, file: Path, time_limit: float) -> Facts:
    """The verdict on a plan: its moves, its addresses, its totals and its bound.

    Parameters
    ----------
    computation
        The computation; None for the one that the plan names.
    file
        The plan.
    time_limit
        Seconds after which the certificate is given up.
    """
    from dags import InvalidSpecError
    from pebble import IllegalMoveError
    from pebble.placement import IllegalPlacementError
    from proofs import CertificateError
    from proofs import check as verify
    from redblue.answers.planning.plan_files import bound_of, judge_plan, read_plan
    from redblue.cli.computation import loaded
    from redblue.show.units import bytes_for_words

    plan = read_plan(file)
    if computation is None and not plan.spec:
        raise InvalidSpecError(f"{file.name} names no computation: redblue check SPEC {file.name}")
    spec = plan.spec if computation is None else computation.name
    graph = loaded(spec, recognise=False).dag
    watch = Watch(time_limit)
    verdict = {
        "spec": spec,
        "plan": str(file),
        "memory": plan.memory,
        "rules": plan.rules.name,
        "moves": len(plan.schedule),
    }
    try:
        count, height = judge_plan(graph, plan)
        _require_totals(plan.claimed, count.to_dict())
        bound = bound_of(graph, plan, file)
        if bound is not None:
            watch.stage = "verifying the bound of the plan, which is legal"
            proved = bound

            def work() -> bool:
                verify(graph, proved.memory, proved)
                return True

            watch.must(work, "a longer --time-limit may decide whether the bound holds")
    except (IllegalMoveError, IllegalPlacementError, CertificateError) as error:
        return Facts({**verdict, "legal": False, "error": str(error)}, (f"refused: {error}",), 4)
    proof = "" if bound is None else f"; it is proved that at least {bound.io:,} words must move"
    sentence = (
        f"legal: {count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored), "
        f"tensors end at {height:,} of {plan.memory * plan.unit:,} and never overlap{proof}"
    )
    if graph.word_bytes == 1:
        sentence = bytes_for_words(sentence)
    record = {**verdict, "legal": True, **count.to_dict(), "height": height}
    return Facts({**record, "bound": None if bound is None else bound.io}, (sentence,))


def _require_totals(claimed: dict[str, Any], counted: dict[str, Any]) -> None:
    """Raise IllegalPlacementError if a plan claims totals other than those of its moves."""
    from pebble.placement import IllegalPlacementError

    for name in ("io", "loads", "stores"):
        if name in claimed and claimed[name] != counted[name]:
            raise IllegalPlacementError(
                f"the plan claims {name} = {claimed[name]}, but its moves make {counted[name]:,}"
            )
