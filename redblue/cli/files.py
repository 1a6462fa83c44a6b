"""Checks that files can be written, made before any work is done."""

import os
from pathlib import Path


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
        what = out if out.is_dir() else folder
        problem = "is a folder" if out.is_dir() else "is no folder that we may write to"
        raise FormatError(out, f"cannot be written: {what} {problem}")
