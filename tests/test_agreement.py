"""Some drawn games about which all commands must agree."""

from tests.campaigns import agreement


def test_commands_agree_on_drawn_games():
    outcomes = agreement.run(cases=5, seed=20)
    assert not outcomes.failures, outcomes.table()
    assert {kind for kind, _ in outcomes.counts} == set(agreement.DRAWS)
