"""Laws of programs without sizes: items of windows of updates, as polynomials in sizes.

Numbers of the spaces of updates that `affine` finds in a small DAG are counted for all sizes
(`symbolic`), or else interpolated over small ones and compared at further ones: then a law is a
trend, which `affine` proves for the DAG of given sizes. Likewise with the lattices that `uniform`
finds where updates read at constant distances, and with the values that wait in iterations of
outer loops, which `slices` finds: where M is small beside the sizes, these are words of the leading
term.

A term is a law where some play moves words in proportion to it: tiles, which dependences let be
played one after the other (`legal`). Others are lower bounds, and no more. Tiles are drawn together
to one point each, and all other vertices stay. If two tiles are then on a circle, each waits for a
value that the other makes, and neither can be computed first; a tile and vertices that are no
updates may be on one. Likewise with slices, which a tile computes one after another along its line.

With B the distances and 0, which span d dimensions, |V + B|^(1/d) >= |V|^(1/d) + b, b = ((|B| - d)
/ d!)^(1/d) (R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality for the integer lattice,
Transactions of the AMS 2001; known to us by its abstract). On two sides that makes 2 (d - 1) b^(d /
(d - 1)) U / M^(1 / (d - 1)) words in the leading term, the coefficient that is told; the bound of
`uniform` at finite sizes rests on S10 instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import factorial
from typing import Any, Final

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.programs import Program
from proofs.base import NotApplicableError
from proofs.bounds.loops.space_search import HeldSpace
from proofs.bounds.loops.spaces import reads_its_own
from proofs.laws.exponents import coefficient_of
from proofs.laws.polynomials import Polynomial
from proofs.laws.program_law import ProgramLaw
from proofs.laws.small_sizes import LARGE, Family
from proofs.laws.symbolic.proved import Counting, Form
from proofs.laws.tiles import Tile, tile_of_distances, tiles_of_shape
from proofs.lemmas.loops.hbl import Measure
from proofs.lemmas.loops.program_space import STATEMENT, program_space
from proofs.lemmas.loops.program_updates import LETTERS
from proofs.lemmas.loops.uniform import lattice_of

SIDES: Final = (2, 3)  # of small tiles that are tried
MOST_WAITING: Final = 0.4  # of the updates of a small DAG: in slices that meet themselves
NO_TILE: Final = -1
TRIED: Final = 12  # spaces, the ones with the largest leading terms first
SOME_MEMORY: Final = 16  # words: a term that is not above the compulsory words there is none
TILES: Final = 24  # shapes of tiles of a space that are looked at


def law(program: Program, **options: Any) -> ProgramLaw:
    """The law of a program, for all sizes: the term that is largest where M is small.

    Parameters
    ----------
    program
        A loop nest.
    options
        Arguments of `dags.programs.instantiate` other than sizes: live, constants, level.

    Raises
    ------
    NotApplicableError
        If there is no polynomial for the words of all sizes.

    Examples
    --------
    >>> from dags.programs.text.library import polybench
    >>> found = law(polybench("cholesky"))
    >>> print(found.exponent, found.degree, round(found.leading, 4), found.updates)
    -1/2 3 0.2357 N^3/6 - N^2/2 + N/3
    """
    laws = terms(program, **options)
    compulsory = next(laws)
    return next(laws, compulsory)


def terms(
    program: Program, *, compulsory_only: bool = False, **options: Any
) -> Iterator[ProgramLaw]:
    """Yield laws that hold for a program: the compulsory words, then terms that may be above them.

    Parameters
    ----------
    program, options
        As for `law`.
    compulsory_only
        Whether no DAG of small sizes is searched for terms: sums in any order have none.

    Raises
    ------
    NotApplicableError
        If there is no polynomial for the words of all sizes.
    """
    counting = Counting(program, options)
    family = Family(program, options)
    plain = next(counting.forms(), None)
    words = plain[0].compulsory if plain else family.polynomial(family.compulsory)
    if words is None:
        raise NotApplicableError(f"the words of {program.name} are no polynomial in its sizes")
    zero = Polynomial(words.variables, {})
    proof = plain[1] if plain else None
    yield ProgramLaw(Fraction(0), 1.0, words, zero, words, proof=proof)
    if compulsory_only:
        return
    try:
        family.dag(family.tried)
    except NotApplicableError:
        return  # too many loops for a small DAG
    for space, powers in islice(family.spaces(), TRIED):
        if (law_of_space := _of_space(family, counting, words, space, powers)) is not None:
            yield law_of_space
    yield from _at_constant_distances(family, words)
    if (waits := family.waiting(words)) is not None:
        yield ProgramLaw(Fraction(0), 1.0, waits[0], zero, words, room=waits[1])


def _of_space(
    family: Family,
    counting: Counting,
    compulsory: Polynomial,
    space: HeldSpace,
    powers: Mapping[str, Fraction],
) -> ProgramLaw | None:
    """The law of a space of updates; None where it is not above the compulsory words."""
    counted = (
        (form, proof)
        for form, proof in counting.forms(space.space, family.tried)
        if _is_of(form, space, family.tried)
    )
    if (first := next(counted, None)) is not None:
        form, proof = first
    elif (known := family.premises(space)) is not None:
        form, proof = Form(compulsory, None, None, known.updates, known.gain, known.ranges), None
    else:
        return None
    assert form.updates is not None
    assert form.gain is not None
    exponent = 1 - sum(powers.values(), Fraction(0))
    coefficient = coefficient_of(space.shape, powers)
    if not _rules(coefficient, form.updates, -exponent, compulsory.minus(form.gain)):
        return None
    if form.gain.degree >= form.updates.degree and form.gain.at_equal_sizes < 0:
        return None
    return ProgramLaw(
        exponent,
        coefficient,
        form.updates,
        form.gain,
        compulsory,
        space.shape,
        ranges=form.ranges or {},
        tile=_tile_of_space(family, space, exponent),
        proof=proof,
    )


def _rules(coefficient: float, updates: Polynomial, power: Fraction, under: Polynomial) -> bool:
    """Whether a term is above others for large sizes and more than some words of memory."""
    far = dict.fromkeys(updates.variables, LARGE)
    words: float = coefficient * float(updates(far)) / float(SOME_MEMORY) ** float(power)
    return bool(words > float(under(far)))


def _is_of(form: Form, space: HeldSpace, sizes: Mapping[str, int]) -> bool:
    """Whether the numbers that were counted are those of the DAG of some sizes."""
    assert form.updates is not None
    assert form.gain is not None
    return form.updates(sizes) == space.updates and form.gain(sizes) == space.gain


def _at_constant_distances(family: Family, compulsory: Polynomial) -> list[ProgramLaw]:
    """The law of updates at constant distances with the largest coefficient, or none.

    Among equals, the one with most words to add where sizes are large.
    """
    laws: list[ProgramLaw] = []
    for description, distances in family.lattices():
        if laws and laws[0].distances is not None and len(distances) < len(laws[0].distances):
            break
        updates, gain = family.lattice(description, compulsory)
        if updates is None or gain is None or not gain.degree < updates.degree:
            continue
        d = len(distances[0])
        span = ((len(distances) + 1 - d) / factorial(d)) ** (1 / (d - 1))
        coefficient, power = 2 * (d - 1) * span, Fraction(-1, d - 1)
        if not _rules(coefficient, updates, -power, compulsory.minus(gain)):
            continue
        tile = _tile_of_lattice(family, description)
        law_found = ProgramLaw(
            power, coefficient, updates, gain, compulsory, None, distances, tile=tile
        )
        laws.append(law_found)
    far = dict.fromkeys(compulsory.variables, LARGE)
    return sorted(laws, key=lambda law: -law.gain(far))[:1]


def _tile_of_space(family: Family, found: HeldSpace, exponent: Fraction) -> Tile | None:
    """The best tile of a space that dependences let be played and that has the exponent."""
    arrays = enumerate(found.space["arrays"])
    names = {
        f"array {n}" for n, array in arrays if not array["by_value"] and len(array["slots"]) <= 1
    }
    dag = family.dag(family.tried)
    assert dag.origin is not None  # it is laid out from a program
    if any(
        reads_its_own(dag, dag.origin, statement["operator"])
        for statement in found.space["statements"]
    ):
        return None  # which tiles would have to move, too
    space = program_space(dag, found.space)
    shape = replace(found.shape, measures=(*found.shape.measures, *_left_out(found.space)))
    tiles = [tile for tile in tiles_of_shape(shape, names) if tile.power == -exponent]
    for tile in tiles[:TILES]:
        if legal(dag, space.updates, space.at, tile):
            return tile.renamed(_variables(family, found.space["statements"][0]))
    return None


def _left_out(space: Mapping[str, Any]) -> list[Measure]:
    """Operands of updates in no array of a space: tiles have to move them, too."""
    first = space["statements"][0]
    used = {slot for array in space["arrays"] for slot in array["slots"]}
    operands = []
    for number, slot in enumerate(first["slots"]):
        if number not in used:
            references = slot if isinstance(slot, list) else slot.get("then", slot.get("before"))
            loops = {loop for reference in references for loop in reference["loops"]}
            pairs = zip(LETTERS, first["loops"], strict=False)
            kept = "".join(letter for letter, loop in pairs if loop >= 0 and loop in loops)
            operands.append(Measure(f"slot {number}", (kept,)))
    return operands


def _tile_of_lattice(family: Family, description: Mapping[str, Any]) -> Tile | None:
    """The tile of updates at constant distances; None if dependences do not let it be."""
    statements = description["statements"]
    has_paths = any("through" in slot for statement in statements for slot in statement["slots"])
    steps = max(statement["factor"] for statement in statements)
    tile = tile_of_distances(description["distances"], steps=steps, has_paths=has_paths)
    dag = family.dag(family.tried)
    lattice = lattice_of(dag, description["distances"], statements)
    coordinates = dict(zip(LETTERS, lattice.at, strict=False))
    if not legal(dag, lattice.updates, coordinates, tile):
        return None
    return tile.renamed(_variables(family, statements[0]))


def _variables(family: Family, statement: Mapping[str, Any]) -> dict[str, str]:
    """The loop variable for each index of a statement's space."""
    origin = family.dag(family.tried).origin
    assert origin is not None  # the DAG is laid out from a program
    loops = origin.operators[statement["operator"]].variables
    pairs = zip(LETTERS, statement["loops"], strict=False)
    return {letter: loops[loop] if loop >= 0 else letter for letter, loop in pairs}


