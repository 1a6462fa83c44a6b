"""Results that are kept: one SQLite file, a line per configuration.

- `Store` opens a file; `get`, `put` and `entries` are its methods; a result is an `Outcome` under
  the key of its configuration, which `key_of` tells.
- `versions` are those of the code that computed it, `identity` which DAG it is about.
- `remembered` computes a result once and reads it from then on.
- `save_entries` writes listings as CSV or Parquet, `save_artefacts` schedules and certificates.
"""

from redblue.sweeps.store.cells import identity, versions
from redblue.sweeps.store.exports import save_artefacts, save_entries
from redblue.sweeps.store.results import Entry, Store, key_of, remembered
from redblue.sweeps.store.schema import StoreError

__all__ = [
    "Entry",
    "Store",
    "StoreError",
    "identity",
    "key_of",
    "remembered",
    "save_artefacts",
    "save_entries",
    "versions",
]
