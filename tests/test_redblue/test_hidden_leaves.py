"""The contract of engine, referee and machines, without the folder of each leaf."""

import pytest

from dags.spec import leaves
from tests.contract.test_leaves import ROOT, linked, python, tree_without

FOLDERS = ("redblue.papers", *(entry.folder for entry in leaves.READERS.values()))
CONTRACT = ("test_engine.py", "test_machine.py", "test_oracle.py")


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_contract_holds_without_a_leaf(folder, tmp_path):
    tree = tree_without(tmp_path / "tree", folder)
    linked(ROOT / "tests", tree / "tests", ROOT / "tests" / "golden")
    script = f"""
import sys
import pytest
from importlib.util import find_spec
files = [f"tests/contract/{{name}}" for name in {CONTRACT!r}]
code = pytest.main(["-q", "-p", "no:cacheprovider", *files])
assert find_spec({folder!r}) is None and sys.modules["pebble"].__file__.startswith({str(tree)!r})
sys.exit(code)
"""
    process = python(tree, "-c", script)
    assert process.returncode == 0, process.stdout + process.stderr
