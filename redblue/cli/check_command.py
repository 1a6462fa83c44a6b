"""``redblue check``: the verdict on a certificate, or on a schedule."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli.computation import Asked
from redblue.cli.files import today
from redblue.cli.options import RulesName
from redblue.cli.processors import LinksName, Processors, machine_of, network_of
from redblue.cli.watch import Watch
from redblue.show.answer import Facts

if TYPE_CHECKING:
    from pebble import IOCount, Machine
    from pebble.count import MachineCount
    from redblue.answers.checking import CheckedBound

REFEREE_MOVES = 200_000
WORDS = typer.Option(help="Fast memory of the schedule in words: 64, 1e6; or in bytes: 64KB, 2MiB.")
FILE = typer.Argument(
    metavar="[FILE]",
    show_default=False,
    help="A schedule (.npz or .jsonl), a certificate, or a plan with addresses, as written by "
    "'solve', 'bound' and 'plan'. A plan names its computation: it needs no SPEC.",
)
GIVEN_UP = typer.Option(
    min=0.01,
    metavar="S",
    help="Seconds for the whole command; without an answer by then, exit code 3.",
)


def check(
    computation: Asked,
    file: Annotated[Path | None, FILE] = None,
    memory: Annotated[str | None, WORDS] = None,
    rules: RulesName = "one-shot",
    processors: Processors = None,
    links: LinksName = None,
    time_limit: Annotated[float, GIVEN_UP] = 60.0,  # a file may ask for a search that takes hours
    verified: bool = False,
    cite: bool = False,
    lines: bool = False,
) -> Facts:
    """Check that a schedule is legal, or that a lower bound is proved.

    An independent checker verifies the certificate of a bound: it shares no code with the methods
    that find bounds. A referee replays schedules of up to 200,000 moves; the engine replays longer
    ones. Exit code 4 if a move is illegal, or the bound is not proved.

    --memory, --rules and --processors describe the game of a schedule; a certificate has its own.

    Parameters
    ----------
    verified
        Also verify the certificate by the checker that is proved correct in Coq.
    cite
        Also print a citation of the certificate in LaTeX and BibTeX, with its SHA-256 digest.
    lines
        Also print how many lines of the checker the certificate rests on, and where they are.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line
    from pebble.schedule import SUFFIXES
    from redblue.answers.planning.plan_files import is_plan
    from redblue.cli.placed_plans import judged_plan

    processors, links = network_of(processors, links)
    if file is None:
        if not is_plan(Path(computation.spec)):
            raise InvalidSpecError(
                f"{one_line(computation.spec)} is no plan; to check a schedule or a "
                "certificate: redblue check SPEC FILE"
            )
        return judged_plan(None, Path(computation.spec), time_limit)
    if file.suffix.lower() == ".json" and is_plan(file):
        return judged_plan(computation, file, time_limit)
    if file.suffix not in SUFFIXES:
        watch = Watch(time_limit)
        return proved(computation, file, watch, verified=verified, cite=cite, lines=lines)
    for name in ("verified",) * verified + ("cite",) * cite + ("lines",) * lines:
        raise InvalidSpecError(f"{file.name} is a schedule: --{name} is for certificates")
    return judged(computation, file, memory, rules, processors, links)


def judged(
    computation: Asked,
    file: Path,
    memory: str | None,
    rules: str,
    processors: str | None,
    links: str | None,
) -> Facts:
    """The verdict on a schedule; arguments are those of the command."""
    from dags import InvalidSpecError
    from pebble import IllegalMoveError, Schedule, judge, judge_on, play, play_on, rules_named
    from redblue.answers.memories import parse_memory

    if memory is None:
        raise InvalidSpecError(f"{file.name} is a schedule, so give its --memory")
    word, game = computation.word_of(memory), rules_named(rules)
    size, graph = parse_memory(memory, word), computation.load(recognise=False).dag
    moves = Schedule.load(file, graph)
    together = processors is not None or moves.step is not None
    machine: Any = machine_of(processors, links, size, moves) if together else size
    by_referee = len(moves) <= REFEREE_MOVES
    judges = (judge, judge_on) if by_referee else (play, play_on)
    verdict = {
        "spec": computation.name,
        "schedule": str(file),
        "memory": size,
        **({"processors": machine.processors} if together else {}),
        "rules": game.name,
        "moves": len(moves),
        "judge": "referee" if by_referee else "engine",
        **computation.record,
    }
    try:
        count: Any = judges[together](graph, moves, machine, rules=game)
    except IllegalMoveError as error:
        place = {"step": error.step, "move": error.move, "vertex": error.vertex}
        why = {**place, "rule": error.rule.name, "message": str(error)}
        return Facts({**verdict, "legal": False, "error": why}, (f"illegal: {error}",), 4)
    sentence = told_together(count, machine, size) if together else told_alone(count, size)
    return Facts({**verdict, "legal": True, **count.to_dict()}, (sentence,))


