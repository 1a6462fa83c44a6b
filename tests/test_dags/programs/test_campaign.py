from tests.campaigns import programs


def test_random_nests_are_read_as_they_run_and_broken_ones_are_refused():
    seen = programs.run(cases=50, seed=15)
    assert seen["compared"] > 25
    assert seen["refused"] > 25
