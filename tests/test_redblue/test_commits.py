"""Commits that add one thing each to a copy of the product, and are used from its command line.

How many files each touches is told in docs/developing.md.
"""

import json
import re
import shutil
from typing import NamedTuple

import pytest

from tests.contract.test_leaves import PACKAGES, ROOT, python

PAGE = ROOT / "docs" / "developing.md"


class Commit(NamedTuple):
    """New files, lines that are added behind others, and a command with a part of its JSON."""

    files: dict
    rows: dict
    command: str
    told: dict


COMMITS = {
    "a family": Commit(
        {
            "dags/families/ladders.py": """
import numpy as np

from dags.arrays import lock
from dags.cdag.value import CDAG
from dags.families.common.family import Family, Points, Sizes
from dags.families.common.published import CONSTANT, Trend

def ladder(n: int) -> CDAG:
    params, size = ladder_sizes(n)
    rows = [[], []] + [row for i in range(n - 1) for row in ([2 * i], [2 * i, 2 * i + 1])]
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array(sum(rows, []), np.int32)
    return CDAG(lock(indptr), lock(indices), family="ladder", params=params)

def ladder_sizes(n):
    return {"n": n}, Sizes(2 * n, 3 * n - 3, 2, 2, 2 * n - 2, 2)

def ladder_points(n):
    i, side = np.indices((n - 1, 2))
    text = "for (i = 1; i < n; i++) { a[i] = a[i-1]; b[i] = a[i-1] + b[i-1]; }"
    blocks = ((-1, 0), (-2, 0), (side, i + 1))
    return Points(text, (("a", 1), ("b", 1)), (("i",), ("i",)), blocks)

TRENDS = (Trend("lower", "4", lambda params, memory: 4.0, "counted"),)
FAMILIES = {
    "ladder": Family(
        ladder, "n=4", "n=3", ladder_sizes, {}, points=ladder_points, law=CONSTANT, trends=TRENDS
    )
}
"""
        },
        {},
        "solve ladder:n=4 --memory 4 --time-limit 1",
        {"io": 4, "status": "optimal"},
    ),
    "a bound": Commit(
        {
            "proofs/bounds/doubled.py": """
from proofs.base import Bound, bound_method
from proofs.certificates import Certificate

@bound_method
def inputs_and_outputs(game, budget):
    certificate = Certificate("compulsory", {})
    return Bound("own", game.memory, game.compulsory, game.rules, certificate)
"""
        },
        {
            "proofs/methods.py": {
                "from proofs.bounds.compulsory import compulsory\n": (
                    "from proofs.bounds.doubled import inputs_and_outputs\n"
                ),
                "_TABLE = (\n": "    Method('own', inputs_and_outputs, 'inputs and outputs'),\n",
            }
        },
        "bound ladder:n=4 --memory 4 --bounds own",
        {"method": "own", "io": 4},
    ),
    "a scheduler": Commit(
        {
            "schedulers/orders/backwards.py": """
import numpy as np

def backwards(dag):
    return dag.computed[np.lexsort((-dag.computed, dag.level[dag.computed]))]
"""
        },
        {
            "schedulers/orders/__init__.py": {
                "ORDERS = {\n": "    'backwards': backwards,\n",
                "from schedulers.orders.traversals import breadth_first, depth_first, least_live, "
                "natural\n": "from schedulers.orders.backwards import backwards\n",
            }
        },
        "curve ladder:n=4 --memory 4 --schedulers backwards+belady --bounds own",
        {"method": "backwards+belady", "io": 4},
    ),
    "a machine": Commit(
        {},
        {
            "redblue/answers/hardware/catalogue.toml": {
                "[sources]\n": 'own = { title = "measured", date = "2026" }\n',
                'fed_by = "neighbours" }\n': (
                    '[Desk]\ntitle = "mine"\nword_bytes = 8\n'
                    'compute.fp64 = { value = 100, unit = "Gflop/s", of = "own" }\n'
                    'bandwidth.memory = { value = 50, unit = "GB/s", of = "own" }\n'
                    'memory.cache = { value = 32, unit = "MiB", of = "own", fed_by = "memory" }\n'
                ),
            }
        },
        "machine balance --dag fft:n=8 --machine Desk",
        {},
    ),
    "a command": Commit(
        {
            "redblue/cli/degrees.py": """
from redblue.show.answer import Facts

def degrees(spec: str) -> Facts:
    \"\"\"Count the readers of a DAG's values.\"\"\"
    from dags import load
    most = int(load(spec).outdegree.max())
    return Facts({"most": most}, (f"at most {most} readers",))
"""
        },
        {
            "redblue/cli/__init__.py": {
                "    console,\n": "    degrees,\n",
                "COMMANDS: dict[str, Callable[..., Answer]] = {\n": (
                    "    'degrees': degrees.degrees,\n"
                ),
            }
        },
        "degrees ladder:n=4",
        {"most": 2},
    ),
}


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """A copy of the product, with all the commits."""
    home = tmp_path_factory.mktemp("product")
    for name in PACKAGES:
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, home / name, ignore=skipped)
    for commit in COMMITS.values():
        for path, text in commit.files.items():
            assert not (home / path).exists()
            (home / path).write_text(text)
        for path, lines in commit.rows.items():
            text = (home / path).read_text()
            for line, added in lines.items():
                assert text.count(line) == 1, (path, line)
                text = text.replace(line, line + added)
            (home / path).write_text(text)
    return home


FACTS = """
import dags, proofs, tempfile, os
from proofs.laws import published_law
made = dags.load("ladder:n=6")
path = os.path.join(tempfile.mkdtemp(), "own.hdag")
dags.save(made, path)
print(dags.load(path).recognised.spec, dags.Computation("ladder:n=1000").sizes.edges)
print(published_law(made).name, proofs.TRENDS["ladder"][0].of(made, 4))
print(dags.points_of(made).label(7))
"""


@pytest.mark.slow
def test_the_file_of_a_family_tells_its_sizes_points_law_and_trends(product):
    process = python(product, "-c", FACTS)
    assert process.stdout.split() == ["ladder:n=6", "2997", "constant", "4.0", "S1[i=3]"], process


@pytest.mark.slow
@pytest.mark.parametrize("what", COMMITS)
def test_what_a_commit_adds_is_used_from_the_command_line(product, what):
    process = python(product, "-m", "redblue", *COMMITS[what].command.split(), "--json")
    assert process.returncode == 0, process.stderr
    answer = json.dumps(json.loads(process.stdout))
    for key, value in COMMITS[what].told.items():
        assert f'"{key}": {json.dumps(value)}' in answer


def test_the_page_tells_how_many_files_a_commit_touches():
    printed = re.findall(r"^\| (a \w+) \| (\d) \|", PAGE.read_text(), re.MULTILINE)
    touched = {subject: len({*first.files, *first.rows}) for subject, first in COMMITS.items()}
    assert {subject: int(number) for subject, number in printed} == touched
    assert max(touched.values()) <= 2
