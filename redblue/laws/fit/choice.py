"""Choice among the laws that a curve may follow, each a model of operations per word."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import exp, log, log2

import numpy as np
from scipy import optimize

from proofs.laws import Law
from redblue.laws.fit.points import Floats, Points, telling
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.rows import table

SHIFT = 1.0  # octaves by which the logarithm's argument may be off


@dataclass(frozen=True)
class Model:
    """A law fitted to points, and its residuals.

    Parameters
    ----------
    kind
        "power", "logarithmic" or "constant".
    rms
        Root mean square of the residuals of log(ratio): 0.01 is one percent.
    r_squared
        Share of the variation of log(ratio) that it explains; below 0 is worse than the mean.
    aic
        Akaike's criterion, of two models the better one's is smaller; infinite if `rms` is 0.
    """

    kind: str
    rms: float
    r_squared: float
    aic: float


@dataclass(frozen=True)
class Line:
    """A straight line through points: its slope, and its distance at each of them."""

    slope: float
    residuals: Floats


def line(x: Floats, y: Floats) -> Line:
    """The least squares line of `y` against `x`, both (k,) with k at least 2.

    Counts are exact: the line describes them, and has no interval of confidence.
    """
    centred = x - x.mean()
    slope = float(centred @ y) / float(centred @ centred)
    return Line(slope, y - y.mean() - slope * centred)


def power(points: Points) -> tuple[Line, Line]:
    """Lines of log(ratio) against log(M_eff): as counted, and corrected for the size.

    The errors of the two slopes go opposite ways. Of products the first is too low, for outputs
    are moved once whatever the memory, and the other too high, for first terms of a sum are not
    loaded; of grids the first is too high, for faces are cuts that cost nothing, and the other too
    low, for not all tiles reach a face. The exponent lies between. Against M instead of M_eff
    both were too high.
    """
    x = np.log(points.effective)
    return line(x, np.log(points.ratios)), line(x, np.log(points.net_ratios))


def logarithm_residuals(points: Points) -> Floats:
    """The residuals of log(ratio) for the ratio c log2(M_eff / m), m from 1/2 to 2.

    A free m makes of the logarithm a tangent to any power, so that it has to be about a word.
    """
    octaves, ratios = np.log2(points.effective), np.log(points.ratios)

    def residuals(shift: float) -> Floats:
        off = ratios - np.log(np.maximum(octaves - shift, 1e-9))
        centred: Floats = off - off.mean()
        return centred

    minimum = optimize.minimize_scalar(
        lambda shift: float(np.square(residuals(shift)).sum()),
        bounds=(-SHIFT, min(SHIFT, 0.9 * float(octaves[0]))),
        method="bounded",
    )
    return residuals(float(minimum.x))


def compared(points: Points) -> dict[str, Model]:
    """All three models of points; each growing one has two parameters, the constant one."""
    logs = np.log(points.ratios)
    spread = logs - logs.mean()
    total = float(np.square(spread).sum())
    return {
        "power": _model("power", power(points)[0].residuals, total, 2),
        "logarithmic": _model("logarithmic", logarithm_residuals(points), total, 2),
        "constant": _model("constant", spread, total, 1),
    }


def _model(kind: str, residuals: Floats, total: float, parameters: int) -> Model:
    squares = float(np.square(residuals).sum())
    mean = squares / residuals.size
    aic = residuals.size * np.log(mean) + 2 * parameters if mean > 0 else -np.inf
    r_squared = 1 - squares / total if total > 0 else 0.0
    return Model(kind, float(np.sqrt(mean)), r_squared, float(aic))


# A law needs at least so many points.
FEWEST = 3
# The points of a growing law must span at least so many octaves of memory.
OCTAVES = 2.9
# Operations per word must grow by at least this factor over the points of a growing law.
GROWTH = 1.5
# The information criterion of the other law must be worse by at least this much.
BETTER = 4.0
# The residuals of the other law must be larger by at least this factor.
SMALLER = 1.3
# A model with relative residuals of this size describes nothing.
BAD = 0.1
# Operations per word that grow by less than this factor count as constant.
FLAT = 1.25
# A constant law must be flat over at least so many octaves of memory.
FLAT_OCTAVES = 4.0
# A flat run must begin at no more than this multiple of the smallest memory.
SOON = 8
# At least this part of the octaves must favour the same law.
SHARED = 0.75
# Largest ratio of the local exponents at the upper and the lower end that any law allows.
FASTER = 1.3
# The growth of operations per word is checked over this factor of memory.
STEP = 4.0

Interval = tuple[float, float]


@dataclass(frozen=True)
class Growth:
    """Growth of operations per word with `STEP` times the memory, counted and by the law."""

    memory: float
    counted: float
    by_law: float


@dataclass(frozen=True, repr=False)
class Fit(Printed):
    """The law of a computation as its curve shows it, with the evidence.

    Parameters
    ----------
    law
        The law; None if none can be chosen.
    reason
        Why it can or cannot, in a sentence.
    points
        The points that show it: a flat run, or those of `telling`.
    interval
        The range of local exponents of a power (0 for a constant), of local slopes of the ratio
        against log2 M for a logarithm: over four times the memory, wherever that lies within the
        points; None where no law is told and too few points would.
    slope
        Of the ratio against log2(M_eff): operations per word and octave; None if unknown.
    exponents
        The exponent's readings: against M_eff, as counted and corrected for the size of the
        DAG; and as counted against M. Empty if there are fewer than three points.
    models
        All models of these points, by kind.
    growths
        The check of the bias: R(4M) / R(M) at the smallest and the largest memory.
    trend
        What fits the points of a DAG of no family. That is one size, and no law.
    """

    law: Law | None
    reason: str
    points: Points
    interval: Interval | None = None
    slope: float | None = None
    exponents: Mapping[str, float] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    growths: tuple[Growth, ...] = ()
    trend: Law | None = None

    @property
    def of_one_size(self) -> "Fit":
        """The fit of a DAG that is one size, and of no family: whatever fits it is no law."""
        return replace(self, law=None, trend=self.law, growths=())

    def __repr__(self) -> str:
        return f"<Fit: {law_sentence(self).rstrip('.')}>"

    def shown(self) -> tuple[Table, str]:
        """The points that show the law, and the law in a sentence."""
        pairs = zip(self.points.memories.tolist(), self.points.ios.tolist(), strict=True)
        points = [(int(memory), int(io), self.points.work / io) for memory, io in pairs]
        table_ = table("law", "", points, "M", "words", ("operations a word", _fourth))
        return table_, law_sentence(self)


def _fourth(point: tuple[int, int, float]) -> str:
    return f"{point[2]:.4g}"


def law_sentence(fitted: Fit) -> str:
    """The law with its interval, or a sentence that none was found."""
    law_text = fitted.law
    if law_text is None and fitted.trend is not None:
        ends = f"from M = {fitted.points.memories[0]:,.0f} to {fitted.points.memories[-1]:,.0f}"
        return (
            f"One DAG has one size, which determines no law. The schedules found {ends} do "
            f"{_trend_text(fitted.trend)} operations per word. This is a trend of these schedules: "
            "it need not hold at other sizes, or for better schedules."
        )
    if law_text is None:
        return f"The range of memory is too small for a law: {fitted.reason}."
    if law_text.kind == "constant":
        return f"R = {law_text.coefficient:.3g}, constant: {fitted.reason}."
    low, high = fitted.interval or (0.0, 0.0)
    if law_text.kind == "logarithmic":
        slope = f"slope {fitted.slope:.4f} an octave, locally {low:.4f} to {high:.4f}"
        return f"R = {law_text.coefficient:.3g} log2 M ({slope}): {fitted.reason}."
    return (
        f"R = {law_text.coefficient:.3g} M^{law_text.exponent:.3f} "
        f"(local exponents {low:.3f} to {high:.3f}): {fitted.reason}."
    )


def _trend_text(trend: Law) -> str:
    """The operations a word of a trend, as a formula."""
    if trend.kind == "constant":
        return f"about {trend.coefficient:.3g}"
    if trend.kind == "logarithmic":
        return f"about {trend.coefficient:.3g} log2 M"
    return f"about {trend.coefficient:.3g} M^{trend.exponent:.2f}"


def fit(points: Points) -> Fit:
    """The law that `points` follow.

    1. *Constant*, if the ratio stays within 25% over four octaves of memory that begin at eight
       smallest memories or before and end at all words of the DAG or before.
    2. Otherwise the points that are `telling` must be three or more, over three octaves, and the
       ratio must grow.
    3. *Power or logarithm*: whichever describes log(ratio) clearly better, on all points and also,
       not to be fooled by the end of the DAG, on those of the lower three quarters. A ratio that
       grows faster and faster follows neither.

    The exponent of a power is the middle of two readings whose errors go opposite ways. Counts are
    exact, so that no interval of confidence means anything: told is the range of the local
    exponents, over four times the memory each, with both readings.

    Source
    ------
    H. T. Kung, 1986, section 3, for the three laws.

    Examples
    --------
    >>> import numpy as np
    >>> memories = np.array([12.0, 30, 70, 150, 400])
    >>> fit(Points(memories, 1e6 / np.sqrt(memories - 2), work=10**6)).law.name
    'M^(1/2)'
    """
    flat = _flat_run(points)
    if flat is not None:
        return _constant(flat)
    points_used = telling(points)
    if points_used.memories.size < FEWEST:
        return Fit(None, _too_few(points_used), points_used)
    models = compared(points_used)
    if points_used.octaves < OCTAVES:
        return _untold(
            points_used, models, f"they span {points_used.octaves:.1f} octaves of memory, not 3"
        )
    if points_used.ratios[-1] < GROWTH * points_used.ratios[0]:
        return _untold(points_used, models, "the ratio hardly grows over them, but is not constant")
    return _growing(points_used, models)


def _flat_run(points: Points) -> Points | None:
    """The points from where the ratio stays, if they are enough for a constant law."""
    if not points.memories.size:
        return None
    useful = points.where(points.memories <= points.words)
    if not useful.memories.size:
        return None
    flat = useful.where(useful.ratios * FLAT >= useful.ratios[-1])  # ratios rise
    soon = flat.memories[0] <= SOON * points.least
    wide = flat.memories[-1] >= 2**FLAT_OCTAVES * flat.memories[0]
    return flat if soon and wide and flat.memories.size >= FEWEST else None


def _constant(flat: Points) -> Fit:
    coefficient = float(flat.ratios[-1])
    reason = f"the ratio stays within {FLAT - 1:.0%} from M = {flat.memories[0]:,.0f} words on"
    return Fit(Law("constant", coefficient=coefficient), reason, flat, interval=(0.0, 0.0))


def _growing(points: Points, models: Mapping[str, Model]) -> Fit:
    """The fit of a power or a logarithm."""
    better, worse = sorted((models["power"], models["logarithmic"]), key=lambda model: model.rms)
    names = f"a {better.kind} law is off by {better.rms:.1%}, a {worse.kind} one by {worse.rms:.1%}"
    if better.rms > BAD:
        return _untold(points, models, f"no law describes them over this range: {names}")
    if worse.aic - better.aic < BETTER or worse.rms < SMALLER * better.rms:
        return _untold(points, models, f"the laws are too close: {names}")
    lower = points.where(points.effective <= points.effective[0] * 2 ** (SHARED * points.octaves))
    if lower.memories.size > FEWEST:
        refitted = compared(lower)
        if refitted[worse.kind].rms < refitted[better.kind].rms:
            why = f"small memories favour a {worse.kind} law, large ones a {better.kind} one"
            return _untold(points, models, why)
    if _hastens(points):
        return _untold(points, models, "the ratio grows faster and faster with the memory")
    law, interval = _power_law(points) if better.kind == "power" else _logarithmic_law(points)
    if law is None:
        return _untold(points, models, "the ratio does not grow with certainty")
    return _described(points, models, law, names, interval)


def _hastens(points: Points) -> bool:
    """Whether the local exponent rises, as at the end of a DAG or of a schedule's powers."""
    steps = [log(counted) for _, counted in _steps(points)]
    return bool(steps) and steps[-1] > FASTER * steps[0]


