"""Numbers that 64 bits just hold, and some that they do not, for the games that campaigns draw."""

import numpy as np

from dags import CDAG
from dags.arrays import MAX_TOTAL
from pebble import MOST_WORDS, all_words

OFTEN = 0.15  # of the games have huge numbers of a kind
BEYOND = 2**63 - 1, 2**63, 2**64 + 7, 10**30  # words that plays refuse


def huge_sizes(rng, dag: CDAG) -> CDAG:
    """A DAG with values as large as they may be, or 2^k times as large; its work, too."""
    traffic = sum((dag.sizes.astype(object) * (dag.outdegree + 3)).tolist())
    limit = max(MAX_TOTAL // traffic, 1)
    times = min(limit, rng.choice([limit, limit // 2 + 1, *(2**k for k in (20, 40, 50, 55, 57))]))
    return CDAG(
        dag.pred_indptr,
        dag.pred_indices,
        words=dag.sizes * np.int64(times),
        work=dag.work if rng.random() < 0.5 else work_of(rng, dag),
        outputs=dag.outputs,
        channel=dag.channel,
    )


def sometimes_huge(rng, dag: CDAG) -> CDAG:
    """A DAG, now and then with huge sizes instead of its own."""
    return huge_sizes(rng, dag) if rng.random() < OFTEN else dag


def work_of(rng, dag: CDAG) -> list[int]:
    """Operations of all vertices, up to as many as a DAG may have."""
    largest = MAX_TOTAL // dag.n
    return [rng.choice([0, 3, largest // 2, largest]) for _ in range(dag.n)]


def some_memory(rng, dag: CDAG, minimum: int, extra: list[int], *, limit: int = MOST_WORDS) -> int:
    """A memory of at least `least` words: `more` values of some size, or all that there is.

    Parameters
    ----------
    rng
        Draws it.
    dag, least
        The DAG, and the words that it takes.
    more
        How many values there is room for besides, one of which is chosen.
    most
        The largest that is asked for; `BEYOND` are asked for too if they are no larger.
    """
    if rng.random() >= OFTEN:
        return minimum + rng.choice(extra) * rng.choice(dag.sizes.tolist())
    everything, n = all_words(dag), dag.computed.size
    near = [
        everything - 1,
        everything,
        everything + 1,
        2 * everything,
        2**64 // n,
        2**63 // n,
        MOST_WORDS,
    ]
    far = [2**k + rng.choice([-1, 0, 1]) for k in (31, 32, 40, 51, 54, 58, 60, 61, 62)]
    able = [words for words in (*near, *far, *BEYOND) if minimum <= words <= limit]
    return rng.choice(able or [minimum])


def is_uncountable(referee, engine) -> bool:
    """Whether the engine refuses a play in which the referee counts too many words.

    A play that ends too early is illegal to the referee, and may be too long besides.
    """
    refused = isinstance(engine, str) and "more than the engine counts" in engine
    if isinstance(referee, tuple):
        return refused and referee[1] == "END"
    moved = getattr(referee, "io", None)
    words = sum(referee.words) if moved is None else moved + getattr(referee, "messages", 0)
    return refused and words > MAX_TOTAL
