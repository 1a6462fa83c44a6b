"""One computation has one bound and one best play, however its text is written.

Twelve computations stand in nine or more spellings each (`tests/spellings.py`). The DAG of a
spelling is that of the plain text up to names, and so is its nest, in all that bounds and plays
depend on; or its products are vertices of their own, and T3 says what that costs. Real sizes take
longer: `tests/test_dags/programs/canonical/test_rewriting_at_real_sizes.py` has them.
"""

import pytest

pytest.importorskip("islpy")

from dags.programs import ProgramError
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c, from_python
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.search import best_tilings
from tests.spellings import CASES, TWO_VERTICES, UNREAD, loops_written
from tests.test_dags.programs.canonical.isomorphic import boxes_of, shape_of

# Spellings whose statements stand in another order of the outermost loops: the play that is found
# for them differs by as much at most (the bound is the same).
OTHER_TREES = {
    ("LU", "rows first"): 1.25,
    ("LU", "scalar sum"): 1.25,
    ("LU", "columns"): 1.25,
    ("Cholesky", "if"): 1.08,
}
# T3 says of windows of one kind of arrays what they prove where products have names.
WEAKER = {
    ("LU", "named product"): 0.48,
    ("Cholesky", "named product"): 0.67,
    ("symmetric update", "named product"): 0.58,
    # merged windows (T3) know nothing of inputs that no window counts
    ("triangular solve", "named product"): 0.999,
    ("convolution", "flat, tiled, unrolled"): 0.98,  # its sums have no first update of their own
}
AT_SMALL_SIZES = 1.25  # few sizes of tiles differ by as much
EVERY = [(name, spelling) for name, case in CASES.items() for spelling in case.texts]
SPELLINGS = [spelling for spelling in EVERY if spelling not in UNREAD]


def read(name, spelling, sizes):
    arguments = {"size": sizes["n"]} if spelling == "renamed" else sizes
    program = from_c(loops_written(CASES[name].texts[spelling]), "f", sizes=arguments)
    return program, {size: value for size, value in arguments.items() if size in program.sizes}


def nest_of(name, spelling, sizes):
    return box_nest(*read(name, spelling, sizes))


def plain(name):
    return next(iter(CASES[name].texts))


def played(nest, memory):
    variants = [(nest, memory)]
    if nest.merged is not None:
        variants.append((nest.merged.nest, memory - nest.merged.count))
    return min(
        tiling.io
        for variant, room in variants
        for tiling in best_tilings(variant, [room])
        if tiling.moved.words <= room
    )


@pytest.mark.parametrize("name", CASES)
def test_twelve_computations_have_at_least_eight_spellings(name):
    assert len(CASES) == 12
    assert len(CASES[name].texts) >= 8


@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_a_spelling_has_the_dag_of_the_plain_text(name, spelling):
    sizes = CASES[name].small
    (original, arguments), (rewritten, numbers) = (
        read(name, text, sizes) for text in (plain(name), spelling)
    )
    if (name, spelling) in TWO_VERTICES:
        assert rewritten.dag(**numbers).n > original.dag(**arguments).n
    else:
        assert shape_of(rewritten.dag(**numbers)) == shape_of(original.dag(**arguments))


@pytest.fixture
def is_small():
    return True


@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_a_spelling_has_the_bound_and_the_play_of_the_plain_text(name, spelling, is_small):
    case = CASES[name]
    sizes, memory = (case.small, case.little) if is_small else (case.sizes, case.memory)
    nest, known = nest_of(name, spelling, sizes), nest_of(name, plain(name), sizes)
    if boxes_of(nest) == boxes_of(known) and spelling != plain(name):
        return  # bounds and plays are functions of these
    bound = nest_bound(nest, memory)
    check(nest, memory, bound)
    share = WEAKER.get((name, spelling), 1)
    assert bound.io >= share * nest_bound(known, memory).io
    limit = AT_SMALL_SIZES if is_small else OTHER_TREES.get((name, spelling), 1.01)
    extra = 0 if nest.merged is None else nest.merged.count  # words that T3 takes
    assert played(nest, memory) <= limit * played(known, memory - extra)


@pytest.mark.parametrize(("name", "spelling"), sorted(UNREAD))
def test_what_is_not_read_says_why(name, spelling):
    message = r"read behind its loop, .*ends (move with|that change)"
    with pytest.raises(ProgramError, match=message):
        read(name, spelling, CASES[name].small)


PYTHON = (
    "def f(a, b, c, n):\n for i in range(n):\n  for j in range(n):\n   for k in range(n):\n    "
)


@pytest.mark.parametrize(
    "update", ["c[i, j] += a[i, k] * b[k, j]", "c[i*n + j] += a[i*n + k] * b[k*n + j]"]
)
def test_python_has_the_bound_of_c(update):
    program = from_python(PYTHON + update, sizes={"n": 240})
    nest = box_nest(program, {"n": 240} if program.sizes else {})
    known = nest_of("product", "plain", {"n": 240})
    assert boxes_of(nest) == boxes_of(known)
