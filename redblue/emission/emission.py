"""A program as C: the best legal tiling, with the words that this code moves."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from typing import Any, Final, NamedTuple

from dags import Computation, InvalidSpecError, UnknownNameError
from dags.arguments import checked
from dags.errors import FormatError
from dags.programs import ProgramError
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import bounded_isl, isl
from dags.programs.layout import known_names, values_of
from dags.programs.members import instance_of_member
from dags.programs.nest import Program
from dags.spec import leaves
from pebble import MemoryTooSmallError
from pebble.budget import Clock, running_clock, under
from redblue.answers.efforts import most_seconds
from redblue.answers.results import WithoutCode
from redblue.answers.sources import Memory
from redblue.answers.words import words_of
from redblue.emission.buffers import NoBufferError, Plan
from redblue.emission.expressions import shown
from redblue.emission.forms import Form, Text, text_of
from redblue.emission.generation import Generation
from redblue.emission.nodes import Node, When
from redblue.emission.obstacles import method_of, without_code
from redblue.emission.orders import forbidding
from redblue.emission.original import Original
from redblue.emission.ranges import Ranges
from redblue.emission.registers import keep_sums
from redblue.emission.search import EmissionSearch, count, needed
from redblue.emission.source import (
    COUNTERS,
    Interface,
    assembled,
    buffer_names,
    declared,
    text_lines,
)
from redblue.emission.statements import OPERATIONS, Nest
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.rows import table
from redblue.version import __version__

POLICIES: Final = ("scratchpad", "cache")
MOST_RUNS: Final = 2**60  # of statements, whose words are added up in 64 bits
MOST_SIDE: Final = 2**31 - 1
SEARCH: Final = 20.0  # seconds of work for the search for tiles
PART: Final = 0.5  # of a time limit, of which that search may use as many seconds of work
GENERAL: Final = 1.02  # times the words of code for given sizes alone, that code for all may move
BESIDE: Final = 5.0  # seconds of work for the best play and bound beside it
SETS, LINES = 0.6, 0.8  # of a cache in lines what tiles may take: of one in sets, and of others


@dataclass(frozen=True, repr=False)
class Emission(Printed):
    """C code of a program, and the claims on it.

    Parameters
    ----------
    source
        The file.
    tiling
        Loops of each part, outermost first, in words.
    tiled
        Whether any loop goes on in chunks; the order is that of single values otherwise.
    policy
        Whether buffers hold words that are read again, "scratchpad", or a "cache" of LRU.
    memory, words
        Words of fast memory, and how many of them buffers and scalars take at most.
    loads, stores
        Words of the code at `sizes`; with a cache those expected of its tiles.
    sizes
        Values of its sizes.
    buffers
        Names and sizes of its buffers.
    best_play, bound
        Words of the best play of the DAG that was found, and of every play; None where none is
        known.
    plan, interface, nodes
        The source of the file.
    forbidding
        The dependence that keeps loops in one order alone, where there are no tiles.
    best_method
        The method of the best play, where that moves fewer words than the code.
    obstacle
        Why the best tiling that the code could start from is no code; None where it is.
    """

    source: str
    tiling: str
    tiled: bool
    policy: str
    memory: int
    words: int
    loads: int
    stores: int
    sizes: Mapping[str, int]
    buffers: Mapping[str, int]
    best_play: int | None
    bound: int | None
    plan: Plan
    interface: Interface
    nodes: tuple[Node, ...]
    forbidding: str | None = None
    best_method: str | None = None
    obstacle: str | None = None

    @property
    def without_code(self) -> WithoutCode | None:
        """The best play, where that moves fewer words than the code, and why it is none."""
        if self.best_play is None or self.best_method is None:
            return None
        return without_code(self.memory, self.best_play, self.best_method, self.io, self.obstacle)

    def __repr__(self) -> str:
        return f"<Emission: {self.io} words with M = {self.memory}, {self.tiling}>"

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.loads + self.stores

    def overview(self) -> tuple[Table]:
        """What is claimed of the code, in a line."""
        claims = table(
            "emission", self.interface.function, [self], "M <- memory", "words <- io",
            "loads <- loads", "stores <- stores", "best play <- best_play", "at least <- bound",
            "memory taken <- words", "loops <- tiling",
        )  # fmt: skip
        return (claims,)

    def shown(self) -> tuple[str]:
        """The sentences on the code."""
        order = "tiles" if self.tiled else "the order is that of single values"
        lines = [
            f"{'moves' if self.policy == 'scratchpad' else 'should move'} {self.io:,} words: "
            f"{self.loads:,} loads and {self.stores:,} stores, with {self.words:,} of "
            f"{self.memory:,} words; {order}: {self.tiling}"
        ]
        if self.forbidding is not None:
            lines.append(self.forbidding)
        if self.without_code is not None:
            lines.append(str(self.without_code))
        elif self.best_play is not None:
            ratio = self.io / max(self.best_play, 1)
            lines.append(
                f"the best known schedule of the DAG moves {self.best_play:,}: "
                f"the code moves {ratio:.3f} times as much"
            )
        if self.bound is not None:
            lines.append(f"no schedule moves fewer than {self.bound:,}")
        return ("\n".join(lines),)

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        return {
            "policy": self.policy,
            "memory": self.memory,
            "sizes": dict(self.sizes),
            "words": self.words,
            "loads": self.loads,
            "stores": self.stores,
            "io": self.io,
            "best_play": self.best_play,
            "bound": self.bound,
            "tiled": self.tiled,
            "forbidding": self.forbidding,
            "without_code": None if self.without_code is None else asdict(self.without_code),
            "tiling": self.tiling,
            "buffers": dict(self.buffers),
            "source": self.source,
        }


@checked
@bounded_isl(OPERATIONS)
def emit(
    spec: str | Program,
    memory: Memory,
    *,
    policy: str = "scratchpad",
    line: int = 1,
    ways: int = 0,
    sizes: Mapping[str, int] | None = None,
    tiles: Mapping[str, int] | None = None,
    fix: Mapping[str, int] | None = None,
    registers: int = 0,
    effort: str | float = BESIDE,
    work: float = SEARCH,
    time_limit: float | None = None,
    compare: float | None = None,
) -> Emission:
    """C code of a loop nest that moves as few words as can be found.

    Parameters
    ----------
    spec
        A program with its sizes, as `redblue.load` takes it, or one that was read.
    memory
        Words of fast memory, or a text like "48KiB".
    policy
        The holder of words that are read again: buffers in the code, a "scratchpad", or a "cache".
    line, ways
        Words of a line of the cache, and lines of a set; 0 where a line may be anywhere.
    sizes
        Values of the sizes of a program that was read.
    tiles
        Sides of tiles by loops, the outermost first; others are chosen.
    fix
        Sizes that are numbers in the code, not parameters.
    registers
        Values of sums that a processor has registers for; 0 for none that stay there.
    effort
        How hard to look for the best play and bound beside it: "quick", "normal", "high", or
        seconds of work; 0 and "quick" for neither.
    work
        Seconds of work, as `dags.work` counts it, after which no more tiles are looked at.
    time_limit
        Seconds for all of it, of which the search for tiles has half; None for none.
    compare
        The older name of `effort`.

    Raises
    ------
    EmissionError, NotReadError
        If no C can be made of it.
    NoBufferError
        If no order has buffers that fit.
    """
    words = words_of(memory, spec)
    if sizes and isinstance(spec, str):
        raise InvalidSpecError(f"sizes are for a program that was read: {spec} has its own")
    text = prepared(spec, sizes, fix)
    loops = {
        loop.variable: None
        for form in text.forms
        for step in form.nest.steps
        for loop in step.loops
    }
    for name, side in (tiles or {}).items():
        if name not in loops:
            raise InvalidSpecError(f"no loop is over {name[:40]!a}: there are {', '.join(loops)}")
        if not 1 <= side <= MOST_SIDE:
            raise InvalidSpecError(f"a tile has 1 to {MOST_SIDE:,} values of {name}, not {side:,}")
    text = replace(text, forms=_with_loops(text.forms, tiles or {}))
    if policy == "cache" or registers or tiles:  # which tilings of curves know nothing of
        text = replace(text, forms=tuple(form for form in text.forms if not form.is_text))
    if policy not in POLICIES:
        raise UnknownNameError("policy", policy, POLICIES)
    cached = policy == "cache"
    room = int(words * (SETS if ways else LINES)) if cached and line > 1 else words
    seconds = work if time_limit is None else min(work, PART * time_limit)
    searches = [
        EmissionSearch(
            form.nest,
            form.sizes,
            form.live,
            sides=tiles,
            cached=cached,
            line=line,
            registers=registers,
            by_tilings=form.is_text,
            tilings=seconds,
        )
        for form in text.forms
    ]
    beside = most_seconds(effort if compare is None else compare)
    limit = None if time_limit is None else Clock(time_limit)
    with under(running_clock() or limit):
        best = _best(text, searches, room, seconds)
        play, bound = _beside(spec, words, beside) if isinstance(spec, str) else (None, None)
    method, code = None, sum(best.words)
    if play is not None and policy == "scratchpad":
        method = play.method if play.words < code else None
        play = play._replace(words=min(play.words, code))  # which is a play, too
    emission = _emission(best, text, words, None if play is None else play.words, bound, policy)
    # the last nest is the one at the given sizes alone, for which most tilings are code
    moved, obstacle = min(searches[-1].obstacles, default=(code, None))
    return replace(emission, best_method=method, obstacle=obstacle if moved < code else None)


def _with_loops(forms: Sequence[Form], tiles: Mapping[str, int]) -> tuple[Form, ...]:
    """The nests of a text that have all loops of which sides are asked for."""
    pairs = (
        (form, {loop.variable for step in form.nest.steps for loop in step.loops}) for form in forms
    )
    return tuple(form for form, loops in pairs if loops.issuperset(tiles)) or tuple(forms[:1])


@bounded_isl(OPERATIONS)
def prepared(
    spec: str | Program,
    sizes: Mapping[str, int] | None = None,
    fix: Mapping[str, int] | None = None,
) -> Text:
    """A text of which C can be made, at some sizes.

    Parameters
    ----------
    spec, sizes, fix
        As `emit` takes them.

    Raises
    ------
    EmissionError, NotReadError, InvalidSpecError
        If no C can be made of it.
    """
    if isl is None:
        raise NotReadError("islpy is not installed, which emitted code takes")
    program, values, live = _read(spec, sizes or {})
    for name, value in (fix or {}).items():
        if values.get(name, value) != value:
            raise InvalidSpecError(f"{name} is {values[name]} and cannot be fixed to {value}")
    fixed = {**_of_text(program, values), **(fix or {})}
    values = {name: value for name, value in values.items() if name not in fixed}
    if any(value < 1 for value in values.values()):
        raise InvalidSpecError("code is emitted for sizes of at least 1")
    nest = Nest(program, fixed)
    if not nest.steps:
        raise InvalidSpecError(f"{program.name}: nothing is computed, whatever the sizes")
    ranges = Ranges(nest, values)
    runs = sum(ranges.box(step) for step in nest.steps)
    if runs >= MOST_RUNS:
        raise InvalidSpecError(
            f"{runs:,} runs of statements are too many: words of code are counted up to "
            f"{MOST_RUNS:,} runs"
        )
    if (array := nest.left(values)) is not None:
        raise InvalidSpecError(
            f"an index of {array[:40]!a} leaves it at these sizes: declare more cells"
        )
    return text_of(program, values, live, fixed)


def _of_text(program: Program, values: Mapping[str, int]) -> dict[str, int]:
    """The sizes that are numbers in a C text, by #define, and that no caller gives."""
    if program.types is None or program.parameters is None:
        return {}
    names = (name for name in program.defaults if name not in program.parameters)
    return {name: values[name] for name in names if name in values}


