"""Verifies that a DAG is the one that a generator makes."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG, GENERATORS, RedBlueError
from proofs.certificates.certificate import CertificateError


def require_generated(dag: CDAG, family: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return all parameters of the generator `family` for `dag`, the defaults among them.

    Raises
    ------
    CertificateError
        If its edges and outputs are not those of that generator. Sizes may be others.
    """
    if family not in GENERATORS:
        raise CertificateError("family", f"is {family!r}, which no generator has")
    try:
        made = GENERATORS[family](**params)
    except (RedBlueError, TypeError, ValueError) as error:
        raise CertificateError("params", f"make no {family}: {error}") from None
    for ours, theirs in zip(_visible(dag), _visible(made), strict=True):
        if not np.array_equal(ours, theirs):
            raise CertificateError("params", f"the DAG is not {made!r}")
    return made.params


def _visible(dag: CDAG) -> tuple[np.ndarray[Any, Any], ...]:
    return dag.pred_indptr, dag.pred_indices, dag.outputs
