"""Numbers of windows of a product, for the bound by the sums that are open where they are cut."""

from collections.abc import Iterator

from dags import CDAG
from pebble import Rules, min_memory
from proofs.lemmas.loops.kept_pairs import holds
from proofs.lemmas.loops.open_chains import MOST_ENTRIES, MOST_OPEN, least_words

GROWTH = 1.2  # of the numbers of windows that are tried
MOST_STEPS = 2**21  # of the search for shortest paths: windows, times sums at both ends
MOST_TRIED = 64  # windows: with more, memory is so small that `kept_pairs` proves more


def best_count(dag: CDAG, memory: int, rules: Rules) -> tuple[int, dict[str, int]] | None:
    """Return the words that the best number of windows proves, and data for the certificate.

    None where nothing is known.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    if dag.family != "matmul" or dag.params.get("form") != "fma" or dag.words is not None:
        return None
    m, n, k = (int(dag.params[name]) for name in "mnk")
    held, most = rules.room_before(memory), min(rules.room_before(memory), m * n)
    if not holds(dag, rules) or memory < min_memory(dag, rules=rules):
        return None
    if m * n > MOST_ENTRIES or most > MOST_OPEN:
        return None
    tried = _counts(min(MOST_TRIED, m * n * k, MOST_STEPS // (most + 1) ** 2))
    words, count = max(
        ((least_words(m, n, k, held, count), count) for count in tried), default=(0, 0)
    )
    return (words, {"m": m, "n": n, "k": k, "windows": count}) if count else None


def _counts(most: int) -> Iterator[int]:
    """Yield 1, 2, 3, ... up to `most`, fewer and fewer."""
    count = 1
    while count <= most:
        yield count
        count = max(count + 1, int(count * GROWTH))
