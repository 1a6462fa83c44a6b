"""Stores damaged byte by byte: what is read is what was written, or is refused in one sentence.

A case takes the file of a store, changes some of its bytes, cuts it, or takes a page of it away,
and lists it, asks for each result, and exports it. Nothing but `StoreError` may come out, and no
result that was not put in.
"""

import random
import sqlite3
import tempfile
import time
from pathlib import Path

from redblue.sweeps.store import Store, StoreError
from redblue.sweeps.store.cells import Artefact, Outcome
from redblue.sweeps.store.results import Entry
from tests.campaigns.outcomes import Failure, Outcomes

SECONDS = 2.0  # of a case, by the processor
LONGEST = 400  # characters of a sentence
PAGE = 4096


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` damaged stores came to."""
    outcomes = Outcomes()
    with tempfile.TemporaryDirectory() as name:
        full, known = _whole(Path(name, "whole.db"))
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            kind = rng.choice(list(DAMAGES))
            path = Path(name, "damaged.db")
            for stale in Path(name).glob("damaged.db*"):
                stale.unlink()
            path.write_bytes(DAMAGES[kind](rng, full))
            began = time.process_time()
            outcome = verdict(path, known, readonly=rng.random() < 0.5)
            seconds = time.process_time() - began
            outcomes.slowest = max(outcomes.slowest, seconds)
            if seconds > SECONDS:
                outcome = f"failed: {seconds:.1f} seconds"
            outcomes.counts[kind, outcome.partition(":")[0]] += 1
            if outcome.startswith("failed"):
                outcomes.failures.append(Failure(case, kind, ascii(outcome)[:600]))
    return outcomes


def _whole(path: Path) -> tuple[bytes, dict[str, Entry]]:
    """The bytes of a store, and what it holds by key."""
    with Store(path) as store:
        for i in range(40):
            about = {
                **{"kind": "upper", "spec": f"fft:n={i}", "dag": f"{i:064}", "method": "lru"},
                **{"memory": i, "rules": "one-shot", "seed": i, "versions": {"redblue": "1"}},
            }
            result = {"io": 1000 + i, "loads": 900, "stores": 100 + i}
            if i % 5 == 4:
                store.put(about, Outcome("failed", error=f"it broke at {i}", seconds=i / 7))
            else:
                kept = Artefact(".json", bytes(range(i, 200))) if i % 3 == 0 else None
                store.put(about, Outcome("done", result, seconds=i / 7, artefact=kept))
        store.commit()
        known = {entry.key: entry for entry in store.entries()}
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.read_bytes(), known


def flipped(rng: random.Random, data: bytes) -> bytes:
    """Change one byte, anywhere that is in use."""
    changed = bytearray(data)
    used = [i for i in (rng.randrange(len(data)) for _ in range(50)) if data[i]]
    changed[used[0] if used else 0] ^= 1 << rng.randrange(8)
    return bytes(changed)


def digits(rng: random.Random, data: bytes) -> bytes:
    """Change a digit to another one: the text of a result stays a number."""
    changed = bytearray(data)
    places = [i for i in range(PAGE, len(data)) if chr(data[i]).isdigit()]
    changed[rng.choice(places)] = ord(rng.choice("0123456789"))
    return bytes(changed)


def several(rng: random.Random, data: bytes) -> bytes:
    """Change some bytes in a row, to anything."""
    changed = bytearray(data)
    start, size = rng.randrange(len(data)), rng.choice([2, 8, 64, 1024])
    changed[start : start + size] = rng.randbytes(len(changed[start : start + size]))
    return bytes(changed)


def head(rng: random.Random, data: bytes) -> bytes:
    """Change a byte of the file's header, or of the tables' descriptions."""
    changed = bytearray(data)
    changed[rng.randrange(100 if rng.random() < 0.5 else PAGE)] = rng.randrange(256)
    return bytes(changed)


def cut(rng: random.Random, data: bytes) -> bytes:
    """End early."""
    return data[: rng.randrange(len(data))]


def pages(rng: random.Random, data: bytes) -> bytes:
    """Have a page of the file in the place of another, or zeros."""
    changed, count = bytearray(data), len(data) // PAGE
    current, present = (PAGE * rng.randrange(count) for _ in range(2))
    changed[current : current + PAGE] = (
        data[present : present + PAGE] if rng.random() < 0.7 else bytes(PAGE)
    )
    return bytes(changed)


DAMAGES = {
    "a byte": flipped,
    "a digit": digits,
    "bytes": several,
    "the header": head,
    "cut": cut,
    "pages": pages,
}


def verdict(path: Path, known: dict[str, Entry], *, readonly: bool) -> str:
    """Return "read", "refused", or "failed: ..." and why."""
    try:
        with Store(path, readonly=readonly) as store:
            for entry in store.entries():
                if known.get(entry.key) != entry:
                    return f"failed: {entry} was never written"
            for key, entry in known.items():
                result = store.get(key)
                if result is not None and result != entry.outcome:
                    return f"failed: {result} was never written"
                store.artefact(key)
            store.check()
    except StoreError as error:
        message = str(error).replace(str(path), "")
        good = message.isprintable() and len(message) < LONGEST
        return "refused" if good else f"failed: message {message}"
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}"
    return "read"
