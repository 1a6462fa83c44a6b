"""Files of an answer: checks that they can be written, before any work is done; and the writing."""

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redblue.cli import console

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_all(
    folder: Path, texts: Mapping[str, str], figures: "Mapping[str, Figure] | None" = None
) -> None:
    """Write texts, all or none, and figures into a folder, by their names; tell their names."""
    from dags.cdag.files import writing
    from redblue.show.drawing import save_figure

    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in texts]
    with ExitStack() as stack:
        for path, text in zip(paths, texts.values(), strict=True):
            new = stack.enter_context(writing(path))
            new.write_text(text, encoding="utf-8", newline="")
        for name, figure in (figures or {}).items():
            paths += save_figure(figure, folder / name)
    for path in paths:
        console.say(f"wrote {path}")


def today() -> str:
    """The date for pages: that of the variable SOURCE_DATE_EPOCH, or today.

    Raises
    ------
    InvalidSpecError
        If the variable is no number of seconds since 1970.
    """
    from dags import InvalidSpecError

    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds:
        return date.today().isoformat()
    if not seconds.isdecimal() or len(seconds) > len("99999999999"):
        raise InvalidSpecError(
            f"SOURCE_DATE_EPOCH is a number of seconds since 1970, not {seconds[:40]!a}"
        )
    return datetime.fromtimestamp(int(seconds), UTC).date().isoformat()


def json_text(record: Any) -> str:
    """JSON as files have it."""
    return json.dumps(record, indent=1) + "\n"


def require_folder(out: Path | None) -> None:
    """Raise FormatError if `out` cannot be a folder to write to; it may not exist yet."""
    from dags import FormatError

    if out is None:
        return
    existing = next(folder for folder in (out, *out.absolute().parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise FormatError(out, f"cannot be written: {existing} is no folder that we may write to")


def require_page(out: Path) -> None:
    """Raise FormatError if `out` cannot be a page to write, or its suffix is that of another."""
    from dags import FormatError

    if out.suffix.lower() not in ("", ".htm", ".html"):
        better = out.with_suffix(".html").name
        raise FormatError(out, f"cannot be a {out.suffix}: the page is HTML; call it {better}")
    require_file(out)


def require_file(out: Path | None) -> None:
    """Raise FormatError if `out` cannot be a file to write; its folder must exist."""
    from dags import FormatError

    if out is None:
        return
    folder = out.absolute().parent
    if out.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        obstacle = out if out.is_dir() else folder
        problem = "is a folder" if out.is_dir() else "is no folder that we may write to"
        raise FormatError(out, f"cannot be written: {obstacle} {problem}")