@dataclass(frozen=True)
class _Best:
    """The best plan of the nests of a text, its loads and stores, and whether it has tiles."""

    form: Form
    plan: Plan
    words: tuple[int, int]
    is_tiled: bool
    cost: float


def _best(text: Text, searches: Sequence[EmissionSearch], memory: int, seconds: float) -> _Best:
    """The best plan of all nests that may be tiled in the place of a text.

    Parameters
    ----------
    text, searches
        The text, and the search of each of its nests.
    memory, seconds
        Words of fast memory, and the time for all of them.

    Raises
    ------
    NoBufferError
        If no order of any of them has buffers that fit.
    """
    best: _Best | None = None
    problem: NoBufferError | None = None
    spent = 0.0
    searched = sum(not form.is_text for form in text.forms)
    for form, search in zip(text.forms, searches, strict=True):
        # the text has all the time, and each other nest what is left of it, or its share at least
        left = seconds if form.is_text else max(seconds - spent, seconds / searched)
        try:
            order, depths, is_tiled, cost = search.best(memory, left)
        except NoBufferError as error:
            problem = problem or error
            continue
        finally:
            spent += search.budget.spent
        # code for all sizes is printed where it moves hardly more
        if best is None or cost * (GENERAL if form.is_text else 1.0) < best.cost:
            plan = Plan(form.nest, order, depths, form.live, at=search.at)
            face = Interface(text.nest, text.live)
            words = claimed(plan, face, form.sizes)
            best = _Best(form, plan, words, is_tiled, cost)
        if best.cost <= search.least:
            break
    if best is None:
        assert problem is not None
        raise problem
    return best


