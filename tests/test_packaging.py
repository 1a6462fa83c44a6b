"""What is installed is what we mean to install."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from redblue.cli import PACKAGES, foreign_package

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FIVE = ["dags", "pebble", "proofs", "redblue", "schedulers"]
# Built of parts, so that this file has none of them in it.
MACHINE_PATH = re.compile(rf"(?<![\w.~:/-])/(?:{'|'.join(['home', 'Users', 'work', 'tmp'])})/\w")


def project_files():
    """The files that the repository has or is about to have."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("this is no git checkout")
    return [ROOT / name for name in listing.stdout.splitlines() if (ROOT / name).is_file()]


def direct_dependencies():
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = [
        *PROJECT["project"]["dependencies"],
        *(requirement for extra in extras for requirement in extra),
    ]
    return {re.match(r"[\w.-]+", requirement).group() for requirement in wanted}


def test_five_packages_are_listed():
    assert sorted(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == FIVE
    assert sorted(PROJECT["tool"]["mypy"]["packages"]) == FIVE
    assert sorted(PACKAGES) == FIVE
    assert sorted(path.parent.name for path in ROOT.glob("*/py.typed")) == FIVE


@pytest.mark.parametrize("name", FIVE)
def test_a_package_maps_itself(name):
    package = importlib.import_module(name)
    assert Path(package.__file__) == ROOT / name / "__init__.py"
    assert package.__doc__.strip()
    assert [*package.__all__] == sorted(set(package.__all__), key=by_kind)
    for exported in package.__all__:
        assert getattr(package, exported) is not None


def by_kind(name):
    """Constants, then classes, then functions, each in alphabetical order; as Ruff sorts."""
    return (not name.isupper(), not name[0].isupper(), name)


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'redblue' has no attribute 'nothing'"):
        importlib.import_module("redblue").nothing  # noqa: B018


def test_the_six_names_are_ours():
    assert foreign_package() is None


def run_main(*path):
    code = (
        f"import sys; sys.path[:0] = {[str(folder) for folder in path]}\n"
        "from redblue.cli import main; sys.argv = ['redblue', 'dags']; main()"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["dags", "pebble"])
def test_a_stranger_of_the_same_name_is_reported(name, tmp_path):
    stranger = tmp_path / name / "__init__.py"
    stranger.parent.mkdir()
    stranger.touch()
    ending = run_main(tmp_path)
    assert (ending.returncode, ending.stdout) == (2, "")
    assert ending.stderr == (
        f"redblue: the package {name!r} that Python finds is not redblue's ({stranger.resolve()}): "
        "install redblue in a virtual environment of its own\n"
    )


def test_a_folder_of_the_same_name_is_no_stranger(tmp_path):
    (tmp_path / "pebble").mkdir()  # no __init__.py: the real package comes first
    assert run_main(tmp_path).returncode == 0


def test_constraints_pin_every_direct_dependency():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    for pin in pins:
        assert re.fullmatch(r"[\w.-]+==[\w.]+", pin), pin
    pinned = {canonical(pin.partition("==")[0]) for pin in pins}
    assert len(pinned) == len(pins)
    assert {canonical(name) for name in direct_dependencies()} <= pinned


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_no_file_names_a_path_on_our_machines():
    for path in project_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        match = MACHINE_PATH.search(text)
        assert match is None, f"{path.relative_to(ROOT)}: {text[match.start() :][:60]!r}"


def test_the_command_is_main():
    assert PROJECT["project"]["scripts"] == {"redblue": "redblue.cli:main"}
