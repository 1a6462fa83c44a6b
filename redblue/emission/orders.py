"""Orders of a nest as trees of loops: that of the text, and those that isl's scheduler finds.

An order gives each statement a path: numbers and levels take turns, a number first and last. A
level is a form of the statement's loops that goes on in chunks. The levels of a **band** may be
taken in any order, and in chunks of any size.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, TypeVar

from dags.programs.affine import Affine, combination, number, variable
from dags.programs.integer_sets import A_SECOND, isl, maps
from dags.work import charge
from pebble import UNLIMITED, Budget
from redblue.emission.statements import Nest, Step


@dataclass(frozen=True)
class Level:
    """A loop of an order.

    Parameters
    ----------
    key
        Which one: statements that share it have it in common.
    form
        Its value, as a form of loops c0, c1, ... and sizes n0, n1, ....
    band
        The band that it belongs to; None if it keeps its place.
    """

    key: int
    form: Affine
    band: int | None


Path = tuple[int | Level, ...]
SWITCHES: Final = "serialize_sccs", "whole_component", "maximize_coincidence", "outer_coincidence"
OPTIONS: Final = (  # of isl's scheduler; plain: parallel loops are not looked for
    "",
    "plain",
    "whole_component",
    "whole_component reads",  # what reads the same comes together
    "maximize_coincidence",
    "serialize_sccs",
    "outer_coincidence",
)
LARGEST: Final = 100  # of sizes that are numbers; isl does not end with larger ones fused
SIMPLE: Final = ("serialize_sccs",)  # options with which isl ends, whatever numbers there are
OPERATIONS: Final = 5 * A_SECOND  # of isl for one order
Tree = Mapping[str, Path]
T = TypeVar("T")


def text_tree(nest: Nest) -> Tree:
    """The order of the text."""
    keys: dict[tuple[str, ...], int] = {}
    paths: dict[str, list[int | Level]] = {}
    for step in nest.steps:
        path: list[int | Level] = []
        for position, index in enumerate(step.row.time):
            if "c" in index:
                sign = -1 if index.startswith("-") else 1
                key = keys.setdefault(step.row.time[: position + 1], len(keys))
                path.append(Level(key, variable(index.lstrip("-")).times(sign), None))
            else:
                path.append(int(index))
        paths[step.name] = path
    return alternating(paths)


def banded_tree(nest: Nest) -> Tree:
    """The order of the text with its loops in bands: neighbours that may be permuted.

    Loops of one band are around the same statements, and no dependence that the loops outside of
    the band leave goes back in any of them.
    """
    plain = text_tree(nest)
    bands: dict[int, int] = {}
    levels = {
        name: [level for level in path if isinstance(level, Level)] for name, path in plain.items()
    }
    keys = {name: {level.key for level in path} for name, path in levels.items()}
    names = {
        key: frozenset(name for name in levels if key in keys[name])
        for key in set[int]().union(*keys.values())
    }
    for path in levels.values():
        first = 0
        for place, level in enumerate(path):
            is_alike = place > first and names[path[first].key] == names[level.key]
            if not is_alike or not _go_on(nest, names[level.key], levels, first, place):
                first = place
            bands.setdefault(level.key, path[first].key)
    return {
        name: tuple(
            replace(part, band=bands[part.key]) if isinstance(part, Level) else part
            for part in path
        )
        for name, path in plain.items()
    }


def _go_on(
    nest: Nest,
    names: Collection[str],
    levels: Mapping[str, Sequence[Level]],
    first: int,
    place: int,
) -> bool:
    """Whether no dependence goes back in a level that comes behind those of a band."""
    return bool(_going_back(nest, names, levels, first, place).is_empty())


def _going_back(
    nest: Nest,
    names: Collection[str],
    levels: Mapping[str, Sequence[Level]],
    first: int,
    place: int,
) -> Any:
    """The dependences that loops outside of a band leave, and that go back in a level."""

    def times(end: int, start: int = 0) -> Any:
        coordinates = {
            name: tuple(str(level.form) for level in levels[name][start:end]) for name in names
        }
        return nest.timed(coordinates, end - start)

    schedule = times(place + 1, place)
    asked = nest.dependences.intersect_domain(schedule.domain()).intersect_range(schedule.domain())
    if first:
        outer = times(first)
        asked = asked.intersect(outer.apply_range(outer.reverse()))
    return asked.subtract(schedule.lex_le_union_map(schedule))


def forbidding(nest: Nest) -> str | None:
    """Which dependence has two loops of a text in one order alone; None if none does."""
    plain = text_tree(nest)
    levels = {name: [o for o in path if isinstance(o, Level)] for name, path in plain.items()}
    for step in sorted(nest.steps, key=lambda step: -step.depth):
        path = levels[step.name]
        for depth in range(1, len(path)):
            names = [name for name in levels if path[depth] in levels[name][depth : depth + 1]]
            back = _going_back(nest, names, levels, depth - 1, depth)
            if back.is_empty():
                continue
            relation = maps(back)[0]
            ends = [relation.get_tuple_name(kind) for kind in (isl.dim_type.in_, isl.dim_type.out)]
            source, reader = (nest.of[end] for end in ends)
            array = next(
                array for array in nest.arrays if _waits_for(nest, source, reader, array, back)
            )
            outer, inner = (step.loops[place].variable for place in (depth - 1, depth))
            lines = f"line {reader.assign.line} waits for {array} of line {source.assign.line}"
            loops = f"{outer} and {inner}"
            return f"no tile has loops {loops}: {lines} at an earlier {outer} and a later {inner}"
    return None


def alternating(paths: Mapping[str, Sequence[T]]) -> dict[str, tuple[T, ...]]:
    """Paths in which numbers and levels take turns, a number first and last.

    Several numbers in a row are one: their place among those of all that have come so far together.
    """
    alternating_paths: dict[str, list[Any]] = {name: [] for name in paths}
    _alternate({name: list(path) for name, path in paths.items()}, alternating_paths)
    return {name: tuple(path) for name, path in alternating_paths.items()}


def _alternate(left: dict[str, list[Any]], result: dict[str, list[Any]]) -> None:
    ahead = {name: tuple(takewhile(_is_number, path)) for name, path in left.items()}
    ranks = {numbers: number for number, numbers in enumerate(sorted(set(ahead.values())))}
    groups: dict[Any, dict[str, list[Any]]] = {}
    for name, path in left.items():
        rank = ranks[ahead[name]]
        result[name].append(rank)
        remaining = path[len(ahead[name]) :]
        if remaining:
            result[name].append(remaining[0])
            groups.setdefault(rank, {})[name] = remaining[1:]
    for group in groups.values():
        _alternate(group, result)


def _is_number(step: Any) -> bool:
    return isinstance(step, int)


def scheduled_trees(nest: Nest, budget: Budget = UNLIMITED) -> Iterator[Tree]:
    """Yield the orders that isl's scheduler finds, statements fused in several ways or not.

    Parameters
    ----------
    nest
        The program.
    budget
        After which nothing new is asked of isl.
    """
    trees = list[Tree]()
    largest = max(nest.fixed.values(), default=0)
    options_tried = SIMPLE if nest.general is not None and largest > LARGEST else OPTIONS
    for attempt, options in enumerate(options_tried):
        if "whole_component" in options and largest > LARGEST:
            continue
        if attempt and budget.over:
            return
        charge("isl tree", len(nest.steps))
        root = _scheduled(nest, options.split())
        if root is None:
            continue
        paths: dict[str, list[int | Level]] = {step.name: [] for step in nest.steps}
        _Walk(nest, paths).node(root.child(0), set(paths))
        text = {name: place for place, name in enumerate(paths)}
        tree = alternating({name: [*path, text[name]] for name, path in paths.items()})
        if tree not in trees:
            trees.append(tree)
            yield tree


def trees_of_all_sizes(nest: Nest, budget: Budget = UNLIMITED) -> Iterator[Tree]:
    """Yield the orders that isl finds where no size is fixed, of a program in which some are.

    Parameters
    ----------
    nest, budget
        As `scheduled_trees` takes them.
    """
    if nest.general is None:
        return
    sizes = nest.general.program.sizes
    left = {name: variable(f"n{number}") for number, name in enumerate(nest.program.sizes)}
    forms = {
        f"n{position}": left[name] if name in left else number(nest.fixed[name])
        for position, name in enumerate(sizes)
    }
    for tree in scheduled_trees(nest.general, budget):
        yield {
            step.name: tuple(
                replace(part, form=part.form.replaced(forms)) if isinstance(part, Level) else part
                for part in tree[step.name]
            )
            for step in nest.steps
        }


def aligned_tree(nest: Nest, tree: Tree) -> Tree | None:
    """An order in which statements run later, beside others; None if none does.

    isl puts what reads nothing first, a sum's zero before the loop over sums. Where a statement has
    a constant at a level that others share, and a loop of its own inside, that loop may be its
    place at the level.

    Parameters
    ----------
    nest, tree
        The program, and one of its orders.
    """
    sharing: dict[int, int] = {}
    for path in tree.values():
        for level in path[1::2]:
            assert isinstance(level, Level)
            sharing[level.key] = sharing.get(level.key, 0) + 1
    aligned = dict(tree)
    for name, path in tree.items():
        levels = [level for level in path if isinstance(level, Level)]
        places = [
            position for position, o in enumerate(levels) if not _has_loop(o) and sharing[o.key] > 1
        ]
        single = [
            position for position, o in enumerate(levels) if _has_loop(o) and sharing[o.key] == 1
        ]
        if not (places and single and places[-1] < single[0]):
            continue
        moved = [*path]
        moved[2 * places[-1] + 1] = replace(levels[places[-1]], form=levels[single[0]].form)
        del moved[2 * single[0] : 2 * single[0] + 2]
        changed = aligned | {name: tuple(moved)}
        if _is_legal(nest, changed):
            aligned = changed
    return None if aligned == tree else alternating(aligned)


def _has_loop(level: Level) -> bool:
    """Whether the value of a level depends on a loop."""
    return any(name.startswith("c") for name in level.form.names)


def _is_legal(nest: Nest, tree: Tree) -> bool:
    """Whether a tree is an order of the program."""
    times = {
        name: tuple(str(part.form) if isinstance(part, Level) else str(part) for part in path)
        for name, path in tree.items()
    }
    return bool(nest.is_legal(nest.timed(times, max(map(len, times.values())))))


def _scheduled(nest: Nest, options: Sequence[str]) -> Any:
    """The root of a schedule of isl with some of its options; None if it finds none."""
    far = nest.dependences
    asked = isl.ScheduleConstraints.on_domain(nest.text_time.domain()).set_validity(far)
    asked = asked.set_proximity(nest.near if "reads" in options else far).set_context(nest.context)
    if "plain" not in options:
        asked = asked.set_coincidence(far)
    values = {name: int(name in options) for name in SWITCHES}
    values["separate_components"] = int("reads" not in options)
    context = isl.DEFAULT_CONTEXT
    limit = context.get_max_operations()
    try:
        for name, value in values.items():
            getattr(context, f"set_schedule_{name}")(value)
        context.reset_operations()
        context.set_max_operations(min(limit or OPERATIONS, OPERATIONS))
        return asked.compute_schedule().get_root()
    except isl.Error:
        return None
    finally:
        context.set_max_operations(limit)


class _Walk:
    """Goes through a tree of isl and gathers the paths of statements."""

    def __init__(self, nest: Nest, paths: dict[str, list[int | Level]]) -> None:
        self.nest, self.paths = nest, paths
        self.keys = self.bands = 0

    def node(self, node: Any, names: set[str]) -> None:
        """Go through a node that some statements are in."""
        kind = node.get_type()
        kinds = isl.schedule_node_type
        if kind == kinds.band:
            self.band(node, names)
            self.node(node.child(0), names)
        elif kind in (kinds.sequence, kinds.set):
            for place in range(node.n_children()):
                child = node.child(place)
                members = names & _names_of(child.filter_get_filter())
                for name in members:
                    self.paths[name].append(place)
                self.node(child.child(0), members)
        elif kind != kinds.leaf:
            self.node(node.child(0), names)

    def band(self, node: Any, names: set[str]) -> None:
        """Take the levels of a band."""
        partial = node.band_get_partial_schedule()
        permutable = node.band_get_permutable()
        for place in range(node.band_n_member()):
            forms = _forms(partial.get_at(place))
            for name in names:
                band = self.bands if permutable else None
                self.paths[name].append(Level(self.keys, forms[name], band))
            self.keys += 1
        self.bands += 1


def _names_of(union: Any) -> set[str]:
    listed = union.get_set_list()
    return {listed.get_at(position).get_tuple_name() for position in range(listed.n_set())}


def _forms(function: Any) -> dict[str, Affine]:
    """The form of each statement in a function of several."""
    forms = {}
    listed = function.get_pw_aff_list()
    for position in range(listed.n_pw_aff()):
        piecewise = listed.get_at(position)
        pieces: list[Any] = []
        piecewise.foreach_piece(lambda _, piece, into=pieces: into.append(piece))
        (piece,) = pieces
        terms = {}
        for kind, letter in ((isl.dim_type.in_, "c"), (isl.dim_type.param, "n")):
            for place in range(piece.dim(kind)):
                value = piece.get_coefficient_val(kind, place).to_python()
                if value:
                    terms[f"{letter}{place}"] = int(value)
        constant = int(piece.get_constant_val().to_python())
        forms[piecewise.domain().get_tuple_name()] = combination(terms, constant)
    return forms


def _waits_for(nest: Nest, source: Step, reader: Step, array: str, dependences: Any) -> bool:
    """Whether one of some dependences between two statements is by an array."""
    cells = [
        nest.union(nest.access(step, access) for access in step.accesses if access.array == array)
        for step in (source, reader)
    ]
    return not cells[0].apply_range(cells[1].reverse()).intersect(dependences).is_empty()