def _read(
    spec: str | Program, sizes: Mapping[str, int]
) -> tuple[Program, dict[str, int], tuple[str, ...]]:
    """A program, values of its sizes, and the arrays whose last values are outputs."""
    options: dict[str, Any] = {}
    place = "the program"
    if isinstance(spec, Program):
        program = spec
    elif leaves.is_of("programs", spec):
        known = leaves.reader("programs").program_spec(spec)
        program, sizes, options, place = known.program, known.sizes, known.options, known.place
        if options.get("level", "statement") != "statement":
            raise InvalidSpecError("code moves the values of statements: leave out level=operation")
    else:
        computation = Computation(spec)
        known = None if computation.member is None else instance_of_member(spec)
        if known is None:
            raise InvalidSpecError(f"{spec} is no loop nest; --straight takes any small DAG")
        program, sizes = known.program, known.sizes
    try:
        values = values_of(program, sizes)
        live = known_names(program, options.get("live"), "live", program.live_by_default())
        if options.get("constants") is not None:
            named = known_names(program, options["constants"], "constants", ())
            program = replace(program, constants=tuple(named))
    except ProgramError as error:
        raise FormatError(place, error.message, error.line) from None
    return program, dict(values), tuple(live)


class _Play(NamedTuple):
    """The words of the best play that is known, and the method that found it."""

    words: int
    method: str


