"""Words of the pages that are written by hand: without tables and code.

python benchmarks/words.py
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def words(text: str) -> int:
    """Return the number of words beside tables and code."""
    lines = CODE.sub("", text).splitlines()
    return sum(len(line.split()) for line in lines if not line.lstrip().startswith("|"))


if __name__ == "__main__":
    total = 0
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        found = words(page.read_text())
        total += found
        print(f"{found:7,} {page.relative_to(ROOT)}")
    print(f"{total:7,} in all")
