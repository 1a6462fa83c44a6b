"""The site is built from the tree, with warnings as errors."""

import os
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site."""
    if find_spec("mkdocs") is None:
        pytest.skip("needs mkdocs, which the extra docs installs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    ending = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ending.returncode == 0, ending.stderr
    return folder


@pytest.mark.slow
def test_it_has_the_reference_and_the_walks(site):
    commands = (site / "reference" / "commands" / "index.html").read_text()
    assert "redblue curve" in commands
    assert "--memory" in commands
    functions = (site / "reference" / "api" / "index.html").read_text()
    assert "Parameters" in functions
    walk = (site / "gallery" / "theorist" / "index.html").read_text()
    assert "It prints" in walk


def test_tables_are_tables(site):
    """Markdown inside of HTML is rendered only where the element says so."""
    for page in site.rglob("*.html"):
        text = re.sub(r"<(pre|script)\b.*?</\1>", "", page.read_text(), flags=re.DOTALL)
        assert not re.search(r"^\| ?-{3}", text, re.MULTILINE), page


def test_options_stay_on_a_line(site):
    page = (site / "curves" / "index.html").read_text()
    assert '<code class="option">--time-limit S</code>' in page
    shown = '<span class="option">--memory</span> 4000 <span class="option">--out</span> tiled.c'
    assert shown in (site / "index.html").read_text()
    assert ".option { white-space: nowrap; }" in (site / "extra.css").read_text()


def test_formulas_are_typeset_without_network(site):
    """Pages of the theory have formulas in plain characters: MathML and HTML in the site."""
    page = (site / "theory" / "forms" / "index.html").read_text()
    displays = re.findall(r"<math [^>]*>(.*?)</math>", page)
    assert len(displays) == 5
    assert all("<m" in formula for formula in displays)
    assert r'title="\sum_{j=1,\ldots ,l}\min' in page
    assert "<i>n</i> = <i>r</i><sup>d</sup>" in page
    for source in (ROOT / "docs" / "theory").glob("*.md"):
        assert "$" not in source.read_text(), source  # there is one way to write a formula


def test_plain_formulas_of_theory_are_typeset(site):
    """Indented lines are displays, and indices in sentences stand below the line."""
    for source in sorted((ROOT / "docs" / "theory").glob("*.md")):
        page = (site / "theory" / source.stem / "index.html").read_text()
        lines = re.findall(r"(?<=\n\n) {4}[^\n]+\n", source.read_text())
        assert page.count('display="block"') >= len(lines), source
        assert "<pre>" not in page, source
        bare = re.sub(r"<(code|math|script|style|h\d|nav)\b.*?</\1>", "", page, flags=re.DOTALL)
        assert not re.search(r"\b[a-z]_[0-9a-z(]", re.sub(r"<[^>]*>", "", bare)), source


def test_displays_are_latex():
    formulas = runpy.run_path(str(ROOT / "docs" / "site" / "formulas.py"))
    for plain, latex in (
        ("sum over i of least(|V_i|) - m (k - 1)", r"\sum_{i}\text{ least}(|V_{i}|)-m(k-1)"),
        ("A <= (b / 2^(1-d))^(1/d),    d >= 2", r"A\le (b/2^{1-d})^{1/d},\qquad d\ge 2"),
        (
            "I/O >= max over e of beta(e) - V's words",
            r"\text{I/O }\ge \max_{e}\beta (e)-\text{ V's words}",
        ),
        ("integral from 0 to Q of x^(d-1)", r"\int_{0}^{Q}x^{d-1}"),
    ):
        assert formulas["display"](plain) == latex
    sentence = formulas["in_sentences"](
        "<p>so A words, x_(i-1)^d &lt;= <code>v_t</code>. A set</p>"
    )
    index = "<i>x</i><sub>i\u22121</sub><sup>d</sup>"
    assert sentence == f"<p>so <i>A</i> words, {index} \u2264 <code>v_t</code>. A set</p>"


def test_theorems_have_their_premises(site):
    """Each premise of the table stands below the heading of its theorem, too."""
    rows = re.findall(
        r"^\| ([A-Z][0-9]+) \| (.+) \| `([\w.:]+)` \|$",
        (ROOT / "docs" / "theory" / "premises.md").read_text(),
        re.MULTILINE,
    )
    pages = [page.read_text() for page in (site / "theory").glob("*/index.html")]
    parts = {
        part[1]: part[0]
        for page in pages
        for part in re.finditer(r'<h2 id="[^"]*">([A-Z][0-9]+)\. .*?(?=<h2 |\Z)', page, re.DOTALL)
    }
    assert rows
    missing = [(theorem, checker) for theorem, _, checker in rows if checker not in parts[theorem]]
    assert not missing


def test_pages_ask_nothing_of_other_machines(site):
    for page in site.rglob("*.html"):
        text = page.read_text()
        assert "fonts.googleapis" not in text
        assert 'src="http' not in text, page
