"""Scattered sums as gathered ones: other loops, one for each index of the terms.

Where an index of an item is a u + b v, let g be the greatest common divisor, s = |a| / g and
t = |b| / g. With v = s v1 + v0, v0 < s, the index is a multiple of s (u +- t v1) +- t v0: the loop
u gives way to z = u +- t v1, and v to v1 and v0. An item is then one value of z and of v0, all its
terms are those of v1, and they come in the order of the text where v1 or -v1 rises.
"""

from collections.abc import Sequence
from math import gcd

from dags.programs.box_nests import Access

PAIR = 2  # loops of an index


def gathered(item: Access, loops: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The change of loops, as isl reads it, and new names; None if nothing is scattered.

    Parameters
    ----------
    item
        The terms, as a function of the loops.
    loops
        Their names.
    """
    names = [f"k{position}" for position in range(len(item.box))]
    new_terms, new_names = [[name] for name in names], [[name] for name in loops]
    equations: list[str] = []
    for row in item.rows:
        mixed = [loop for loop, coefficient in enumerate(row) if coefficient]
        if len(mixed) != PAIR or any(
            other_row[loop] for loop in mixed for other_row in item.rows if other_row != row
        ):
            continue
        short, long = sorted(mixed, key=lambda loop: item.box[loop][1] - item.box[loop][0])
        common = gcd(row[long], row[short])
        step, count = abs(row[long]) // common, abs(row[short]) // common
        sign = 1 if row[long] * row[short] > 0 else -1
        turn = 1 if short < long else -sign  # so that terms come as in the text
        low = item.box[short][0]
        z, v1, v0 = f"z{long}", f"v{short}", f"r{short}"
        new_terms[long] = [z]
        new_terms[short] = [v1, v0] if step > 1 else [v1]
        u, v = loops[long], loops[short]
        new_names[short] = [f"{v}/{step}", f"{v}%{step}"] if step > 1 else [v]
        new_names[long] = [
            f"{u}{'+' if sign > 0 else '-'}{'' if count == 1 else f'{count}*'}{new_names[short][0]}"
        ]
        start = f" + {v0}" if step > 1 else ""
        equations += [
            f"k{short} = {low} + {step * turn}*{v1}{start}",
            f"{z} = k{long} + {sign * count * turn}*{v1}",
        ]
        equations += [f"0 <= {v0} < {step}"] * (step > 1)
    if not equations:
        return None
    after = ",".join(name for terms in new_terms for name in terms)
    change = f"[{','.join(names)}] -> [{after}] : {' and '.join(equations)}"
    return change, tuple(name for terms in new_names for name in terms)
