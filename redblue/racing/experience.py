"""Shares of time for methods of bounds, by what they have proved on DAGs of much the same shape.

`experience.csv` has drawn DAGs and what each method proves of them alone; `python
benchmarks/make_experience.py` makes it.
"""

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import NamedTuple

import numpy as np

from dags import CDAG
from pebble import min_memory

FILE = files("redblue.racing").joinpath("experience.csv")
NEAREST = 4  # games whose experience counts
DECAY = 0.05  # of the logarithm of words: a method that proves 5 % less gets 1 / e of the time
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

    shapes: np.ndarray
    losses: np.ndarray
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
