"""References to an array that share a buffer: one combination of levels, but for constants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dags.programs.affine import Affine
from redblue.emission.statements import Access, Step
from redblue.emission.tiles import Order

Indices = tuple[tuple[tuple[int, int], ...], ...]  # of each, keys of levels and factors
Use = tuple[Step, Access]


@dataclass(frozen=True)
class Group:
    """References of a phase that share a buffer.

    Parameters
    ----------
    phase, array
        The place, and the array.
    indices
        Their indices by levels, without constants; empty for the resident buffer.
    """

    phase: int
    array: str
    indices: Indices | None


def grouped(order: Order, uses: Sequence[Use]) -> dict[Group, list[Use]]:
    """Return the references to an array in a phase that share buffers, written ones first.

    References agree if their indices are the same combinations of levels, but for constants.
    """
    phase, array = order.phase(uses[0][0].name), uses[0][1].array
    full = sorted(uses, key=lambda use: (not use[1].writes, -use[0].depth))
    known: dict[Indices, list[Use]] = {}
    for step, access in full:
        levels = {each.key: each.form for each in order.chunks(step.name)}
        agree = (each for each in known if _agrees(access, each, levels))
        indices = next(agree, None) or by_levels(access, levels)
        known.setdefault(indices, []).append((step, access))
    written = {each: some for each, some in known.items() if any(a.writes for _, a in some)}
    found = {}
    if written:
        found[Group(phase, array, None)] = [use for some in written.values() for use in some]
    makers = {step.name for some in written.values() for step, access in some if access.writes}
    for indices, some in known.items():
        rest = [use for use in some if indices not in written or use[0].name not in makers]
        if rest:  # of what is written: reads that may be elsewhere than the resident buffer
            found[Group(phase, array, indices)] = rest
    return found


def _agrees(access: Access, indices: Indices, levels: Mapping[int, Affine]) -> bool:
    """Return whether indices are these combinations of levels, but for constants."""
    for form, parts in zip(access.indices, indices, strict=True):
        left = form
        for key, by in parts:
            if key not in levels:
                return False
            left -= levels[key].times(by)
        if any(name.startswith("c") for name in left.names):
            return False
    return True


def by_levels(access: Access, levels: Mapping[int, Affine]) -> Indices:
    """Return the indices as combinations of levels; one that is none has a key below 0."""
    basis: dict[str, tuple[Affine, dict[int, int]]] = {}
    for key, form in levels.items():
        left, parts = _reduced(form, basis)
        leading = next((n for n, by in left.terms if n.startswith("c") and abs(by) == 1), None)
        if leading is not None:
            sign = dict(left.terms)[leading]
            made = {k: -by * sign for k, by in parts.items()} | {key: sign}
            basis[leading] = left.times(sign), made
    found = []
    for form in access.indices:
        left, parts = _reduced(form, basis)
        odd = [(-1 - int(n[1:]), by) for n, by in left.terms if n.startswith("c")]
        found.append(tuple(sorted([*odd, *((k, by) for k, by in parts.items() if by)])))
    return tuple(found)


def _reduced(
    form: Affine, basis: Mapping[str, tuple[Affine, Mapping[int, int]]]
) -> tuple[Affine, dict[int, int]]:
    """Return the rest of a form without some others, and how many of each level that takes."""
    parts: dict[int, int] = {}
    for leading, (one, made) in basis.items():
        by = dict(form.terms).get(leading, 0)
        if by:
            form -= one.times(by)
            for key, many in made.items():
                parts[key] = parts.get(key, 0) + by * many
    return form, parts
