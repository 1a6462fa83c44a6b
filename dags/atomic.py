"""Files that are written whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dags.errors import FormatError
from dags.paths import require_path


@contextmanager
def writing(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path beside `path` that takes its place when the block ends well.

    The temporary name keeps the suffix of `path`, which some writers go by. Where the block
    fails, it is removed and `path` is as it was.

    Raises
    ------
    FormatError
        If the file cannot be written: no such directory, no permission, no space, no plain file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with writing(Path(folder, "a.txt")) as temporary:
    ...         _ = temporary.write_text("whole")
    ...     Path(folder, "a.txt").read_text()
    'whole'
    """
    target = Path(path)
    require_path(target)
    if target.exists() and not target.is_file():
        raise FormatError(target, "cannot be written: it is no plain file")
    # not tempfile: its files are private, ours should have the permissions of any new file
    temporary = target.with_name(f".{target.stem}-{secrets.token_hex(4)}{target.suffix}")
    try:
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        raise FormatError(target, f"cannot be written: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)
