"""Lower bounds of nests that are not laid out: windows of one assignment's updates.

Assignments, the arrays whose items are counted and the loops that mixed indices keep are tried in
turn; the argument is in `proofs.certificates.loops.nests`.
"""

from collections.abc import Iterator, Sequence

from dags.programs.box_nests import Assignment, BoxNest
from pebble import ONE_SHOT, Rules
from proofs.base import Bound
from proofs.bounds.loops.window_sizes import best_windows
from proofs.certificates.certificate import Certificate
from proofs.certificates.fields import LARGEST
from proofs.certificates.loops.nests import COMPULSORY, WINDOWS, held, premises, proven

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
    words, best = max(
        ((proven(nest, memory, rules, each), each) for each in certificates), key=lambda one: one[0]
    )
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


def _choices(nest: BoxNest) -> Iterator[Choice]:
    """Yield assignments, arrays that are counted, and orders of loops."""
    made = {each.name for each in nest.assignments}
    for each in nest.assignments:
        whole = [access.array for access in each.reads if access.box == each.box]
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
