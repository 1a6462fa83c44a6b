"""Shares of time for methods of bounds, by what they have proved on DAGs of much the same shape.

`experience.csv` has drawn DAGs and what each method proves of them alone; `python
benchmarks/make_experience.py` makes it.
"""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dags import CDAG
from pebble import min_memory

FloatArray = npt.NDArray[np.float64]
FILE = files("redblue.racing").joinpath("experience.csv")
NEAREST = 6  # games whose experience counts
DECAY = 0.05  # of the logarithm of words: a method that proves 5 % less gets 1 / e of the time
FARTHEST = 1.5  # that the nearest of them may be, in powers of two
LEAST = 0.05  # of the time of the best method: what others get at least


class Shape(NamedTuple):
    """Shape of a game: logarithms to base 2, each as much as the others."""

    vertices: float
    degree: float  # edges per vertex
    slenderness: float  # length of the longest path over the mean width
    room: float  # memory over the least that plays the DAG


class Experience(NamedTuple):
    """Games, and the words that methods prove of them.

    Parameters
    ----------
    shapes
        (games, 4) their shapes.
    losses
        (games, methods) logarithm of the best bound over that of each method.
    methods
        Names of the methods.
    """

    shapes: FloatArray
    losses: FloatArray
    methods: tuple[str, ...]


def shape_of(dag: CDAG, memory: int) -> Shape:
    """Return the shape of a game."""
    length = int(dag.level.max(initial=0)) + 1
    return Shape(
        vertices=log(dag.n, 2),
        degree=log(dag.m / dag.n, 2),
        slenderness=log(length * length / dag.n, 2),
        room=log(memory / min_memory(dag), 2),
    )


def learned_shares(
    dag: CDAG, memory: int, *, without: str | None = None
) -> Mapping[str, float] | None:
    """Return methods of bounds, each with its share of the time that is left for it and the others.

    The one that has lost least on the games that are nearest comes first. None where there is no
    game near.

    Parameters
    ----------
    dag, memory
        The game.
    without
        Name of an instance that does not count.
    """
    known = experience(without)
    apart = np.linalg.norm(known.shapes - np.array(shape_of(dag, memory)), axis=1)
    nearest = np.argsort(apart, kind="stable")[:NEAREST]
    if apart[nearest[0]] > FARTHEST:
        return None
    losses = known.losses[nearest].mean(axis=0)
    return shares(dict(zip(known.methods, losses.tolist(), strict=True)))


def shares(losses: Mapping[str, float]) -> dict[str, float]:
    """Return methods, that with the least loss first, with their shares of what is left.

    Parameters
    ----------
    losses
        Logarithm of the best bound over that of each method.

    Examples
    --------
    >>> {name: round(share, 2) for name, share in shares({"a": 0.0, "b": 0.0, "c": 9.0}).items()}
    {'a': 0.49, 'b': 0.95, 'c': 1.0}
    """
    order = sorted(losses, key=losses.__getitem__)
    weights = [max(exp(-(losses[name] - losses[order[0]]) / DECAY), LEAST) for name in order]
    return {name: weights[i] / sum(weights[i:]) for i, name in enumerate(order)}


@cache
def experience(without: str | None = None) -> Experience:
    """Return the games of the file, without those of one instance."""
    lines = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))
    lines = [line for line in lines if line["instance"] != without]
    methods = tuple(lines[0])[1 + len(Shape._fields) :]
    words = np.array([[int(line[name]) for name in methods] for line in lines])
    losses = np.log(words.max(axis=1, keepdims=True)) - np.log(words)
    shapes = np.array([[float(line[name]) for name in Shape._fields] for line in lines])
    return Experience(shapes, losses, methods)
