"""Words of the pages that are written by hand: without tables and code, and theory apart.

python benchmarks/words.py
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
THEORY = ("docs/theory/", "docs/bounds.md", "docs/dirac.md")  # as `mkdocs.yml` has them
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def words(text: str) -> int:
    """Return the number of words beside tables and code."""
    lines = CODE.sub("", text).splitlines()
    return sum(len(line.split()) for line in lines if not line.lstrip().startswith("|"))


if __name__ == "__main__":
    total = theory = 0
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        found = words(page.read_text())
        total += found
        theory += found * str(page.relative_to(ROOT)).startswith(THEORY)
        print(f"{found:7,} {page.relative_to(ROOT)}")
    print(f"{total:7,} in all, {total - theory:,} beside theory")
