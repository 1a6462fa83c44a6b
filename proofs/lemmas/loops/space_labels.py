"""Labels of vertices, as a certificate describes them: cells they take, or places they are at."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.iteration_space import HEAD
from proofs.lemmas.loops.operands import (
    MOST,
    coordinates_of,
    operands,
    references_from,
    require_origin,
)


def labels_of(dag: CDAG, described: list[Any]) -> Int32Array | None:
    """Return (n,) the label of each vertex, -1 for none; None if there are no labels at all.

    Parameters
    ----------
    dag
        A DAG with an origin.
    described
        Operators with their "references" or "loops", as `program_space` says.
    """
    if not described:
        return None
    if any(not isinstance(each, Mapping) for each in described):
        raise CertificateError("labels", "are no objects")
    if "loops" in described[0]:
        return _places(dag, described)
    origin = require_origin(dag)
    before = np.full(dag.n, HEAD, np.int32)
    for each in described:
        only(each, ("operator", "references"))
        operator = integer(each, "operator", least=0)
        references = references_from(dag, operator, each["references"], MOST)
        made = np.flatnonzero(origin.made_by == operator).astype(np.int32)
        before[made] = operands(dag, made, references)
    label = np.full(dag.n, -1, np.int32)
    label[dag.inputs] = dag.inputs
    _kernels.follow(before, label)
    return label


def _places(dag: CDAG, described: list[Any]) -> Int32Array:
    """Return (n,) labels: places along loops of the operators that made vertices, -1 for others."""
    origin = require_origin(dag)
    made, at = [], []
    for each in described:
        only(each, ("operator", "loops"))
        operator = integer(each, "operator", least=0)
        depth, loops = coordinates_of(origin, operator), integers(each, "loops").tolist()
        if any(not 0 <= loop < depth for loop in loops):
            raise CertificateError("loops", f"are not from 0 to {depth - 1}")
        made.append(np.flatnonzero(origin.made_by == operator))
        at.append(origin.points[made[-1]][:, loops].astype(np.int64))
    if len({points.shape[1] for points in at}) != 1:
        raise CertificateError("loops", "of labels are not as many for each operator")
    vertices, points = np.concatenate(made), np.concatenate(at)
    label = np.full(dag.n, -1, np.int32)
    if vertices.size:
        points -= points.min(axis=0)
        sides = (points.max(axis=0) + 1).tolist()
        if prod(sides) >= 2**31:
            raise CertificateError("labels", "range over too many places")
        units = [prod(sides[:axis]) for axis in range(len(sides))]
        label[vertices] = points @ np.array(units, np.int64)
    return label
