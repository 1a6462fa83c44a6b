"""The finite-size bias of recovered laws."""

from redblue.counted.finite_sizes import bias, halved
from redblue.experiments.recoveries import Recovery, counted_corridor
from redblue.sandwich import local_exponents


def finite_size_bias(one: Recovery) -> tuple[float, float] | None:
    """Return the most that a local exponent, as played and as proved, moves in the halved member.

    None for a member that is played, whose memories are chosen for its size.
    """
    if one.how != "counted":
        return None
    small, _ = counted_corridor(one.computation, halved(one.spec))
    return bias(one.finding.exponents, local_exponents(small))


def bias_text(found: tuple[float, float] | None) -> str:
    """Return a finite-size bias as text."""
    return "-" if found is None else f"{found[0]:.3f}, {found[1]:.3f}"
