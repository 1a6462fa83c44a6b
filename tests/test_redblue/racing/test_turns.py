"""Turns of a race: no side is idle, every method has its turn, and seconds follow gains."""

from redblue.racing.processes import EXACT, SEARCH, SHORTEST, Turns


def test_both_sides_are_at_work_and_every_bound_has_a_turn():
    turns = Turns(100.0, ["pieces", "reuse", "wavefront"])
    first, second, third = (turns.next(100.0) for _ in range(3))
    assert [first.method, second.method, third.method] == [SEARCH, "pieces", "reuse"]
    turns.done(first, 0.1, 10.0)
    assert turns.next(90.0).method == SEARCH  # as only bounds were at work
    turns.done(second, 0.0, 1.0)
    assert turns.next(90.0).method == "wavefront"  # which has not had a turn


def test_seconds_follow_gains():
    turns = Turns(100.0, ["pieces", "reuse"])
    for gain in (0.01, 0.3, 0.0):  # of search, pieces, reuse
        turns.done(turns.next(100.0), gain, 1.0)
    repeated = turns.next(100.0)
    assert (repeated.method, repeated.number, repeated.seconds) == ("pieces", 1, 20.0)
    turns.done(repeated, 0.0, 20.0)
    assert turns.next(80.0).method == SEARCH


def test_exact_search_has_the_first_turn_and_all_of_the_time():
    turns = Turns(10.0, ["pieces"], exact=True)
    assert turns.next(10.0).seconds == 10.0
    assert [turns.next(9.0).method for _ in range(2)] == [SEARCH, "pieces"]
    assert not Turns(10.0, [], exact=True).next(9.0).proves
    assert Turns(10.0, [], exact=True).next(9.0).method == EXACT


def test_a_turn_leaves_no_useless_rest():
    turns = Turns(10.0, ["pieces"])
    assert turns.next(1.2).seconds == 1.2
    assert turns.next(SHORTEST / 2) is None