def _power_law(points: Points) -> tuple[Law | None, Interval]:
    """The power in the middle of the two readings, and the range of both."""
    readings = power(points)
    exponent = sum(reading.slope for reading in readings) / 2
    interval = _hull(points, readings)
    if exponent <= 0:
        return None, interval
    scale = float(np.mean(np.log(points.ratios) - exponent * np.log(points.memories)))
    return Law("power", exponent, exp(scale)), interval


def _logarithmic_law(points: Points) -> tuple[Law, Interval]:
    """The logarithm through the points, and the range of its slope against log2 M."""
    octaves = np.log2(points.effective)
    scale = float(np.mean(np.log(points.ratios) - np.log(octaves)))
    slopes = [line(octaves, points.ratios).slope, *_local(octaves, points.ratios, log2(STEP))]
    return Law("logarithmic", coefficient=exp(scale)), (min(slopes), max(slopes))


def _hull(points: Points, readings: tuple[Line, ...]) -> Interval:
    """The range of the exponent: of both readings, as a whole and over each `STEP`."""
    x, slopes = np.log(points.effective), [reading.slope for reading in readings]
    for ratios in (points.ratios, points.net_ratios):
        slopes += _local(x, np.log(ratios), log(STEP))
    return min(slopes), max(slopes)


def _local(x: Floats, y: Floats, width: float) -> list[float]:
    """The slopes of y over each `width` of x that begins or ends at a point."""
    starts = np.concatenate((x, x - width))
    starts = starts[(starts >= x[0] - 1e-9) & (starts + width <= x[-1] + 1e-9)]
    rises: Floats = (np.interp(starts + width, x, y) - np.interp(starts, x, y)) / width
    return [float(rise) for rise in rises]


