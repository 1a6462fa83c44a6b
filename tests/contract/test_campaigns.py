"""A few seconds of each campaign."""

import os

import pytest

from proofs.lemmas.loops.nests import NESTS
from tests.campaigns import (
    certificates,
    chains,
    emission,
    families,
    forgeries,
    games,
    labels,
    nests,
    rewriting,
    schedules,
    stores,
    sweeps,
)


def test_mutated_certificates_are_refused_or_prove_no_more_than_the_optimum():
    outcomes = certificates.run(cases=200, seed=20)
    assert not outcomes.failures, outcomes.table()
    refused = sum(n for (_, outcome), n in outcomes.counts.items() if outcome == "refused")
    assert 50 < refused < 195  # some still hold: what they prove was compared


def test_referee_engine_and_command_line_agree_on_mutated_schedules():
    outcomes = schedules.run(cases=1500, seed=20)
    assert not outcomes.failures, outcomes.table()
    legal = sum(n for (_, outcome), n in outcomes.counts.items() if outcome == "legal")
    assert 100 < legal < 1000


def test_random_games_hold_against_the_oracle():
    outcomes = games.run(cases=60, seed=20)
    assert not outcomes.failures, outcomes.table()


def test_members_of_families_hold_against_their_optima():
    outcomes = families.run(cases=25, seed=20)
    assert not outcomes.failures, outcomes.table()


def test_bounds_of_small_nests_hold_against_their_optima():
    outcomes = nests.run(cases=40, seed=23)
    assert not outcomes.failures, outcomes.table()
    compared = ("below the optimum", "optimum proved")
    assert sum(n for (_, outcome), n in outcomes.counts.items() if outcome in compared)


def test_chains_hold_against_their_optima():
    outcomes = chains.run(cases=48, seed=23)
    assert not outcomes.failures, outcomes.table()
    assert sum(n for (_, outcome), n in outcomes.counts.items() if "optimum" in outcome) > 2


def test_rewritten_nests_have_one_dag_and_one_answer():
    outcomes = rewriting.run(cases=40, seed=1)
    assert not outcomes.failures, outcomes.table()
    equal = outcomes.counts["rewritten", "the same"]
    assert equal >= 0.9 * (40 - outcomes.counts["rewritten", "plain text not read"])


def test_forged_certificates_of_nests_prove_no_more_than_is_played():
    outcomes = forgeries.run(cases=40, seed=20)
    assert not outcomes.failures, outcomes.table()
    accepted = sum(n for (_, outcome), n in outcomes.counts.items() if outcome != "refused")
    assert 40 < accepted < 360
    assert {kind for kind, _ in outcomes.counts} == NESTS.keys()


def test_hostile_labels_do_no_harm():
    outcomes = labels.run(cases=25, seed=20)
    assert not outcomes.failures, outcomes.table()
    assert {kind for kind, _ in outcomes.counts} == set(labels.OUTPUTS)


def test_damaged_stores_are_refused_or_read_as_they_were():
    outcomes = stores.run(cases=300, seed=20)
    assert not outcomes.failures, outcomes.table()
    assert sum(n for (_, outcome), n in outcomes.counts.items() if outcome == "refused") > 150


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the campaign forks")
def test_killed_sweeps_go_on_as_if_nothing_had_happened():
    outcomes = sweeps.run(cases=6, seed=20)
    assert not outcomes.failures, outcomes.table()


def test_hostile_programs_put_nothing_of_theirs_into_c():
    outcomes = emission.run(cases=150, seed=20)
    assert not outcomes.failures, outcomes.table()
    assert sum(n for (_, outcome), n in outcomes.counts.items() if outcome == "made") > 8