def told_alone(count: "IOCount", size: int) -> str:
    """The cost of a play with one fast memory."""
    return (
        f"legal: {count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored), "
        f"{count.computes:,} computations ({count.recomputes:,} recomputed), "
        f"at most {count.peak:,} of {size:,} words in use"
    )


def told_together(count: "MachineCount", machine: "Machine", size: int) -> str:
    """The cost of a play by several processors."""
    return (
        f"legal: {count.io:,} words of I/O by {machine.processors} processors, "
        f"{count.busiest:,} by the busiest, {count.computes:,} computations in "
        f"{count.steps.kind.size:,} steps, at most {max(memory.peak for memory in count.each):,} "
        f"of {size:,} words in use"
    )


def proved(
    computation: Asked,
    file: Path,
    watch: Watch,
    *,
    verified: bool = False,
    cite: bool = False,
    lines: bool = False,
) -> Facts:
    """The verdict on a certificate; arguments are those of the command."""
    from dags.errors import one_line
    from proofs import CertificateError, is_optimum
    from proofs.certificates import theorems_of
    from proofs.lemmas.theorems import named
    from proofs.trusted import lines_behind
    from redblue.answers.checking import checked_bound
    from redblue.answers.citations import citation

    spec = computation.name
    verdict = {"spec": spec, "certificate": str(file)}

    def work() -> "CheckedBound":
        watch.stage = f"loading {one_line(spec)}"
        computation_read = computation.load(recognise=False)
        watch.stage = f"verifying {one_line(str(file))}"
        return checked_bound(computation_read, file, verified=verified, seconds=lambda: watch.left)

    try:
        bound, judged_graph = watch.must(work, "a longer --time-limit may decide whether it holds")
    except CertificateError as error:
        problem = {"field": error.field, "message": error.message}
        return Facts({**verdict, "valid": False, "error": problem}, (f"not proved: {error}",), 4)
    lemmas = named(theorems_of(bound.certificate, bound.rules))
    facts = {"method": bound.method, "memory": bound.memory, "rules": bound.rules.name}
    facts |= {"io": bound.io, "optimal": is_optimum(bound), "lemmas": lemmas}
    sentences = (
        f"proved: with {bound.memory:,} words of fast memory, every {bound.rules.name} schedule "
        f"moves at least {bound.io:,} words ({bound.method})"
        + ("; optimal: the certificate has a schedule that moves exactly that" * is_optimum(bound))
        + f"; its proof uses {', '.join(lemma.partition(' ')[0] for lemma in lemmas)} (docs/theory)"
    )
    if verified:
        facts["verified"] = True
        sentences += (
            "; verified: a checker that is proved correct in Coq accepts it "
            "(what that trusts: docs/reference/trust.md)"
        )
    if lines:
        rooms = lines_behind(bound.certificate)
        facts["lines"] = rooms
        sentences += f"; it rests on {sum(rooms.values()):,} lines of the checker: " + ", ".join(
            f"{lines_of_room:,} of proofs/{room}" for room, lines_of_room in rooms.items()
        )
    if not cite:
        return Facts({**verdict, "valid": True, **facts}, (sentences,))
    cited = citation(bound, spec, file, judged_graph.digest, today())
    record = {**verdict, "valid": True, **facts, "citation": cited.to_dict()}
    return Facts(record, (sentences, cited.latex, cited.bibtex))
