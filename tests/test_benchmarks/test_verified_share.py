"""The table of certificates that the verified checker accepts is written row by row."""

import sys

from benchmarks import verified_share
from benchmarks.verified_share import Line, row_of, table


def test_a_row_is_written_and_the_remaining_page_stays(monkeypatch, tmp_path):
    """A row of the same run is replaced; what is behind the table is not touched."""
    page = tmp_path / "page.md"
    first = Line("fft:n=64", "one-shot", 8, 242, "parts P1", "the kind parts", 0.0, 0.1)
    second = Line("matmul:n=6", "one-shot", 12, 158, "open-chains N16", "proved", 0.0, 0.2)
    behind = "<!-- end of shares -->\n\n## Behind\n\n| `matmul:n=6` | not a run |\n"
    page.write_text(f"before\n\n<!-- shares -->\n\n{table([row_of(first)])}\n\n{behind}")
    monkeypatch.setattr(verified_share, "PAGE", page)
    monkeypatch.setattr(verified_share, "build", lambda: None)
    monkeypatch.setattr(verified_share, "judged", lambda *_: second)
    monkeypatch.setattr(sys, "argv", ["verified_share.py", "--only", "4", "4"])
    verified_share.main()
    verified_share.main()
    text = page.read_text()
    assert text.startswith("before\n\n<!-- shares -->\n")
    assert text.endswith(behind)
    assert text.count(row_of(first)) == text.count(row_of(second)) == 1
    assert "accepts 1," in text
    assert "- 1 for the kind parts" in text