def _untold(points: Points, models: Mapping[str, Model], why: str) -> Fit:
    return _described(points, models, None, why, _hull(points, power(points)))


def _too_few(points: Points) -> str:
    count = points.memories.size
    sizes = {0: "no size", 1: "only one size"}.get(count, f"only {count} sizes")
    return f"{sizes} of memory {'is' if count < 2 else 'are'} usable"


def _described(
    points: Points, models: Mapping[str, Model], law: Law | None, reason: str, interval: Interval
) -> Fit:
    """A fit with all that can be measured."""
    counted, net = power(points)
    exponents = {
        "M_eff": counted.slope,
        "M_eff, corrected": net.slope,
        "M": line(np.log(points.memories), np.log(points.ratios)).slope,
    }
    slope = line(np.log2(points.effective), points.ratios).slope
    growths = () if law is None else _growths(points, law)
    return Fit(law, reason, points, interval, slope, exponents, models, growths)


def _growths(points: Points, law: Law) -> tuple[Growth, ...]:
    """The check of the growth at both ends."""
    return tuple(
        Growth(m + points.overhead, counted, law.ratio(STEP * m) / law.ratio(m))
        for m, counted in _steps(points)
    )


def _steps(points: Points) -> Iterator[tuple[float, float]]:
    """Yield (M_eff, R(4M) / R(M)) at both ends, between points by straight lines in logarithms."""
    x, y = np.log(points.effective), np.log(points.ratios)
    if x[-1] - x[0] >= log(STEP):
        for begin in (x[0], x[-1] - log(STEP)):
            low, high = np.interp([begin, begin + log(STEP)], x, y)
            yield exp(begin), exp(high - low)
