"""Claims that a DAG is a generator's: each true one stands, and a false one is refused at once."""

import random

import pytest

from dags import RedBlueError, load
from dags.families import FAMILIES
from proofs.core.records import LARGEST, CertificateError
from proofs.lemmas.generated import require_generated
from tests.campaigns.recognition import drawn_member, drawn_value, kinds_of

SIZED = [name for name, family in FAMILIES.items() if family.sizes is not None]


@pytest.mark.parametrize("name", SIZED)
def test_members_are_what_they_claim_to_be(name):
    for seed in range(4):
        dag = drawn_member(name, seed)
        if all(type(value) is not int or 1 <= value <= dag.n for value in dag.params.values()):
            assert require_generated(dag, name, dag.params) == dag.params


@pytest.mark.parametrize("name", SIZED)
def test_false_claims_are_refused(name):
    rng, dag = random.Random(len(name)), load("random_layered:n=37")
    for _ in range(200):
        params = {
            key: rng.choice((LARGEST, 0, -1, dag.n, drawn_value(key, kind, rng)))
            if kind is int
            else drawn_value(key, kind, rng)
            for key, kind in kinds_of(FAMILIES[name].make).items()
        }
        with pytest.raises(CertificateError):
            require_generated(dag, name, params)


def test_nothing_is_known_of_what_is_drawn():
    with pytest.raises(CertificateError, match="of which nothing is known"):
        require_generated(load("random_tree:n=9"), "random_tree", {"n": 9})
    with pytest.raises(RedBlueError, match="of which nothing is known"):
        require_generated(load("random_tree:n=9"), "nobody", {})
