"""Laws of programs without sizes: what windows of their updates touch, as polynomials in sizes.

The spaces of updates that `affine` finds at small sizes are looked for again at others; numbers of
updates and of words to add are interpolated, and compared at further sizes. So a law is a trend:
`affine` proves it for the DAG of given sizes. Where updates read at constant distances, likewise
with the lattices that `uniform` finds, and with the values that wait in iterations of outer loops,
which `slices` finds: where M is small beside the sizes, these are words of the leading term.

With B the distances and 0, which span d dimensions, |V + B|^(1/d) >= |V|^(1/d) + b, b = ((|B| - d)
/ d!)^(1/d) (R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality for the integer lattice,
Transactions of the AMS 2001; known to us by its abstract). On two sides that makes 2 (d - 1)
b^(d / (d - 1)) U / M^(1 / (d - 1)) words in the leading term, the coefficient that is told; what
`uniform` proves at finite sizes rests on `isoperimetry.sections` instead.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from math import factorial
from typing import Any, Final

from dags.programs import Program
from proofs.base import NotApplicableError
from proofs.bounds.loops.space_search import Found
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.loops.program_updates import LETTERS
from proofs.polynomials import Polynomial
from proofs.program_law import ProgramLaw
from proofs.small_sizes import LARGE, Family
from proofs.space_exponents import coefficient_of
from proofs.symbolic.proved import Form, proved
from proofs.tiles import Tile, tile_of_distances, tile_of_shape

TRIED: Final = 12  # spaces, the ones with the largest leading terms first


def law(program: Program, **options: Any) -> ProgramLaw:
    """Return the law of a program, for all sizes.

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
    >>> from dags.programs.library import polybench
    >>> found = law(polybench("cholesky"))
    >>> print(found.exponent, found.degree, round(found.leading, 4), found.updates)
    -1/2 3 0.2357 N^3/6 - N^2/2 + N/3
    """
    family = Family(program, options)
    compulsory = family.polynomial(lambda sizes: compulsory_words(family.dag(sizes)))
    if compulsory is None:
        raise NotApplicableError(f"the words of {program.name} are no polynomial in its sizes")
    for found, powers in islice(family.spaces(), TRIED):
        known = family.premises(found)
        if known is None or known.updates.degree <= compulsory.degree:
            continue
        if known.gain.degree >= known.updates.degree and known.gain.at_equal_sizes < 0:
            continue
        form = Form(compulsory, found.space, family.tried, known.updates, known.gain, known.ranges)
        return ProgramLaw(
            1 - sum(powers.values(), Fraction(0)),
            coefficient_of(found.shape, powers),
            known.updates,
            known.gain,
            compulsory,
            found.shape,
            ranges=known.ranges,
            tile=_tile_of_space(family, found, 1 - sum(powers.values(), Fraction(0))),
            proof=proved(program, options, form),
        )
    if (lattice := _at_constant_distances(family, compulsory)) is not None:
        return lattice
    zero = Polynomial(compulsory.variables, {})
    if (waits := family.waiting(compulsory)) is not None:
        words, room = waits
        return ProgramLaw(Fraction(0), 1.0, words, zero, compulsory, room=room)
    proof = proved(program, options, Form(compulsory))
    return ProgramLaw(Fraction(0), 1.0, compulsory, zero, compulsory, proof=proof)


def _at_constant_distances(family: Family, compulsory: Polynomial) -> ProgramLaw | None:
    """Return the law of updates at constant distances with the largest coefficient, or None.

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
        tile = _tile_of_lattice(family, description)
        told = ProgramLaw(power, coefficient, updates, gain, compulsory, None, distances, tile=tile)
        laws.append(told)
    far = dict.fromkeys(compulsory.variables, LARGE)
    return max(laws, key=lambda one: one.gain(far), default=None)


def _tile_of_space(family: Family, found: Found, exponent: Fraction) -> Tile | None:
    """Return the tile of a space, None if it has not the exponent of the law."""
    arrays = enumerate(found.space["arrays"])
    names = {f"array {n}" for n, each in arrays if not each["by_value"] and len(each["slots"]) <= 1}
    tile = tile_of_shape(found.shape, names)
    if tile is None or tile.power != -exponent:
        return None
    return tile.renamed(_variables(family, found.space["statements"][0]))


def _tile_of_lattice(family: Family, description: Mapping[str, Any]) -> Tile:
    """Return the tile of updates at constant distances."""
    statements = description["statements"]
    others = any("through" in slot for each in statements for slot in each["slots"])
    steps = max(each["factor"] for each in statements)
    tile = tile_of_distances(description["distances"], steps=steps, others=others)
    return tile.renamed(_variables(family, statements[0]))


def _variables(family: Family, statement: Mapping[str, Any]) -> dict[str, str]:
    """Return the loop variable for each index of a statement's space."""
    origin = family.dag(family.tried).origin
    assert origin is not None  # the DAG is laid out from a program
    loops = origin.operators[statement["operator"]].variables
    pairs = zip(LETTERS, statement["loops"], strict=False)
    return {letter: loops[loop] if loop >= 0 else letter for letter, loop in pairs}
