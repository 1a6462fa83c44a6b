"""Windows that begin anywhere, of every length, against optima; where they are refused."""

import numpy as np
import pytest

from dags import fft, load
from pebble import RULES, min_memory, play
from proofs import Certificate, CertificateError
from proofs.certificates import proven_io
from schedulers.exact import exact


def of_family(dag):
    """What names the family in a certificate."""
    params = {k: list(v) if isinstance(v, tuple) else v for k, v in dag.params.items()}
    return {"family": dag.family, "params": params}


def certificates(dag, length, random):
    """Certificates of one length, at drawn prices."""
    windows, parts = {"length": length}, {"denominator": 12}
    yield "segments", {**of_family(dag), "alternative": 0, "cuts": [windows]}
    if dag.family == "hypercube":
        prices = random.integers(0, 40, dag.params["d"])
        yield "priced-levels", {**dag.params, **parts, "prices": prices, **windows}
        return
    prices = random.integers(0, 20, 2 if dag.family == "grid" else 1)
    yield "priced-contacts", {**of_family(dag), **parts, "prices": prices, "windows": windows}
    if dag.family == "grid":
        shape = dag.params["shape"]
        prices = random.integers(0, 20, sum(shape) - len(shape) + 1)
        yield "priced-layers", {"shape": list(shape), **parts, "prices": prices, **windows}


@pytest.mark.parametrize("rules", ["one-shot", "one-shot-sliding"])
@pytest.mark.parametrize(
    "spec", ["grid:shape=3x3", "grid:shape=2x2x3", "hypercube:d=4", "stencil:shape=3,steps=4"]
)
def test_never_above_the_optimum(spec, rules):
    dag, random = load(spec), np.random.default_rng(3)
    memory = min_memory(dag, rules=RULES[rules])
    best = exact(dag, memory, rules=RULES[rules], time_limit=2.0)
    io = play(dag, best.schedule, memory, rules=RULES[rules]).io
    proved = [
        proven_io(dag, memory, RULES[rules], Certificate(kind, data))
        for length in range(2, dag.computed.size + 1)
        for kind, data in certificates(dag, length, random)
    ]
    assert max(proved) <= io


def test_refused_where_values_are_computed_again_or_too_long():
    dag = fft(16)
    data = {**of_family(dag), "alternative": 0, "cuts": [{"length": 8}]}
    assert proven_io(dag, 4, RULES["one-shot"], Certificate("segments", data)) == 32
    with pytest.raises(CertificateError, match="begin anywhere"):
        proven_io(dag, 4, RULES["recompute"], Certificate("windows", data))
    for wrong in ({"length": 1}, {"length": 65}, {"length": 8, "times": [1]}, {"length": 8.0}):
        certificate = Certificate("segments", data | {"cuts": [wrong]})
        with pytest.raises(CertificateError):
            proven_io(dag, 4, RULES["one-shot"], certificate)
