from tests.campaigns import programs


def test_random_nests_are_read_as_they_run_and_broken_ones_are_refused():
    programs.run(cases=2, seed=0)  # compiles, which the seconds of a case are not for
    outcomes = programs.run(cases=50, seed=15)
    assert not outcomes.failures, outcomes.table()
    assert outcomes.counts["random nest", "compared"] > 25
    refused = [outcomes.counts[kind, "refused"] for kind in ("broken C", "broken Python")]
    assert sum(refused) > 25
    assert outcomes.slowest < 5
