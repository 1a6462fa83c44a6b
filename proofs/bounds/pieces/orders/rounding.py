"""Parts of a certificate from prices of rows: whole numbers within budgets."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from proofs.bounds.pieces.orders.relaxation import Moment
from proofs.certificates.pieces.piece import Piece, Stages

FloatArray = npt.NDArray[np.float64]

# Amounts of less than such a part of a word are left out.
TINY = 1e-5


def moments_of(
    moments: Sequence[Moment],
    dual: FloatArray,
    whole: Piece,
    stages: Stages,
    denominator: int,
    budget: Int64Array,
) -> list[dict[str, Any]]:
    """Return the data of moments of one order, for `proofs.certificates.pieces.orders`.

    Parameters
    ----------
    moments, dual
        The subjects of rows of the program, and (rows,) their prices.
    whole, stages
        All of the DAG, and the stages of its values.
    denominator
        Parts of a word in which amounts count.
    budget
        (stages + n,) how much of loads in each stage and of stores of each value may be charged.
    """
    scaled = np.where(np.abs(dual) < TINY, 0, dual) * denominator
    found = [_moment(moment, scaled, whole, stages) for moment in moments]
    _fit(found, "stages", "charges", budget[: stages.count])
    _fit(found, "stored", "stores", budget[stages.count :])
    return [_sparse(data) for data in found if data["price"] or data["returns"].any()]


def _moment(moment: Moment, dual: FloatArray, whole: Piece, stages: Stages) -> dict[str, Any]:
    """Return the data of a moment that charges whatever it likes."""
    price = int(np.ceil(max(0.0, dual[moment.room])))
    flows = dual[moment.flows : moment.flows + moment.edges.size]
    flows = np.maximum(flows, 0)
    tails = np.searchsorted(moment.values, whole.pred_indices[moment.edges])
    through = np.bincount(tails, flows, moment.values.size)
    most = price * whole.words[moment.values]
    flows = flows * np.minimum(1, most / np.maximum(through, 1e-9))[tails]
    amounts = np.floor(flows).astype(np.int64)
    through = np.zeros(moment.values.size, np.int64)
    np.add.at(through, tails, amounts)
    returns = np.maximum(dual[moment.returns : moment.returns + moment.closures.size], 0)
    stores = np.maximum(dual[moment.stored : moment.stored + moment.values.size], 0)
    stores = np.minimum(np.ceil(stores).astype(np.int64), through)
    stores[whole.price[moment.values] != 2] = 0
    charges = np.maximum(dual[moment.loaded : moment.loaded + moment.stages.size], 0)
    rest = (through - stores)[np.searchsorted(moment.values, stages.values[moment.stages])]
    slopes = -dual[moment.counted : moment.counted + moment.tied.size]
    return {
        "vertex": moment.x,
        "price": price,
        "edges": moment.edges,
        "amounts": amounts,
        "closures": moment.closures,
        "returns": np.floor(returns).astype(np.int64),
        "stored": moment.values,
        "stores": stores,
        "stages": moment.stages,
        "charges": np.minimum(np.ceil(charges).astype(np.int64), rest),
        "tied": moment.tied,
        "slopes": np.rint(slopes).astype(np.int64),
    }


def _fit(found: list[dict[str, Any]], where: str, much: str, budget: Int64Array) -> None:
    """Lower amounts so that together they are within the budget."""
    used = np.zeros(budget.size, np.int64)
    for data in found:
        np.add.at(used, data[where], data[much])
    share = np.minimum(1.0, budget / np.maximum(used, 1))
    for data in found:
        here = share[data[where]]
        data[much] = np.where(here < 1, np.floor(data[much] * here), data[much]).astype(np.int64)


def _sparse(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data without amounts that are nothing."""
    data = dict(data)
    for where, much in (
        ("edges", "amounts"),
        ("closures", "returns"),
        ("stored", "stores"),
        ("stages", "charges"),
        ("tied", "slopes"),
    ):
        some = np.flatnonzero(data[much])
        data[where], data[much] = data[where][some].astype(np.int64), data[much][some]
    return data
