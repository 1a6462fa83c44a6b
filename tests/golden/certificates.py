"""Golden certificates: proofs that were written once, and what the checker says of them now."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import numpy as np

from dags import CDAG, load
from pebble import min_memory, rules_named
from proofs import BOUNDS, CertificateError, NotApplicableError
from proofs.certificates import Certificate, proven_io
from tests.campaigns.mutations import places
from tests.golden import files
from tests.golden.inputs import EVERYDAY, LARGER, SMALL

NAME = "certificates.json.gz"
RULESETS = ("one-shot", "recompute", "one-shot-sliding", "partial")
SECONDS = 0.3  # methods that search find another proof each time
EACH = 8  # certificates of a method and a kind
BROKEN = 3  # changes of each certificate, one at a time
LONGEST = 20_000  # characters of a certificate that is kept


def certificates() -> Iterator[tuple[str, Any]]:
    """Yield certificates as they are kept, with what the checker says of each now."""
    for key, record in files.kept(NAME).items():
        spec, rules, memory, _ = key.split(" ")
        kind, data = record["kind"], record["data"]
        game = (spec, int(memory), rules)
        yield key, {"kind": kind, "data": data, "verdicts": list(verdicts(game, kind, data))}


def proved() -> Iterator[tuple[str, Any]]:
    """Yield certificates that methods find now, some of each kind and method, and verdicts."""
    result = Counter[tuple[str, str]]()
    for spec in (*SMALL, *EVERYDAY, *LARGER):
        for rules in RULESETS:
            smallest = min_memory(_dag(spec), rules=rules_named(rules))
            memory = smallest + 1 if spec in SMALL else 2 * smallest
            for name, method in BOUNDS.items():
                try:
                    bound = method(_dag(spec), memory, rules=rules_named(rules), time_limit=SECONDS)
                except NotApplicableError:
                    continue
                kind, data = bound.certificate.kind, _plain(bound.certificate.data)
                if kind == "compulsory" != name or result[name, kind] == EACH:
                    continue
                if len(json.dumps(data)) > LONGEST:
                    continue
                result[name, kind] += 1
                message = list(verdicts((spec, memory, rules), kind, data))
                record = {"kind": kind, "data": data, "verdicts": message}
                yield f"{spec} {rules} {memory} {name}", record


def verdicts(game: tuple[str, int, str], kind: str, data: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the words that are proved, and what is said when one entry of the data is another."""
    yield verdict(game, kind, data)
    for number in range(BROKEN):
        changed = {"data": deepcopy(data)}
        rng = random.Random(f"{game} {kind} {number}")
        container, key = rng.choice(places(changed))
        container[key] = _another(container[key])
        yield verdict(game, kind, changed["data"])


def verdict(game: tuple[str, int, str], kind: str, data: Any) -> int | str:
    """The words that a certificate proves, or why it is refused."""
    spec, memory, rules = game
    try:
        return proven_io(_dag(spec), memory, rules_named(rules), Certificate(kind, data))
    except CertificateError as error:
        return str(error)


@cache
def _dag(spec: str) -> CDAG:
    return load(spec)


def _another(value: Any) -> Any:
    """A value that is another one, of the same type."""
    if isinstance(value, bool) or value is None:
        return 1
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "s"
    return value[:-1] if isinstance(value, list) else {**value, "more": 1}


def _plain(value: Any) -> Any:
    """Data as JSON has it."""
    if isinstance(value, Mapping):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value
