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
    """The data of moments of one order, for `proofs.certificates.pieces.orders`.

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
    moments_data = [_moment(moment, scaled, whole, stages) for moment in moments]
    _fit(moments_data, "stages", "charges", budget[: stages.count])
    _fit(moments_data, "stored", "stores", budget[stages.count :])
    return [_sparse(data) for data in moments_data if data["price"] or data["returns"].any()]


def _moment(moment: Moment, dual: FloatArray, piece: Piece, stages: Stages) -> dict[str, Any]:
    """The data of a moment that charges whatever it likes."""
    price = int(np.ceil(max(0.0, dual[moment.room])))
    flows = dual[moment.flows : moment.flows + moment.edges.size]
    flows = np.maximum(flows, 0)
    tails = np.searchsorted(moment.values, piece.pred_indices[moment.edges])
    through = np.bincount(tails, flows, moment.values.size)
    capacity = price * piece.words[moment.values]
    flows = flows * np.minimum(1, capacity / np.maximum(through, 1e-9))[tails]
    amounts = np.floor(flows).astype(np.int64)
    through = np.zeros(moment.values.size, np.int64)
    np.add.at(through, tails, amounts)
    returns = np.maximum(dual[moment.returns : moment.returns + moment.closures.size], 0)
    stores = np.maximum(dual[moment.stored : moment.stored + moment.values.size], 0)
    stores = np.minimum(np.ceil(stores).astype(np.int64), through)
    stores[piece.price[moment.values] != 2] = 0
    charges = np.maximum(dual[moment.loaded : moment.loaded + moment.stages.size], 0)
    surplus = (through - stores)[np.searchsorted(moment.values, stages.values[moment.stages])]
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
        "charges": np.minimum(np.ceil(charges).astype(np.int64), surplus),
        "tied": moment.tied,
        "slopes": np.rint(slopes).astype(np.int64),
    }


def _fit(
    data_of_moments: list[dict[str, Any]], place_field: str, amount_field: str, budget: Int64Array
) -> None:
    """Lower amounts so that together they are within the budget."""
    used = np.zeros(budget.size, np.int64)
    for data in data_of_moments:
        np.add.at(used, data[place_field], data[amount_field])
    share = np.minimum(1.0, budget / np.maximum(used, 1))
    for data in data_of_moments:
        shares = share[data[place_field]]
        data[amount_field] = np.where(
            shares < 1, np.floor(data[amount_field] * shares), data[amount_field]
        ).astype(np.int64)


def _sparse(data: dict[str, Any]) -> dict[str, Any]:
    """The data without amounts that are nothing."""
    data = dict(data)
    for place_field, amount_field in (
        ("edges", "amounts"),
        ("closures", "returns"),
        ("stored", "stores"),
        ("stages", "charges"),
        ("tied", "slopes"),
    ):
        positive = np.flatnonzero(data[amount_field])
        data[place_field], data[amount_field] = (
            data[place_field][positive].astype(np.int64),
            data[amount_field][positive],
        )
    return data
