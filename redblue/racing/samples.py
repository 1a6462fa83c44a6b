"""Games of a few moves, on which Numba compiles the searches before their time begins."""

from functools import cache

from dags import CDAG, random_layered
from dags.work import uncharged
from pebble import UNLIMITED, Rules, min_memory
from schedulers.exact import exact
from schedulers.search import pruned
from schedulers.search.portfolio import best, portfolio
from schedulers.search.pruning import dropped


def compile_searches(recompute: bool) -> None:
    """Let Numba compile all searches on a game of a few moves, before the time begins."""
    compile_exact(recompute)
    compile_best(recompute)


def _sample() -> tuple[CDAG, int]:
    """A DAG of a few vertices, and its least memory."""
    dag = random_layered(12, max_words=2, seed=1)
    return dag, min_memory(dag)


@cache
@uncharged()
def compile_portfolio(recompute: bool) -> None:
    """Compile the plays of a portfolio."""
    portfolio(*_sample(), rules=Rules(recompute=recompute))


@cache
@uncharged()
def compile_again(recompute: bool) -> None:
    """Compile the plays that compute values again, where the rules allow it."""
    if recompute:
        dag, memory = _sample()
        rules = Rules(recompute=True)
        result = dropped(dag, [dag.computed], memory, rules=rules, budget=UNLIMITED)
        assert result is not None
        pruned(dag, result, memory, rules=rules, budget=UNLIMITED)


@cache
@uncharged()
def compile_exact(recompute: bool) -> None:
    """Compile exact search."""
    exact(*_sample())
    if recompute:
        exact(*_sample(), rules=Rules(recompute=True), time_limit=1.0)


@cache
@uncharged()
def compile_best(recompute: bool) -> None:
    """Compile the searches for a better schedule."""
    best(*_sample(), time_limit=None, iterations=20)
    if recompute:
        best(*_sample(), rules=Rules(recompute=True), time_limit=0.0)
