"""Turns for which vertices are left out, against a plain count."""

from itertools import pairwise

from proofs.bounds.pieces.packing.moments import LONGEST, Rests


def test_vertices_are_left_out_longer_each_time_up_to_a_limit():
    rests, asked = Rests(2), []
    for turn in range(4 * LONGEST):
        if not rests.skips(1, 0):
            asked.append(turn)
            rests.note(1, 0, nothing=True)
    gaps = [after - before for before, after in pairwise(asked)]
    assert gaps == [2] + [LONGEST + 1] * (len(gaps) - 1)
    assert not rests.skips(2, 0)  # values of the other price
    assert not rests.skips(1, 1)


def test_who_has_something_is_asked_again_at_once():
    rests = Rests(1)
    rests.note(1, 0, nothing=True)
    rests.note(1, 0, nothing=False)
    assert not rests.skips(1, 0)
