"""What is kept between runs of experiments belongs to the sources that made it."""

import hashlib
from pathlib import Path

from redblue.papers.experiments.bench import sources

PACKAGE = Path(__file__).resolve().parents[4] / "redblue"


def test_kept_results_are_those_of_all_sources_of_the_package():
    state = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        state.update(f"{path.relative_to(PACKAGE).as_posix()}:".encode() + path.read_bytes())
    assert sources() == state.hexdigest()[:8]
