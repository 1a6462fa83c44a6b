"""What points of small rectangles see, by how often they are at borders: all sets."""

import numpy as np
import pytest

from proofs.lemmas.prices.stencils import seen_with_contacts


@pytest.mark.parametrize("shape", [(2, 5), (3, 4), (4, 3), (1, 6), (7, 2)])
def test_against_all_sets(shape):
    places = np.indices(shape).reshape(2, -1).T
    masks = np.arange(2 ** len(places))
    seen, contacts = np.zeros((2, masks.size), np.int64)
    for number, place in enumerate(places):
        near = np.flatnonzero(np.abs(places - place).sum(axis=1) < 2)
        seen += masks & int((1 << near).sum()) > 0
        faces = (place == 0).sum() + (place == np.array(shape) - 1).sum()
        contacts += (masks >> number & 1) * faces
    table = seen_with_contacts(shape[1], shape[0], len(places))
    minimum = table[np.bitwise_count(masks), np.minimum(contacts, table.shape[1] - 1)]
    assert (minimum <= seen).all()


def test_diamonds():
    """Without contacts a diamond sees least, and half of one at a border."""
    table = seen_with_contacts(40, 40, 41)
    assert [table[v, 0] for v in (1, 5, 13, 25)] == [5, 13, 25, 41]
    assert [table[v, b] for v, b in ((1, 1), (4, 3))] == [4, 9]
    assert (np.diff(table, axis=1) <= 0).all()
