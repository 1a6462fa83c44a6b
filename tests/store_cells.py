"""What tests of the store put into it."""

from redblue.sweeps.store.cells import Outcome

DONE = Outcome("done", {"io": 7, "loads": 4, "stores": 3}, seconds=0.5, finished="2001-01-01")
FAILED = Outcome("failed", error="no luck", seconds=0.1, finished="2001-01-02")
ASKED = {"kind": "upper", "spec": "fft:n=8", "dag": "ab", "method": "a", "memory": 4, "seed": 1}


def about(**changes):
    """What is asked, with some fields changed."""
    return {**ASKED, "versions": {"redblue": "1"}, **changes}
