"""Files of golden answers: JSON that reads well line by line, compressed where it is long."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
WIDTH = 140  # characters of a line that need not be taken apart
MOST = 12  # differences that are told
# What depends on the machine, in the answers of commands.
OF_THE_MACHINE = ("seconds", "loading", "compiling", "version", "jobs")


def stripped(value: Any) -> Any:
    """An answer without what depends on the machine."""
    if isinstance(value, Mapping):
        return {key: stripped(entry) for key, entry in value.items() if key not in OF_THE_MACHINE}
    if isinstance(value, list | tuple):
        return [stripped(entry) for entry in value]
    return value


def written(value: Any, depth: int = 0) -> str:
    """JSON in which a list or an object that is short has a line, and a long one many."""
    line = json.dumps(value, sort_keys=True)
    if len(line) + depth <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {written(value[key], depth + 1)}" for key in sorted(value)]
    else:
        parts = [written(entry, depth + 1) for entry in value]
    gap = "\n" + " " * (depth + 1)
    ends = "{}" if isinstance(value, dict) else "[]"
    return f"{ends[0]}{gap}{f',{gap}'.join(parts)}\n{' ' * depth}{ends[1]}"


def keep(name: str, answers: Mapping[str, Any]) -> None:
    """Write the answers of a subject; a name with ".gz" is compressed, the same every time."""
    text = (written(dict(answers)) + "\n").encode()
    packed = gzip.compress(text, 9, mtime=0) if name.endswith(".gz") else text
    (FOLDER / name).write_bytes(packed)


def kept(name: str) -> dict[str, Any]:
    """The answers of a subject as they were written."""
    content = (FOLDER / name).read_bytes()
    record: dict[str, Any] = json.loads(
        gzip.decompress(content) if name.endswith(".gz") else content
    )
    return record


def differences(before: Any, current: Any, location: str = "") -> Iterator[str]:
    """Yield what is not as it was, place by place."""
    if isinstance(before, dict) and isinstance(current, dict):
        for key in sorted({*before, *current}):
            if key not in current:
                yield f"{location}/{key}: is gone"
            elif key not in before:
                yield f"{location}/{key}: is new"
            else:
                yield from differences(before[key], current[key], f"{location}/{key}")
    elif isinstance(before, list) and isinstance(current, list) and len(before) == len(current):
        for place, (old, new) in enumerate(zip(before, current, strict=True)):
            yield from differences(old, new, f"{location}/{place}")
    elif before != current:
        yield f"{location}: was {json.dumps(before)[:90]}, is {json.dumps(current)[:90]}"
