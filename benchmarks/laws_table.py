"""The table of docs/laws.md: every law held against plays and proofs.

python benchmarks/laws_table.py     writes the table into docs/laws.md, between its two marks
"""

from pathlib import Path

from redblue.papers.experiments import Bench
from redblue.papers.experiments.recoveries import (
    COMPUTATIONS,
    bias_text,
    finite_size_bias,
    recovery,
    recovery_table,
)
from redblue.show.reporting.tables import cell_text, heading

PAGE = Path(__file__).resolve().parents[1] / "docs" / "laws.md"
BEGIN, END = "<!-- laws_table -->", "<!-- end -->"


def main():
    results = [recovery(Bench(quick=True), entry) for entry in COMPUTATIONS]
    table = recovery_table(results)
    heads = [*map(heading, table.columns), "finite size", "member"]
    rows = [
        [*map(cell_text, row), bias_text(finite_size_bias(first)), f"`{first.spec}`, {first.how}"]
        for row, first in zip(table.rows, results, strict=True)
    ]
    lines = [heads, ["---"] * len(heads), *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    page = PAGE.read_text()
    before, remaining = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{remaining.split(END)[1]}")
    print(text)


if __name__ == "__main__":
    main()
