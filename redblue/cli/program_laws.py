"""Laws of loop nests without sizes, and of einsum strings, for ``redblue law``."""

import re
from typing import TYPE_CHECKING, Any

from redblue.show.answer import Facts

if TYPE_CHECKING:
    from dags.programs.text.spec import ProgramSpec
    from proofs.laws.exponents import Exponents
    from proofs.laws.program_law import ProgramLaw
    from proofs.laws.tiles import Tile
    from redblue.laws.regimes import RegimeLaw

EINSUM = re.compile(r"[A-Za-z]+(,[A-Za-z]+)*->[A-Za-z]*")
NO_RESULT = re.compile(r"[A-Za-z]+(,[A-Za-z]+)+")  # two operands or more, and nothing else


def law_without_sizes(spec: str, memory: str | None, seconds: float | None) -> Facts | None:
    """The law of an einsum string, or of a program without sizes; None for another SPEC.

    A program of which some sizes are given has a law for all values of the others.

    Raises
    ------
    InvalidSpecError
        If memory sizes are given: a law for all sizes of the program is one for all of these; or
        if an einsum string does not say which indices its result has.
    """
    from dags import InvalidSpecError
    from dags.spec import leaves

    program = None
    if NO_RESULT.fullmatch(spec):
        raise InvalidSpecError(_without_result(spec))
    if not EINSUM.fullmatch(spec):
        program = (
            leaves.reader("programs").program_spec(spec) if leaves.is_of("programs", spec) else None
        )
        if program is None or not program.leaves_sizes:
            return None
    if memory is not None:
        raise InvalidSpecError(f"--memory is for a DAG: {spec} has no sizes, or not all")
    return _of_einsum(spec) if program is None else _of_program(program, seconds)


def _without_result(text: str) -> str:
    """The sentence on an einsum string without a result, with the one NumPy would take."""
    from dags.errors import one_line

    letters = text.replace(",", "")
    result = "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    return (
        f"the einsum string {one_line(text)} does not say which indices its result has: "
        f"write {one_line(text)}->{one_line(result)}, with those that are not summed over"
    )


def _of_program(program: "ProgramSpec", seconds: float | None) -> Facts:
    """The law of a program, for all values of the sizes that are not given."""
    from redblue.laws.regimes.finding import SECONDS, law_of_program
    from redblue.laws.regimes.laws import sentences, sizes_text

    law = law_of_program(
        program.program,
        program.sizes,
        seconds=SECONDS if seconds is None else seconds,
        **program.options,
    )
    name = program.program.name
    if program.sizes:
        name += f" with {sizes_text(program.sizes)}"
    return Facts({"law": _record(program, law)}, ("\n".join(sentences(name, law)),))


def _record(program: "ProgramSpec", law: "RegimeLaw") -> dict[str, Any]:
    """The law for `--json`: the numbers of the first term, and all terms."""
    from dataclasses import asdict

    from redblue.laws.regimes.laws import leading

    first = law.terms[0].law if law.terms else law.compulsory
    return {
        "program": program.program.name,
        "sizes": program.sizes,
        "rules": first.rules,
        **_numbers(first),
        "compulsory": str(law.compulsory.compulsory),
        "latex": first.to_latex(),
        "largest": leading(law),
        "terms": _terms(law),
        "known": law.known,
        "unattained": law.unattained,
        "withdrawn": list(law.withdrawn),
        "held": [asdict(held) for held in law.held],
        "outputs": list(law.outputs),
        "unfinished": law.unfinished or None,
    }


def _terms(law: "RegimeLaw") -> list[dict[str, Any]]:
    """All terms for `--json`, each with the memory up to which it is above the next."""
    from redblue.laws.regimes.laws import formula, ranges

    return [
        {**_numbers(term.law), "words": formula(term.law, law.letter), "where": range_}
        for term, range_ in zip(law.terms, ranges(law), strict=True)
    ]


def _numbers(law: "ProgramLaw") -> dict[str, Any]:
    """The numbers of a term for `--json`."""
    return {
        "exponent": str(law.exponent),
        "degree": int(law.degree) if law.degree % 1 == 0 else float(law.degree),
        "coefficient": law.coefficient,
        "leading": law.leading,
        "updates": str(law.updates),
        "gain": str(law.gain),
        "form": law.form,
        "tile": None if law.tile is None else _tile_record(law.tile, law),
        "proved_from": law.proved,
    }


def _tile_record(tile: "Tile", law: "ProgramLaw") -> dict[str, Any]:
    """The tile for `--json`."""
    return {
        "sides": {index: str(side) for index, side in tile.sides.items()},
        "along": tile.along,
        "leaning": {index: dict(factors) for index, factors in tile.leaning.items()},
        "staying": tile.staying,
        "ratio": law.tiled_ratio,
        "text": tile.text(law.letter),
        "latex": tile.to_latex(law.letter),
    }


def _of_einsum(text: str) -> Facts:
    from proofs.laws.exponents import hbl

    references = text.replace("->", ",").strip(",").split(",")
    exponents = hbl(references)
    words, below, compulsory = _einsum_terms(references, exponents)
    record = {
        "einsum": text,
        "exponents": dict(zip(references, map(str, exponents.values), strict=True)),
        "sum": str(exponents.total),
        "coefficient": exponents.coefficient,
        "tile": {index: str(side) for index, side in (exponents.tile or {}).items()},
        "compulsory": compulsory,
        "terms": [{"exponent": str(1 - exponents.total), "words": words, "where": below}]
        if below
        else [],
    }
    return Facts({"law": record}, ("\n".join(_einsum_sentences(references, exponents)),))


def _einsum_terms(references: list[str], exponents: "Exponents") -> tuple[str, str, str]:
    """The words of a term, where it rules ("" if nowhere), and the compulsory words."""
    from fractions import Fraction

    from proofs.laws.leading_terms import leading_text
    from proofs.laws.polynomials import Polynomial, Powers
    from redblue.laws.regimes.below import Below

    indices = "".join(dict.fromkeys("".join(references)))
    arrays: dict[Powers, Fraction] = {}
    for reference in references:
        powers: Powers = tuple(int(index in reference) for index in indices)
        arrays[powers] = arrays.get(powers, Fraction(0)) + 1
    names = tuple(indices.upper())
    compulsory = Polynomial(names, arrays)
    points = Polynomial(names, {(1,) * len(names): Fraction(1)})
    power = exponents.total - 1
    words = leading_text(exponents.coefficient, points, -power, "M")
    if not power:
        return words, "", str(compulsory)
    below = Below(exponents.coefficient, points, power, compulsory)
    return words, f"M < about {below.text}", str(compulsory)


def _einsum_sentences(references: list[str], exponents: "Exponents") -> list[str]:
    """The sentences on the exponents of an einsum string."""
    from proofs.laws.leading_terms import power_text

    pairs = zip(references, exponents.values, strict=True)
    words, below, compulsory = _einsum_terms(references, exponents)
    lines = [f"{compulsory} words, which are compulsory, at any memory M."]
    if below:
        lines = [f"max({words}, ({compulsory})) words, for large ranges, with M words of memory."]
        lines.append(f"While {below}: {words} words. From there on: the compulsory ones.")
    lines.append("Exponents: " + ", ".join(f"{value} ({kept})" for kept, value in pairs) + ".")
    if exponents.tile:
        sides = ", ".join(
            f"{index}: {power_text(side, 'M')}" for index, side in exponents.tile.items() if side
        )
        lines.append(f"Tiles that attain the power: {sides}; all else 1.")
    return lines
