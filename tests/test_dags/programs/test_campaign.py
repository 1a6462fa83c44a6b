from tests.campaigns import programs


def test_random_nests_are_read_as_they_run_and_broken_ones_are_refused():
    seen = programs.run(cases=120, seed=15)
    assert seen["compared"] > 60
    assert seen["refused"] > 60
