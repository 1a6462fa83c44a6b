"""What is where during a play, by the rules as they are written, and what a page says of it."""

import json
import re

from pebble import Move


def states_by_moves(dag, schedule):
    """(red, blue, loads, stores) before the play and after each move."""
    red, blue, loads, stores = set(), set(dag.inputs.tolist()), 0, 0
    yield frozenset(red), frozenset(blue), loads, stores
    for move, v in schedule:
        words = int(dag.sizes[v])
        if move is Move.LOAD:
            red.add(v)
            loads += words
        elif move is Move.STORE:
            blue.add(v)
            stores += words
        elif move is Move.COMPUTE:
            red.add(v)
        else:
            red.remove(v)
        yield frozenset(red), frozenset(blue), loads, stores


def data_of(text):
    """What a page hands to its script."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', text).group(1))