def _beside(spec: str, memory: int, seconds: float) -> tuple[_Play | None, int | None]:
    """The best play that is found in some seconds, and the best bound."""
    if seconds <= 0:
        return None, None
    from dags import load
    from redblue.answers.counted.curves import counted_curve
    from redblue.racing.solving import solve

    plays, bounds = list[_Play](), list[int]()
    vertices = 0
    try:
        known = Computation(spec)
        vertices = known.sizes.vertices
        curve = counted_curve(known, [memory])
        plays += [
            _Play(words, method_of(curve.rows, words)) for _, words in curve.envelope("upper")
        ]
        bounds += [words for _, words in curve.envelope("lower")]
    except (NotReadError, MemoryTooSmallError):
        pass
    if vertices <= LARGE and (dag := load(spec)).n <= LARGE:
        answer = solve(dag, memory, effort=seconds, spec=spec)
        plays.append(_Play(answer.count.io, answer.method))
        bounds.append(answer.lower_bound)
    return min(plays, key=itemgetter(0), default=None), max(bounds, default=None)


LARGE: Final = 1 << 18  # vertices of a DAG of which no play is looked for


def _emission(
    best: _Best, text: Text, memory: int, play: int | None, bound: int | None, policy: str
) -> Emission:
    plan, sizes, is_tiled = best.plan, text.sizes, best.is_tiled
    interface = Interface(text.nest, text.live, best.form)
    loads, stores = best.words
    words = needed(plan, cached=policy == "cache")
    if policy == "cache":
        plan = plan.without_buffers()
    keep_sums(plan)
    names = buffer_names(plan, interface.names)
    before, after = interface.frame()
    tiles = Generation(plan, interface.names, names, best.form.cells).nodes()
    only = {interface.names[name]: value for name, value in best.form.only.items()}
    if only:
        test = " && ".join(f"{name} == {value}" for name, value in only.items())
        tiles = (When(test, tiles, Original(interface).nodes()),)
    nodes = (*before, *tiles, *after)
    sizes_said = " ".join(f"{interface.names[name]}={sizes[name]}" for name in interface.sizes)
    proved = f"; no schedule moves < {bound}" if bound is not None else ""
    comment = [
        f"{interface.function}, {'tiles for' if is_tiled else 'in single values,'} M = {memory} "
        f"words. redblue emit {__version__}, program sha256 {plan.nest.program.digest[:8]}.",
        f"At {sizes_said}: {loads} loads + {stores} stores{proved}."
        if sizes_said
        else f"{loads} loads + {stores} stores{proved}.",
        f"{'A cache of LRU' if policy == 'cache' else 'This'} takes {words} words. "
        + ("Other sizes take the loops of the text." if only else "For sizes of at least 1."),
    ]
    source = assembled(
        interface, comment, declared(plan, interface, names), text_lines(nodes), counters=COUNTERS
    )
    return Emission(
        source=source,
        tiling=tiling_text(plan),
        tiled=is_tiled,
        memory=memory,
        policy=policy,
        words=words,
        loads=loads,
        stores=stores,
        sizes=dict(sizes),
        buffers={name: buffer.words for name, buffer in zip(names, plan.buffers, strict=False)},
        best_play=play,
        bound=bound,
        plan=plan,
        interface=interface,
        nodes=nodes,
        forbidding=None if is_tiled else forbidding(best.form.nest),
    )


def claimed(plan: Plan, interface: Interface, sizes: Mapping[str, int]) -> tuple[int, int]:
    """The loads and stores of code at some sizes, by formula."""
    before, after = interface.frame()
    loads, stores = count(plan, sizes)
    return loads + sum(move.loads for move in before), stores + len(after)


def tiling_text(plan: Plan) -> str:
    """The loops of each part of a program, outermost first."""
    parts: dict[int, str] = {}
    for step in sorted(
        plan.nest.steps, key=lambda step: (-len(plan.order.chunks(step.name)), -step.depth)
    ):
        chunks = plan.order.chunks(step.name)
        names = {f"c{number}": loop.variable for number, loop in enumerate(step.loops)}
        texts = []
        for chunk in chunks:
            form = chunk.form
            terms = tuple((names.get(name, "N"), factor) for name, factor in form.terms)
            texts.append(shown(replace(form, terms=terms)) + f" by {chunk.size}" * (chunk.size > 1))
        parts.setdefault(plan.order.phase(step.name), ", ".join(texts) or "no loop")
    return "; ".join(parts[phase] for phase in sorted(parts))
