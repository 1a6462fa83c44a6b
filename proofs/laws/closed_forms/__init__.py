"""Closed forms: lower bounds on members of families by formulas, which need no DAG.

`FORMS` lists, by the name of a generator, formulas that need nothing but its parameters and K, the
words that can be red just before a word is computed. `loops` and `layers` have them; they are
corollaries of the theorems of `proofs.certificates`, whose searched constants prove as much or more
on a DAG that is built. All are for values of one word, but those of `LATTICES`.
"""

from pebble import Rules
from proofs.laws.closed_forms.layers import LAYERS
from proofs.laws.closed_forms.loops import LATTICES, LOOPS, ClosedForm
from proofs.lemmas.isoperimetry.mesh_words import Params

FORMS: dict[str, tuple[ClosedForm, ...]] = dict(sorted({**LOOPS, **LAYERS, **LATTICES}.items()))
WITH_SIZES = frozenset(LATTICES)  # families whose values are of more than one word


def form_words(form: ClosedForm, params: Params, memory: int, rules: Rules) -> int | None:
    """The words that a form proves, None where it does not hold.

    Parameters
    ----------
    form, params
        The formula, and all parameters of its family.
    memory, rules
        Words of fast memory, and the rules.
    """
    if rules.partial or (rules.recompute and not form.recompute):
        return None
    return form.words(params, rules.room_before(memory))


def best_form(family: str, params: Params, memory: int, rules: Rules) -> tuple[int, ClosedForm]:
    """The most words that a form of a family proves, and the form.

    Parameters
    ----------
    family, params, memory, rules
        As for `largest_form`.
    """
    proved = ((form_words(form, params, memory, rules), form) for form in FORMS[family])
    words = [(words, form) for words, form in proved if words is not None]
    return max(words, key=lambda pair: pair[0])


def largest_form(family: str, params: Params, memory: int, rules: Rules) -> int:
    """The most words that a form of a family proves.

    Parameters
    ----------
    family, params
        A generator's name, and all of its parameters.
    memory, rules
        Words of fast memory, and the rules.

    Examples
    --------
    >>> from pebble import ONE_SHOT
    >>> largest_form("matmul", {"m": 10**6, "n": 10**6, "k": 10**6}, 10**8 + 1, ONE_SHOT)
    200000100000000
    """
    return best_form(family, params, memory, rules)[0]


__all__ = ["FORMS", "WITH_SIZES", "ClosedForm", "Params", "best_form", "form_words", "largest_form"]
