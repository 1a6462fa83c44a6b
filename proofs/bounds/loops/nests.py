"""Lower bounds of nests that are not laid out: windows of one assignment's updates.

Assignments, the arrays whose items are counted and the loops that mixed indices keep are tried in
turn; the argument is in `proofs.lemmas.loops.nests`.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from dags.programs.box_nests import Assignment, BoxNest
from pebble import ONE_SHOT, Rules
from proofs.base import Bound
from proofs.bounds.loops.window_sizes import best_windows
from proofs.core.certificate import Certificate, CertificateError
from proofs.core.records import LARGEST
from proofs.lemmas.loops.joint_windows import arrays_of_product, sides_of
from proofs.lemmas.loops.nests import (
    COMPULSORY,
    CUT,
    JOINT,
    WAITS,
    WINDOWS,
    held,
    premises,
    proven,
)
from proofs.lemmas.loops.waiting import MOST_ARRAYS, Sweeps, Waits, waiting_words

NEAR = 3  # numbers of joint windows that are tried around the best
Choice = tuple[str, tuple[str, ...], tuple[int, ...]]


def nest_bound(nest: BoxNest, memory: int, *, rules: Rules = ONE_SHOT) -> Bound:
    """Return the best lower bound: by windows of one assignment's updates, or compulsory words.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memory, rules
        Words of fast memory, and the rules. Where values may be computed again, only compulsory
        words are proved.
    """
    certificates = [Certificate(COMPULSORY, {})]
    if not rules.recompute:
        certificates += _windows(nest, held(nest, memory, rules))
        certificates += _joint_windows(nest, held(nest, memory, rules))
        certificates += _cuts(nest)
        certificates += _waits(nest, memory)
    best, words = certificates[0], -1
    for each in certificates:
        with suppress(CertificateError):  # products that are no chain
            if (found := proven(nest, memory, rules, each)) > words:
                best, words = each, found
    return Bound(best.kind, memory, words, rules, best)


def _windows(nest: BoxNest, red: int) -> Iterator[Certificate]:
    """Yield certificates of windows, of each choice the windows that prove most."""
    for name, arrays, order in _choices(nest):
        found = premises(nest, name, arrays, order)
        if not found.shape.partial or found.updates > LARGEST:
            continue  # every update has items of its own, or a window more than files tell
        windows, exponents = best_windows(found.shape, found.updates, red)
        powers = {array: str(power) for array, power in exponents.items()}
        cut = [{"size": size, "count": count, "exponents": powers} for size, count in windows]
        choice = {"assignment": name, "arrays": list(arrays), "order": list(order)}
        yield Certificate(WINDOWS, {**choice, "windows": cut})


def _joint_windows(nest: BoxNest, red: int) -> Iterator[Certificate]:
    """Yield certificates of windows of all products of the nest together."""
    products: dict[str, tuple[str, str, str]] = {}
    for each in nest.assignments:
        with suppress(CertificateError):
            products[each.name] = arrays_of_product(each)
    if len(products) < 2:
        return
    every = [array for arrays in products.values() for array in arrays]
    alone = {name: [a for a in some if every.count(a) == 1] for name, some in products.items()}
    updates = sum(each.size for each in nest.assignments if each.name in products)
    if updates > LARGEST or not all(alone.values()):
        return
    choice = {"assignments": list(products), "private": [some[0] for some in alone.values()]}
    best = max(1, round(updates / max(1, red) ** 1.5))
    for number in sorted({1, 2, 3, *range(max(1, best - NEAR), min(updates, best + NEAR) + 1)}):
        size, more = divmod(updates, number)
        cut = [(size + 1, more), (size, number - more)]
        windows = [{"size": size, "count": count} for size, count in cut if size and count]
        yield Certificate(JOINT, {**choice, "windows": windows})


def _cuts(nest: BoxNest) -> Iterator[Certificate]:
    """Yield certificates of cuts in the middle of products."""
    for each in nest.assignments:
        with suppress(CertificateError):
            sides_of(each)
            yield Certificate(CUT, {"assignment": each.name})


def _waits(nest: BoxNest, memory: int) -> Iterator[Certificate]:
    """Yield the certificate of all sweeps over arrays that wait for sums."""
    found = []
    arrays = dict.fromkeys(access.array for each in nest.assignments for access in each.reads)
    for array in arrays:
        best: dict[str, list[str]] = {}
        for each in nest.assignments:
            chains = [[*chain, each.name] for chain in best.values()]
            for chain in sorted(chains, key=len, reverse=True):
                with suppress(CertificateError):
                    waiting_words(nest, memory, Waits((Sweeps(array, tuple(chain)),)))
                    best[each.name] = chain
                    break
            best.setdefault(each.name, [each.name])
        longest = max(best.values(), key=len)
        if len(longest) > 1 and waiting_words(
            nest, memory, Waits((Sweeps(array, tuple(longest)),))
        ):
            found.append({"array": array, "sweeps": longest})
    if found:
        yield Certificate(WAITS, {"arrays": found[:MOST_ARRAYS]})


def _choices(nest: BoxNest) -> Iterator[Choice]:
    """Yield assignments, arrays that are counted, and orders of loops."""
    made = {each.name for each in nest.assignments}
    for each in nest.assignments:
        whole = [access.array for access in each.reads if each.is_whole(access)]
        own = [each.name] if each.sums else []
        inputs = [array for array in dict.fromkeys(whole) if array not in made]
        others = [array for array in dict.fromkeys(whole) if array in made and array != each.name]
        for arrays in dict.fromkeys([(*inputs, *others, *own), (*inputs, *own), tuple(inputs)]):
            if arrays:
                for order in dict.fromkeys(_orders(each)):
                    yield each.name, arrays, order


def _orders(assignment: Assignment) -> Sequence[tuple[int, ...]]:
    """Return orders of the loops: by length, and as the text has them, both ways."""
    loops = range(len(assignment.loops))
    by_length = sorted(loops, key=lambda at: assignment.box[at][1] - assignment.box[at][0])
    return [tuple(by_length), tuple(reversed(by_length)), tuple(loops), tuple(reversed(loops))]
