"""The commands as functions: each takes a DAG, a specification, a file or a NetworkX graph."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dags import CDAG, InvalidSpecError
from dags import save as save_dag
from dags.arguments import checked
from pebble import ONE_SHOT, Budget, IOCount, Schedule, judge
from pebble import min_memory as least_memory
from pebble import play as replay
from proofs import (
    BOUNDS,
    Bound,
    BoundMethod,
    PluggedBound,
    as_bound,
)
from redblue.answers.building import is_closed
from redblue.answers.curves.curve import io_curve
from redblue.answers.results import IOCurve
from redblue.answers.sources import (
    Memories,
    Memory,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.words import words_of
from redblue.limits.time_limits import within
from schedulers import Scheduler, as_scheduler

if TYPE_CHECKING:
    from redblue.laws.dirac import DiracLaw
    from redblue.laws.fit import Fit
    from redblue.laws.regimes import RegimeLaw
    from redblue.show.reporting import Report


@checked
def curve(
    source: Source,
    memories: Memories | None = None,
    *,
    effort: str | float | None = None,
    **options: Any,
) -> IOCurve:
    """The I/O curve of a computation, as ``redblue curve`` draws it.

    Parameters
    ----------
    source
        The computation.
    memories
        Words of fast memory, as numbers or as a text like "8:512"; by default from the least
        memory to where only compulsory I/O is left.
    effort
        "quick", "normal", "high", or seconds of work: how hard to search where schedules and bounds
        have not met;
        by default normal, and quick where schedulers or bounds are named or results kept.
    options
        Further ones of `redblue.io_curve`: schedulers, bounds, rules, seed, jobs, ...

    Examples
    --------
    >>> curve("fft:n=8", "4:8:2").envelope("upper")
    ((4, 31), (8, 20))
    """
    chosen = [name for name in ("schedulers", "bounds", "sweep") if options.get(name) is not None]
    how = ("quick" if chosen else "normal") if effort is None else effort
    return io_curve(source, memories, effort=how, **options)


@checked
def bound(
    source: Source,
    memory: Memory,
    *,
    bounds: str | Iterable[str | BoundMethod] | None = None,
    rules: RulesLike = ONE_SHOT,
    seed: int = 0,
    effort: str | float | None = None,
    time_limit: float | None = None,
    counted: bool = False,
) -> Bound:
    """The largest lower bound on the I/O of any legal schedule that is proved in the time.

    The race of `solve` goes on until a schedule meets the bound, or the time is over. Of a loop
    nest whose DAG is not built, the bound is that of windows of its updates.

    Parameters
    ----------
    source
        The computation.
    memory
        Words of fast memory, or a text like "64KB".
    bounds
        Names from `BOUNDS`, or functions like them, each to be asked alone, without a race; "all"
        for all that apply.
    rules
        The rules of the game, or their name.
    seed
        Seed of random methods.
    effort
        "quick", "normal", "high", or seconds of work, as for `curve`; by default normal, or all of
        the time limit.
    time_limit
        Seconds; None for those of the effort, and for the methods' own limits if they are asked
        alone.
    counted
        Whether no DAG is built if it is large.

    Examples
    --------
    >>> found = bound("fft:n=8", 4, bounds=["segments", "exact-pieces"])
    >>> found.io, found.method
    (31, 'exact-pieces')
    """
    from redblue.racing.bounding import Proofs, proved

    computation, words, game = load(source), words_of(memory, source), rules_of(rules)
    methods = None
    if bounds is not None:
        names = BOUNDS if bounds == "all" else [bounds] if isinstance(bounds, str) else bounds
        methods = {str(method): as_bound(method) for method in names}
    proofs = Proofs(computation, game, [words])
    how: dict[str, Any] = {"effort": None if effort is None else str(effort), "counted": counted}
    budget = Budget.within(time_limit, seed=seed)
    return proved(proofs, methods=methods, budget=budget, **how).best(words)


@checked
def claim(words: Callable[[int], float] | Mapping[int, float], name: str) -> BoundMethod:
    """A lower bound that is claimed without a certificate, for `curve` and `compare`.

    It is drawn dashed beside what is proved, and no best bound takes it. A schedule that moves
    fewer words refutes it.

    Parameters
    ----------
    words
        The bound in words: a function of the words of fast memory, or a table by that number.
    name
        The name in tables and figures.

    Raises
    ------
    InvalidSpecError
        If a curve asks for a memory size that the table does not have, or if the number of words
        is negative.

    Examples
    --------
    >>> from math import sqrt
    >>> hong_kung = claim(lambda memory: 2 * 6**3 / sqrt(memory), "2 n^3 / sqrt M")
    >>> curve("matmul:n=6", [16, 36], schedulers=["structured"], bounds=[hong_kung]).points(
    ...     "claim", "2 n^3 / sqrt M"
    ... )
    ((16, 108), (36, 72))
    """

    def function(dag: CDAG, memory: int) -> float:
        if not isinstance(words, Mapping):
            return words(memory)
        if memory not in words:
            sizes = ", ".join(f"{size:,}" for size in sorted(words))
            raise InvalidSpecError(f"{name} is claimed for M = {sizes}, not for {memory:,}")
        return words[memory]

    return PluggedBound(name, function)


@checked
def check(
    source: Source,
    bound: Bound | Schedule | str | Path,
    memory: Memory | None = None,
    *,
    rules: RulesLike = ONE_SHOT,
    verified: bool = False,
    time_limit: float | None = None,
) -> Bound | IOCount:
    """Verify the certificate of a bound, and return the bound; or the moves of a schedule.

    Parameters
    ----------
    source
        The computation.
    bound
        The bound, or the file that `redblue bound --certificate` wrote; or a schedule, or a file of
        one (.npz or .jsonl), which is judged as by `verify`.
    memory, rules
        The game of a schedule, as for `verify`; a bound has its own.
    verified
        Whether the checker that is proved correct in Coq also verifies it (`redblue compile
        --verified`).
    time_limit
        Seconds after which verification ends without a verdict; None for no limit.

    Raises
    ------
    CertificateError
        If it does not hold.
    IllegalMoveError
        If a move of the schedule breaks a rule.
    TimeLimitError
        If there is no verdict when the time is over.
    NotBuiltError, NotVerifiedError
        If the verified checker is not built, or does not know this kind of certificate.
    """
    from redblue.answers.checking import checked_bound, is_schedule

    if isinstance(bound, Schedule) or is_schedule(bound):
        if memory is None:
            raise InvalidSpecError("a schedule is checked with a memory")
        moves, size = bound, memory
        return within(
            time_limit,
            lambda: verify(source, moves, size, rules=rules),
            "the check of a schedule",
        )
    return within(
        time_limit,
        lambda: checked_bound(load(source), bound, verified=verified).bound,
        "the check of a certificate",
    )


@checked
def law(
    source: Source, memories: Memories | None = None, **options: Any
) -> "Fit | DiracLaw | RegimeLaw":
    """The law of I/O against memory that a computation follows.

    Of a program without sizes ("cholesky.c"), or with some of them ("conv.c:R=3"), and of an einsum
    string, it is a `redblue.laws.regimes.RegimeLaw`: the largest of some terms, for all values of
    the others. Of a Dirac operator it is a `redblue.laws.dirac.DiracLaw`: words a site.

    Parameters
    ----------
    source
        The computation.
    memories
        Words of fast memory; by default sizes at which the family's schedule is tuned.
    options
        Further ones of `redblue.fit_dag`: schedulers, rules, jobs; counted, so that no DAG is
        built. Of a program without sizes: seconds, after which the law is as known by then.

    Examples
    --------
    >>> law("matvec:n=64").law.kind
    'constant'
    """
    from redblue.laws.finding import law_of_source

    options["rules"] = rules_of(options.get("rules", ONE_SHOT))
    return law_of_source(source, memories, **options).itself


@checked
def play(
    source: Source,
    schedule: Schedule | str | Scheduler,
    memory: Memory,
    *,
    rules: RulesLike = ONE_SHOT,
    out: str | Path | None = None,
) -> IOCount:
    """Return the cost of a schedule when the engine replays it; write its page if wanted.

    Parameters
    ----------
    source
        The computation.
    schedule
        A schedule, or the scheduler that makes it: a function or a name from `SCHEDULERS`.
    memory
        Words of fast memory, or a text like "64KB".
    rules
        The rules of the game, or their name.
    out
        Where to write the page that shows the schedule of a small DAG move by move; None for no
        page.

    Raises
    ------
    IllegalMoveError
        If the schedule breaks a rule.

    Examples
    --------
    >>> play("fft:n=8", "structured", 4).io
    31
    """
    dag, words, game = load(source).dag, words_of(memory, source), rules_of(rules)
    moves = schedule
    if not isinstance(moves, Schedule):
        moves = as_scheduler(moves)(dag, words, rules=game)
    if out is None:
        return replay(dag, moves, words, rules=game)
    from redblue.show.player import save_player

    title = Path(label_of(source)).name or repr(dag)
    return save_player(out, dag, moves, words, rules=game, title=title)


@checked
def verify(
    source: Source,
    schedule: Schedule | str | Path,
    memory: Memory,
    *,
    rules: RulesLike = ONE_SHOT,
) -> IOCount:
    """The cost of a schedule, or of a file with one, as the referee counts it.

    Parameters
    ----------
    source
        The computation.
    schedule
        The schedule, or a file (.npz or .jsonl).
    memory
        Words of fast memory, or a text like "64KB".
    rules
        The rules of the game, or their name.

    Raises
    ------
    IllegalMoveError
        If the schedule breaks a rule.

    Examples
    --------
    >>> from schedulers import SCHEDULERS
    >>> verify("fft:n=8", SCHEDULERS["structured"](load("fft:n=8").dag, 4), 4).io
    31
    """
    dag = load(source).dag
    moves = schedule if isinstance(schedule, Schedule) else Schedule.load(Path(schedule), dag)
    return judge(dag, moves, words_of(memory, source), rules=rules_of(rules))


@checked
def report(
    experiments: Source | Sequence[Source] = (),
    memories: Memories | None = None,
    *,
    rules: RulesLike = ONE_SHOT,
    effort: str | float = "normal",
    quick: bool = True,
    seed: int = 0,
    jobs: int = 1,
    out: str | Path | None = None,
    machine: str | None = None,
) -> "Report":
    """The lower-bound report of computations of any size, or the report of experiments.

    Parameters
    ----------
    experiments
        Names from `EXPERIMENTS`, or one, by default all about the papers (not polybench); or a
        computation, or several.
    memories, rules, effort
        Of the report of computations, as for `curve`.
    quick
        Whether sizes of experiments are small.
    seed
        Seed of random schedulers and methods.
    jobs
        Number of experiments, or of methods on a DAG, that run side by side.
    out
        Where the page is written; None for none (`redblue.show.reporting.report_page` makes it).
    machine
        A machine of the catalogue, or its file: the report of computations is on words into and out
        of its memories, from closed formulas alone.

    Examples
    --------
    >>> found = report("fft:n=4", [4, 6], effort="quick")
    >>> [(row[0], row[1], row[5]) for row in found.experiments[0].tables[0].rows]
    [(4, 11, 11), (6, 8, 8)]
    """
    from redblue import leaves
    from redblue.answers.evidence import gather, own_report
    from redblue.answers.evidence.names import own_dags
    from redblue.show.reporting import Report, save_report

    many = isinstance(experiments, Sequence) and not isinstance(experiments, str)
    names: list[Any] = list(experiments) if many else [experiments]
    today = date.today().isoformat()
    if own := own_dags(names):
        game, loaded = rules_of(rules), [load(source) for source in own]
        how: dict[str, Any] = {"rules": game, "effort": str(effort), "seed": seed, "jobs": jobs}
        shown, _ = own_report(
            loaded,
            memories,
            today,
            rules=game,
            machine=machine,
            gathered=lambda place: gather(
                loaded[place], memories, spec=label_of(own[place]), **how
            ),
        )
        return save_report(shown, out)
    papers = leaves.part("experiments")
    bench = papers.Bench(quick=quick, seed=seed)
    runs = papers.run_experiments(papers.chosen_experiments(names), bench, jobs=jobs)
    return save_report(Report(runs, today, quick=quick, seed=seed), out)


@checked
def min_memory(source: Source, *, rules: RulesLike = ONE_SHOT) -> int:
    """The smallest fast memory, in words, in which every value can be computed.

    Parameters
    ----------
    source
        The computation.
    rules
        The rules of the game, or their name.

    Examples
    --------
    >>> min_memory("fft:n=8"), min_memory("fft:n=8", rules="one-shot-sliding")
    (3, 2)
    """
    computation, game = load(source), rules_of(rules)
    if not game.partial and is_closed(computation):
        return computation.min_memory(sliding=game.sliding)
    return least_memory(computation.dag, rules=game)


@checked
def save(source: Source, path: Path) -> None:
    """Write a computation to a file, whole or not at all, in the format that its suffix names.

    Parameters
    ----------
    source
        The computation.
    path
        The file.

    Raises
    ------
    UnknownNameError
        If no format has this suffix.
    FormatError
        If the file cannot be written, or a label cannot be written in this format.
    """
    save_dag(load(source).dag, path)