def legal(
    dag: CDAG, updates: Int32Array, coordinates: Mapping[str, Int64Array], tile: Tile
) -> bool:
    """Whether tiles of such a shape can be computed one after another, slice by slice.

    Small ones are tried, along all of their line or along as much of it as their sides; those of
    several statements as one tile or each for itself. Where a tile meets itself, as on the diagonal
    of a triangle, some slices may wait for each other.

    Parameters
    ----------
    dag
        A DAG of the program.
    updates
        (u,) vertices.
    coordinates
        (u,) their coordinate of each index; as the index s, the number of their statement.
    tile
        The shape, in the same indices.
    """
    together = np.zeros(updates.size, np.int64)

    def waiting(side: int, *first: Int64Array) -> float:
        return share_waiting(dag, _tiles(dag.n, updates, coordinates, tile, side, first))

    return any(
        all(waiting(side, statement, *prefix) == 0 for side in SIDES)
        and waiting(SIDES[0], statement, SIDES[0] * coordinates[tile.along]) <= MOST_WAITING
        for statement in (
            [together, coordinates[STATEMENT]] if STATEMENT in coordinates else [together]
        )
        for prefix in ((), (coordinates[tile.along],))
    )


def _tiles(
    n: int,
    updates: Int32Array,
    coordinates: Mapping[str, Int64Array],
    tile: Tile,
    side: int,
    first: Sequence[Int64Array],
) -> Int64Array:
    """(n,) the number of the tile of each vertex, `NO_TILE` for other vertices.

    Parameters
    ----------
    n
        Vertices of the DAG.
    updates, at, tile
        As for `legal`.
    side
        Of all sides that grow with the memory.
    first
        (u,) coordinates besides those with sides: the statement, and one along which a tile is
        as long as its sides, if it does not go on along all of it.
    """
    rows = [first[0].astype(np.float64), *(np.floor(row / side) for row in first[1:])]
    for index, power in tile.sides.items():
        row = coordinates[index].astype(np.float64)
        for index_added, factor in tile.leaning.get(index, {}).items():
            row = (
                row
                + factor
                / (tile.steps if index_added == tile.along else 1)
                * coordinates[index_added]
            )
        rows.append(np.floor(row / side) if power else row)
    tiles = np.full(n, NO_TILE, np.int64)
    tiles[updates] = np.unique(np.array(rows), axis=1, return_inverse=True)[1].reshape(-1)
    return tiles


def share_waiting(dag: CDAG, tiles: Int64Array) -> float:
    """The share of vertices in tiles that wait for each other, of all that are in tiles.

    Parameters
    ----------
    dag
        The DAG.
    tiles
        (n,) the number of the tile of each vertex, from 0 on; -1 for none.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    count = int(tiles.max(initial=NO_TILE)) + 1
    node = np.where(tiles == NO_TILE, count + np.arange(dag.n), tiles)
    readers = np.repeat(node, np.diff(dag.pred_indptr))
    values = node[dag.pred_indices]
    shape = (count + dag.n, count + dag.n)
    graph = csr_matrix((np.ones(readers.size, np.bool_), (values, readers)), shape)
    circle = connected_components(graph, directed=True, connection="strong")[1][:count]
    single = np.bincount(circle, minlength=1)[circle] == 1
    inside = tiles[tiles != NO_TILE]
    return float(np.mean(np.logical_not(single[inside]))) if inside.size else 0.0
