"""The laws as models: least squares on the logarithm of operations per word."""

from dataclasses import dataclass

import numpy as np
from scipy import optimize

from redblue.laws.fit.points import Floats, Points

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
    """A straight line through points: its slope, and what it is off at each of them."""

    slope: float
    residuals: Floats


def line(x: Floats, y: Floats) -> Line:
    """Return the least squares line of `y` against `x`, both (k,) with k at least 2.

    Counts are exact: the line describes them, and has no interval of confidence.
    """
    centred = x - x.mean()
    slope = float(centred @ y) / float(centred @ centred)
    return Line(slope, y - y.mean() - slope * centred)


def power(points: Points) -> tuple[Line, Line]:
    """Return lines of log(ratio) against log(M_eff): as counted, and corrected for the size.

    The errors of the two slopes go opposite ways. Of products the first is too low, for outputs
    are moved once whatever the memory, and the other too high, for first terms of a sum are not
    loaded; of grids the first is too high, for faces are cuts that cost nothing, and the other too
    low, for not all tiles reach a face. The exponent lies between. Against M instead of M_eff
    both were too high.
    """
    x = np.log(points.effective)
    return line(x, np.log(points.ratios)), line(x, np.log(points.net_ratios))


def logarithm_residuals(points: Points) -> Floats:
    """Return the residuals of log(ratio) for the ratio c log2(M_eff / m), m from 1/2 to 2.

    A free m makes of the logarithm a tangent to any power, so that it has to be about a word.
    """
    octaves, ratios = np.log2(points.effective), np.log(points.ratios)

    def residuals(shift: float) -> Floats:
        off = ratios - np.log(np.maximum(octaves - shift, 1e-9))
        centred: Floats = off - off.mean()
        return centred

    found = optimize.minimize_scalar(
        lambda shift: float(np.square(residuals(shift)).sum()),
        bounds=(-SHIFT, min(SHIFT, 0.9 * float(octaves[0]))),
        method="bounded",
    )
    return residuals(float(found.x))


def compared(points: Points) -> dict[str, Model]:
    """Return all three models of points; each growing one has two parameters, the constant one."""
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
