"""Sentence on the gain of an effort, and on the gain that more of it may bring."""

from statistics import geometric_mean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redblue.answers.results import IOCurve


def sentence_of_effort(curve: "IOCurve", name: str) -> str:
    """The results of the searches of a curve, and the gain of more effort."""
    from redblue.answers.efforts import HARDER, open_gaps

    if curve.notes:  # closed formulas answer, and nothing is searched
        return ""
    gaps = open_gaps([row for row in curve.rows if row.method == "best"])
    parts = [_found(curve, name)]
    if not gaps and (lacking := _lacking(curve)):
        return f"{parts[0]}; a schedule or a bound is missing at {lacking} of the sizes"
    if not gaps:
        return f"{parts[0]}; best and bound meet at every size, so all are optimal"
    widest = max(gaps, key=lambda memory: gaps[memory])
    parts.append(
        f"best / bound is at most {gaps[widest]:.3f}, at M = {widest:,}; {len(gaps)} of "
        f"{len(curve.memories)} sizes have a gap"
    )
    parts.append(_more(curve, HARDER.get(name)))
    return "; ".join(parts)


def _lacking(curve: "IOCurve") -> int:
    """The number of sizes that can be played and have no schedule, or no bound."""
    known = [dict(curve.envelope(kind)) for kind in ("upper", "lower")]
    playable = [size for size in curve.memories if size >= curve.dag["min_memory"]]
    return sum(not all(size in side for side in known) for size in playable)


def _found(curve: "IOCurve", name: str) -> str:
    """The changes by searches."""
    if curve.effort is None or not curve.effort.points:
        late = "" if curve.effort is None else " before the time limit"
        return f"effort {name}: nothing was searched{late}"
    points = curve.effort.points
    sizes = "1 size" if len(points) == 1 else f"{len(points)} sizes"
    before = geometric_mean(point.before for point in points)
    after = geometric_mean(point.after for point in points)
    return (
        f"effort {name}: {curve.effort.seconds:.1f} s of search at {sizes} improved best / "
        f"bound there from {before:.3f} to {after:.3f} (geometric means)"
        + _skipped(len(curve.effort.skipped))
    )


def _skipped(sizes: int) -> str:
    """Why nothing was searched at so many further sizes."""
    from redblue.answers.refining import WORTH

    if not sizes:
        return ""
    return (
        f"; {sizes} more were skipped, because the last searches gained less than {WORTH:.1%} "
        "a second"
    )


def _more(curve: "IOCurve", harder: str | None) -> str:
    """The next effort to ask for."""
    from redblue.answers.efforts import EFFORTS

    if harder is None:
        return "'redblue solve' with a longer --time-limit may close the gap at one size"
    largest = EFFORTS[harder].largest
    if curve.dag["vertices"] + curve.dag["edges"] > largest:
        return f"--effort {harder} searches DAGs of up to {largest:,} vertices and edges"
    return f"--effort {harder} may narrow the gap"
