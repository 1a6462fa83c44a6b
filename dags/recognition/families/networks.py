"""Arguments of transforms, scans and sorts."""

from collections.abc import Iterator

from dags.recognition.facts import Arguments, Facts
from dags.transforms import SCANS

SEEDS = range(8)  # of the random keys of a merge sort
MOST_KEYS = 1 << 12
WAYS = (2, 3, 5, 6, 7)  # powers of two merge as two ways do


def fft(facts: Facts) -> Iterator[Arguments]:
    """Yield points and radix of a Fourier transform."""
    n, radix, levels = facts.inputs, facts.widest, facts.depth
    whole = radix >= 2 and levels < n and n == radix**levels
    if whole and facts.counts == ((levels + 1) * n, radix * levels * n, n):
        yield {"n": n} | ({} if radix == 2 else {"radix": radix})


def prefix_scan(facts: Facts) -> Iterator[Arguments]:
    """Yield inputs and network of a scan."""
    n = facts.inputs
    if n >= 2 and facts.edges == 2 * facts.computed:
        for network, (additions, _) in SCANS.items():
            if facts.computed == additions(n):
                yield {"n": n} | ({} if network == "kogge-stone" else {"network": network})


def bitonic_sort(facts: Facts) -> Iterator[Arguments]:
    """Yield the keys of a bitonic network."""
    n, depth = facts.inputs, facts.inputs.bit_length() - 1
    if n == 1 << depth and depth and _compares(facts, n * depth * (depth + 1) // 4):
        yield {"n": n}


def odd_even_merge_sort(facts: Facts) -> Iterator[Arguments]:
    """Yield the keys of an odd-even merge network."""
    n, depth = facts.inputs, facts.inputs.bit_length() - 1
    comparators = n * (depth * depth - depth + 4) // 4 - 1
    if n == 1 << depth and depth and _compares(facts, comparators):
        yield {"n": n}


def odd_even_transposition_sort(facts: Facts) -> Iterator[Arguments]:
    """Yield the keys of a network that compares neighbours."""
    n = facts.inputs
    if n >= 2 and _compares(facts, n * (n - 1) // 2):
        yield {"n": n}


def merge_sort(facts: Facts) -> Iterator[Arguments]:
    """Yield keys, ways and seeds of a merge sort: small ones, as what it compares is random."""
    n = facts.inputs
    depth = (n - 1).bit_length()
    fits = n * (depth - 1) <= 2 * facts.computed <= 3 * n * depth
    if 2 <= n <= MOST_KEYS and facts.edges == 2 * facts.computed and fits:
        for ways in WAYS:
            for run in (None, 1):
                for seed in SEEDS:
                    given = {"ways": ways, "run": run, "seed": seed}
                    yield {"n": n} | {k: v for k, v in given.items() if v != _USUAL[k]}


_USUAL = {"ways": 2, "run": None, "seed": 0}


def _compares(facts: Facts, comparators: int) -> bool:
    """Return whether there may be so many comparators: two vertices and four edges each."""
    return facts.computed == 2 * comparators and facts.edges == 4 * comparators
