"""Parts of pages that commands write: the text between a mark and its end."""

from pathlib import Path


def write_marked(page: Path, name: str, text: str) -> None:
    """Put a text between ``<!-- name -->`` and ``<!-- end of name -->`` of a page."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    full = page.read_text()
    if full.count(begin) != 1 or full.count(end) != 1:
        raise SystemExit(f"{page.name} needs one {begin.strip()} and one {end.strip()}")
    before, _, remaining = full.partition(begin)
    page.write_text(f"{before}{begin}\n{text.strip()}\n\n{end}{remaining.partition(end)[2]}")
