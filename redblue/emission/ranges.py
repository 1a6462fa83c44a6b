"""Extents of loops and sizes of domains of a program at some sizes."""

import re
from collections.abc import Mapping
from math import prod

import numpy as np

from dags.programs.integer_sets import isl
from redblue.emission.orders import Level
from redblue.emission.statements import Nest, Step

SAMPLES = 400


class Ranges:
    """Extents of the levels of statements at some sizes.

    Parameters
    ----------
    nest, sizes
        The program, and values of its sizes.
    fixed
        Whether held words may be of any number, as in a cache.
    general
        Whether fixed sizes are taken for free: buffers are as small as for all sizes then.
    """

    def __init__(
        self, nest: Nest, sizes: Mapping[str, int], *, fixed: bool = False, general: bool = False
    ) -> None:
        self.nest, self.fixed = nest, fixed
        self.free = nest.general if general and nest.general is not None else nest
        self.numbers = {f"n{number}": sizes[name] for number, name in enumerate(nest.program.sizes)}
        self.at = nest.at(sizes)
        self._known: dict[tuple[str, str], tuple[int, bool]] = {}
        self._shares: dict[str, float] = {}

    def extent(self, step: Step, level: Level) -> tuple[int, bool]:
        """How many values a level has, and whether that depends on no size."""
        key = step.name, str(level.form)
        if key not in self._known:
            domain = self.nest.domain[step.name]
            value = f"{{ {step.row.name} -> [{level.form}] }}"
            values = domain.intersect_params(self.at).apply(isl.Map(f"{self.nest.head} -> {value}"))
            low, high = values.dim_min_val(0), values.dim_max_val(0)
            size = high.to_python() - low.to_python() + 1 if low.is_int() and high.is_int() else 1
            free = self.free.domain[step.name].apply(isl.Map(f"{self.free.head} -> {value}"))
            free = free.project_out(isl.dim_type.param, 0, free.dim(isl.dim_type.param))
            fixed = self.fixed or (free.dim_min_val(0).is_int() and free.dim_max_val(0).is_int())
            self._known[key] = size, fixed
        return self._known[key]

    def share(self, step: Step) -> float:
        """The share of its box that a statement's domain fills."""
        if step.name not in self._shares:
            domain = self.nest.domain[step.name].intersect_params(self.at)
            ends = [
                (domain.dim_min_val(axis), domain.dim_max_val(axis)) for axis in range(step.depth)
            ]
            if any(not (low.is_int() and high.is_int()) for low, high in ends):
                return 1.0
            text = re.sub(r"(?<![<>!=])=(?!=)", "==", step.row.where).replace(" mod ", " % ")
            code = compile(text.replace("\n", " "), "where", "eval")
            random = np.random.default_rng(0)
            points = np.stack(
                [
                    random.integers(low.to_python(), high.to_python() + 1, SAMPLES)
                    for low, high in ends
                ]
                or [np.zeros(SAMPLES, np.int64)],
                1,
            ).tolist()
            names = [f"c{axis}" for axis in range(step.depth)]
            hits = sum(
                bool(eval(code, {}, self.numbers | dict(zip(names, point, strict=False))))
                for point in points
            )
            self._shares[step.name] = max(hits, 1) / SAMPLES
        return self._shares[step.name]

    def instances(self, step: Step) -> float:
        """Return about how often a statement is run."""
        box = self.box(step)
        return self.share(step) * box if box else 0.0

    def box(self, step: Step) -> int:
        """The points of the box around a statement's domain."""
        domain = self.nest.domain[step.name].intersect_params(self.at)
        if domain.is_empty():
            return 0
        ends = [(domain.dim_min_val(axis), domain.dim_max_val(axis)) for axis in range(step.depth)]
        return prod(int(high.to_python()) - int(low.to_python()) + 1 for low, high in ends)
