"""The page of a report, and its files where they are wanted."""

from pathlib import Path
from typing import TYPE_CHECKING

from redblue.cli import console

if TYPE_CHECKING:
    from redblue.reporting import Report


def write(report: "Report", out: Path, figures: Path | None) -> None:
    """Write the page, and the files where they are wanted."""
    from dags.cdag.files import writing
    from redblue.reporting import report_page, save_files

    with writing(out) as temporary:
        temporary.write_text(report_page(report), encoding="utf-8", newline="")
    console.say(f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB)")
    if figures is not None:
        written = save_files(report, figures)
        console.say(f"wrote {len(written)} files in {figures}")
