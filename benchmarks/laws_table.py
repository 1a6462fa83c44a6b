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
    found = [recovery(Bench(quick=True), each) for each in COMPUTATIONS]
    table = recovery_table(found)
    heads = [*map(heading, table.columns), "finite size", "member"]
    rows = [
        [*map(cell_text, row), bias_text(finite_size_bias(one)), f"`{one.spec}`, {one.how}"]
        for row, one in zip(table.rows, found, strict=True)
    ]
    lines = [heads, ["---"] * len(heads), *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
    print(text)


if __name__ == "__main__":
    main()
