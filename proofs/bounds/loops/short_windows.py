"""Windows of a nest where memory is small, or sums go in the order of the text: their sizes."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import permutations
from math import prod
from typing import Any

from proofs.bounds.loops.pair_prices import FINE, sizes_up_to
from proofs.bounds.loops.window_sizes import best_windows, tight_exponents
from proofs.core.records import CertificateError
from proofs.lemmas.loops.layered_sets import REACH
from proofs.lemmas.loops.nest_updates import Premises, in_order
from proofs.lemmas.loops.overlapping import items_of_product, kept_inside

LONGEST = 3  # times M^1.5, updates of windows that begin at every one
LONGER = 1.0, 1.25, 1.6  # than the best windows, where some sums have more than their last loop


def best_everywhere(premised: Premises, red: int) -> dict[str, Any]:
    """The size and exponents of windows that begin at every update and prove most.

    Parameters
    ----------
    premised
        The arrays that the updates of one copy touch.
    red
        Words that can be red just before an update.
    """
    sizes = sizes_up_to(min(premised.updates, REACH, round(FINE + LONGEST * red**1.5)))
    products = items_of_product(premised, sizes[-1])
    ways = []
    tight = tight_exponents(premised.shape, premised.updates, sizes)
    for place, (size, (words, _)) in enumerate(zip(sizes, tight, strict=True)):
        kept = kept_inside(premised, size, max(round(words), products[size]))
        ways.append(((len(premised.counted) * size - kept - red) / (size - 1), place))
    _, place = max(ways)
    exponents = {array: str(power) for array, power in tight[place][1].items()}
    return {"size": sizes[place], "exponents": exponents}


def ordered_windows(
    premised: Premises, order: tuple[int, ...], red: int
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield windows of sums in the order of the text, each with the arrays that say so.

    Parameters
    ----------
    found, red
        As for `best_everywhere`.
    order
        Of all loops.
    """
    for pair in permutations([counted.array for counted in premised.counted], 2):
        with suppress(CertificateError):
            shape, _ = in_order(premised, order, pair)
            updates = min(premised.updates, prod(shape.extents.values()))
            ((best, _), *_), powers = best_windows(shape, updates, red)
            exponents = {name: str(value) for name, value in powers.items()}
            for longer in LONGER:
                size = min(premised.updates, round(longer * best))
                count, left = divmod(premised.updates, size)
                parts = [(size, count), *([(left, 1)] if left else [])]
                yield (
                    {"ordered": list(pair)},
                    [
                        {"size": size, "count": count, "exponents": exponents}
                        for size, count in parts
                    ],
                )
            return
