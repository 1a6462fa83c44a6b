"""Checks the traffic that no memory saves, under any rules."""

from collections.abc import Mapping
from typing import Any

from dags import CDAG
from pebble import Rules, compulsory_words
from proofs.core.fields import only


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves: nothing beside the DAG is needed.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has no field.
    """
    del memory, rules
    only(data, ())
    return compulsory_words(dag)
