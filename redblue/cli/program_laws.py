"""Laws of loop nests without sizes, and of einsum strings, for ``redblue law``."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dags.programs.spec import ProgramSpec
    from proofs.exponents import Exponents
    from proofs.program_law import ProgramLaw
    from proofs.tiles import Tile

EINSUM = re.compile(r"[A-Za-z]+(,[A-Za-z]+)*->[A-Za-z]*")
NO_RESULT = re.compile(r"[A-Za-z]+(,[A-Za-z]+)+")  # two operands or more, and nothing else


@dataclass(frozen=True)
class Told:
    """Texts of a law: an object for `--json`, and lines."""

    record: dict[str, Any]
    lines: list[str]


def law_without_sizes(spec: str, memory: str | None) -> Told | None:
    """Return the law of an einsum string, or of a program without sizes; None for another SPEC.

    Parameters
    ----------
    spec
        What was given as SPEC.
    memory
        What was given as `--memory`.

    Raises
    ------
    InvalidSpecError
        If memory sizes are given: a law for all sizes of the program is one for all of these; or
        if an einsum string does not say which indices its result has.
    """
    from dags import InvalidSpecError
    from dags.programs.spec import is_program, program_spec

    if EINSUM.fullmatch(spec):
        told = _of_einsum(spec)
    elif is_program(spec) and _has_no_sizes(program := program_spec(spec)):
        told = _of_program(program)
    elif NO_RESULT.fullmatch(spec):
        raise InvalidSpecError(_without_result(spec))
    else:
        return None
    if memory is not None:
        raise InvalidSpecError(f"--memory is for a DAG: {spec} has no sizes")
    return told


def _without_result(text: str) -> str:
    """Return the sentence on an einsum string without a result, with what NumPy would take."""
    from dags.errors import one_line

    letters = text.replace(",", "")
    result = "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    return (
        f"the einsum string {one_line(text)} does not say which indices its result has: "
        f"write {one_line(text)}->{one_line(result)}, with those that are not summed over"
    )


def _has_no_sizes(program: "ProgramSpec") -> bool:
    """Return whether a program has sizes, and none of them is given."""
    return bool(program.program.sizes) and not program.sizes


def _of_program(program: "ProgramSpec") -> Told:
    from proofs.programs import law

    found = law(program.program, **program.options)
    name = program.program.name
    record = {
        "program": name,
        "rules": found.rules,
        "exponent": str(found.exponent),
        "degree": found.degree,
        "coefficient": found.coefficient,
        "leading": found.leading,
        "updates": str(found.updates),
        "gain": str(found.gain),
        "compulsory": str(found.compulsory),
        "form": found.form,
        "latex": found.to_latex(),
        "tile": None if found.tile is None else _tile_record(found.tile, found),
        "proved_from": found.proved,
    }
    return Told({"law": record}, _sentences(name, found))


def _sentences(name: str, found: "ProgramLaw") -> list[str]:
    """Return the sentences on the law of a program."""
    lines = [
        f"{name}, for large sizes: {found.leading_term()} words ({found.rules}), "
        f"with {found.letter} words of fast memory."
    ]
    if found.shape is not None:
        lines += [
            f"Updates: {found.updates}; what their windows touch, less ({found.letter} - 1) words "
            f"a cut, plus {found.gain}.",
        ]
    if found.distances is not None:
        lines += [
            f"Updates: {found.updates}; what their windows exchange, less 2 ({found.letter} - 1) "
            f"words a cut, plus {found.gain}.",
        ]
    if found.room is not None:
        lines.append(
            f"Compulsory words, and words that wait in iterations of outer loops: {found.updates}, "
            f"less {found.letter} ({found.room})."
        )
    lines.append(f"Compulsory: {found.compulsory} words.")
    if found.tile is not None:
        lines.append(_tile_sentence(found.tile, found))
    lines.append(f"LaTeX: {found.to_latex()}")
    if found.tile is not None:
        lines.append(f"LaTeX of the tiles: {found.tile.to_latex(found.letter)}")
    lines.append(_standing(found))
    return lines


def _tile_sentence(tile: "Tile", found: "ProgramLaw") -> str:
    """Return the sentence on tiles."""
    known = found.tiled_ratio
    words = "" if known is None else f"; for large sizes they move {known:.2f} times this term"
    return (
        f"Tiles that attain the power, where dependences let them: {tile.text(found.letter)}"
        f"{words}."
    )


def _tile_record(tile: "Tile", found: "ProgramLaw") -> dict[str, Any]:
    """Return the tile for `--json`."""
    return {
        "sides": {index: str(side) for index, side in tile.sides.items()},
        "along": tile.along,
        "leaning": {index: dict(by) for index, by in tile.leaning.items()},
        "staying": tile.staying,
        "ratio": found.tiled_ratio,
        "text": tile.text(found.letter),
        "latex": tile.to_latex(found.letter),
    }


def _standing(found: "ProgramLaw") -> str:
    """Return the sentence on what is proved."""
    if found.proved is not None:
        return (
            f"Proved for all sizes from {found.proved} on: the finite form is a bound on one-shot "
            "plays at each of them."
        )
    return "A trend: 'redblue bound' with sizes proves it for a DAG."


def _of_einsum(text: str) -> Told:
    from proofs.exponents import hbl

    references = text.replace("->", ",").strip(",").split(",")
    found = hbl(references)
    record = {
        "einsum": text,
        "exponents": dict(zip(references, map(str, found.values), strict=True)),
        "sum": str(found.total),
        "coefficient": found.coefficient,
        "tile": {index: str(side) for index, side in (found.tile or {}).items()},
    }
    return Told({"law": record}, _einsum_sentences(references, found))


def _einsum_sentences(references: list[str], found: "Exponents") -> list[str]:
    """Return the sentences on the exponents of an einsum string."""
    from proofs.leading_terms import power_text

    indices = "".join(dict.fromkeys("".join(references)))
    pairs = zip(references, found.values, strict=True)
    power = power_text(found.total - 1, "M")
    words = f"{found.coefficient:.6g} {' '.join(indices.upper())}"
    lines = [f"{words}{f' / {power}' if power else ''} words, for large ranges."]
    lines.append("Exponents: " + ", ".join(f"{value} ({kept})" for kept, value in pairs) + ".")
    if found.tile:
        sides = ", ".join(
            f"{index}: {power_text(side, 'M')}" for index, side in found.tile.items() if side
        )
        lines.append(f"Tiles that attain the power: {sides}; all else 1.")
    return lines
