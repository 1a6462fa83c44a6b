"""Results that are remembered: computed once, then read."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from redblue.store.cells import Outcome
from redblue.store.keys import canonical, versions
from redblue.store.results import Store, key_of


def remembered(
    store: Store | None, configuration: Mapping[str, Any], compute: Callable[[], Any]
) -> Any:
    """Return what `compute` returns, as JSON has it, from `store` where it has been computed.

    Parameters
    ----------
    store
        Where results are kept; None to compute whatever happens.
    configuration
        All that decides the result, as JSON has it, but the versions of redblue and its
        libraries, which are added. "kind", "spec", "method" and "memory" show in listings.
    compute
        Makes the result, of values that JSON has. What it raises is not kept.

    Examples
    --------
    >>> remembered(None, {"kind": "pair"}, lambda: (1, 2))
    [1, 2]
    """
    if store is None:
        return json.loads(canonical(compute()))
    complete = {"kind": "remembered", **configuration, "versions": dict(versions())}
    known = store.get(key_of(complete))
    if known is not None and known.status == "done":
        return known.result
    began = time.perf_counter()
    result = json.loads(canonical(compute()))
    store.put(complete, Outcome("done", result, seconds=time.perf_counter() - began))
    store.commit()
    return result
