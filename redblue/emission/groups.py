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
    """The references to an array in a phase that share buffers, written ones first.

    References agree if their indices are the same combinations of levels, but for constants.
    """
    phase, array = order.phase(uses[0][0].name), uses[0][1].array
    full = sorted(uses, key=lambda use: (not use[1].writes, -use[0].depth))
    known: dict[Indices, list[Use]] = {}
    for step, access in full:
        levels = {chunk.key: chunk.form for chunk in order.chunks(step.name)}
        agree = (indices_known for indices_known in known if _agrees(access, indices_known, levels))
        indices = next(agree, None) or by_levels(access, levels)
        known.setdefault(indices, []).append((step, access))
    written = {
        indices_: members
        for indices_, members in known.items()
        if any(a.writes for _, a in members)
    }
    groups = {}
    if written:
        groups[Group(phase, array, None)] = [use for members in written.values() for use in members]
    makers = {
        step.name for members in written.values() for step, access in members if access.writes
    }
    for indices, members in known.items():
        remaining = [use for use in members if indices not in written or use[0].name not in makers]
        if remaining:  # of what is written: reads that may be elsewhere than the resident buffer
            groups[Group(phase, array, indices)] = remaining
    return groups


def _agrees(access: Access, indices: Indices, levels: Mapping[int, Affine]) -> bool:
    """Whether indices are these combinations of levels, but for constants."""
    for form, parts in zip(access.indices, indices, strict=True):
        left = form
        for key, coefficient in parts:
            if key not in levels:
                return False
            left -= levels[key].times(coefficient)
        if any(name.startswith("c") for name in left.names):
            return False
    return True


def by_levels(access: Access, levels: Mapping[int, Affine]) -> Indices:
    """The indices as combinations of levels; one that is none has a key below 0."""
    basis: dict[str, tuple[Affine, dict[int, int]]] = {}
    for key, form in levels.items():
        left, parts = _reduced(form, basis)
        leading = next(
            (n for n, coefficient in left.terms if n.startswith("c") and abs(coefficient) == 1),
            None,
        )
        if leading is not None:
            sign = dict(left.terms)[leading]
            solved = {k: -coefficient * sign for k, coefficient in parts.items()} | {key: sign}
            basis[leading] = left.times(sign), solved
    combinations = []
    for form in access.indices:
        left, parts = _reduced(form, basis)
        odd = [(-1 - int(n[1:]), coefficient) for n, coefficient in left.terms if n.startswith("c")]
        combinations.append(
            tuple(
                sorted(
                    [*odd, *((k, coefficient) for k, coefficient in parts.items() if coefficient)]
                )
            )
        )
    return tuple(combinations)


def _reduced(
    form: Affine, basis: Mapping[str, tuple[Affine, Mapping[int, int]]]
) -> tuple[Affine, dict[int, int]]:
    """The rest of a form without some others, and how many of each level that takes."""
    parts: dict[int, int] = {}
    for leading, (sign, combination) in basis.items():
        coefficient = dict(form.terms).get(leading, 0)
        if coefficient:
            form -= sign.times(coefficient)
            for key, count in combination.items():
                parts[key] = parts.get(key, 0) + coefficient * count
    return form, parts
