"""Names of files, checked before the operating system sees them."""

import os
from pathlib import Path

from dags.errors import FormatError


def require_path(path: Path) -> None:
    """Raise FormatError if no file can have this name, for which Python raises a ValueError."""
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError as error:
        raise FormatError(path, "no file can have this name, which is no Unicode text") from error
    if b"\0" in name:
        raise FormatError(path, "no file can have this name, which holds a NUL character")
