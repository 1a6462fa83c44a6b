"""Hostile labels and names of files through every output: pages, figures, tables, the terminal.

A case gives the vertices of a small DAG labels that mean something to somebody, and its file such a
name. An HTML page must have the elements that it has with harmless labels, and no handlers; an SVG
figure likewise; a CSV table no cell that is a formula, LaTeX no character that it would obey; and
what goes to a terminal must be printable. Files of DAGs keep the labels or refuse them in one
sentence.
"""

import csv
import io
import random
import re
import tempfile
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import dags
from dags import CDAG, RedBlueError
from dags.formats import FORMATS
from redblue import curve_figure, save_figure
from redblue.answers.curves.curve import io_curve
from redblue.show.model import Column, Table
from redblue.show.player import player_page
from redblue.show.reporting.tables import table_csv, table_latex
from redblue.sweeps.store import Store
from redblue.sweeps.store.cells import Outcome
from redblue.sweeps.store.exports import save_entries
from schedulers import SCHEDULERS
from tests.campaigns.outcomes import Failure, Outcomes
from tests.command_line import on_a_terminal
from tests.html_pages import Page

HOSTILE = [
    "<script>alert(1)</script>", "</script><script>", "<img src=x onerror=alert(1)>", "<!--", "-->",
    "]]>", "&lt;", "&amp;", "&#0;", "&", '"', "'", '" onload="x', "' onload='x", "javascript:x",
    "</title>", "</svg>", "</style>", "{{ 7*7 }}", "{% raw %}", "${x}", "`x`",
    "=1+2", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", ",", ";", "a\nb", '"",""',
    r"\input{x}", r"\write18{x}", "$x$", "$", "%", "#", "_", "^", "~", "{", "}", "\\", "\\\\",
    "\x1b[2J", "\x1b]0;x\x07", "\x00", "\x07", "\x08", "\x7f", "\x9b2J", "\u202e", "\u200b",
    "^^41", "\u2028", "\ufeff", "\ud800", "\U0001f600", "é", "[bold red]", "[/]", "[link=x]",
    "x" * 2000, "", " ", "None", "nan", "1", "-0", "1e400", "digraph", "label=", "->", "//", "/*",
    "../../x", "a:b", "a b",
]  # fmt: skip
NAMES = [text for text in HOSTILE if text.strip() and not set(text) & set("/\0\ud800")]
PICTURES = 100  # of so many cases one is drawn, for which Matplotlib takes half a second
TERMINALS = 10  # of so many cases one goes through the command line
BARE = re.compile(r"(?<!\\)[#$%&_{}]|[\^~<>|]")  # what LaTeX obeys, unless it is escaped
MOVES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")  # what a bar draws itself with
COMMANDS = re.compile(r"\\text(backslash|asciicircum|asciitilde|less|greater|bar)\{\}")


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` DAGs with hostile labels came to."""
    outcomes = Outcomes()
    with tempfile.TemporaryDirectory() as name:
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            dag = labelled(rng)
            for kind, output in OUTPUTS.items():
                if case % {"figure": PICTURES, "terminal": TERMINALS}.get(kind, 1):
                    continue
                try:
                    wrong = output(rng, dag, Path(name))
                except Exception as error:
                    wrong = f"{type(error).__name__}: {error}"
                outcomes.counts[kind, "failed" if wrong else "harmless"] += 1
                if wrong:
                    outcomes.failures.append(Failure(case, kind, ascii(wrong)[:600]))
    return outcomes


def hostile(rng: random.Random) -> str:
    """A label: one of them, or several together."""
    return "".join(rng.choices(HOSTILE, k=rng.choice([1, 1, 2, 3])))


def labelled(rng: random.Random) -> CDAG:
    """A small DAG with hostile labels, each once."""
    labels: dict[str, None] = {}
    while len(labels) < _plain().n:
        labels[hostile(rng)] = None
    return _with(tuple(labels))


@cache
def _plain() -> CDAG:
    return dags.pyramid(2)


def _with(labels: tuple[str, ...]) -> CDAG:
    plain = _plain()
    return CDAG(plain.pred_indptr, plain.pred_indices, labels=labels)


def page(rng: random.Random, dag: CDAG, folder: Path) -> str:
    """What is wrong with the player's page."""
    moves = SCHEDULERS["natural+belady"](dag, 4)
    harmless = Page(player_page(_with(tuple("abcdef")), moves, 4, title="title"))
    text = player_page(dag, moves, 4, title=hostile(rng), source=hostile(rng))
    result = Page(text)
    if result.handlers or result.references != harmless.references:
        return f"handlers {result.handlers}, references {result.references}"
    if sorted(result.tags) != sorted(harmless.tags):
        return f"elements {sorted(set(result.tags) ^ set(harmless.tags))}"
    return "" if all(map(_quiet, text)) else "control characters"


def figure(rng: random.Random, dag: CDAG, folder: Path) -> str:
    """What is wrong with the figure of a curve."""
    kinds = []
    for spec in ("harmless", hostile(rng) or "x"):
        curve = io_curve(_plain(), [4, 6], schedulers=["lru"], bounds=["compulsory"], spec=spec)
        paths = save_figure(curve_figure(curve), folder / "curve")
        text = next(path for path in paths if path.suffix == ".svg").read_text()
        tree = ElementTree.fromstring(text)
        kinds.append({element.tag for element in tree.iter()} - {f"{SVG}use", f"{SVG}a"})
        if any(name.startswith("on") for element in tree.iter() for name in element.attrib):
            return "handlers"
    return "" if kinds[0] >= kinds[1] else f"elements {kinds[1] - kinds[0]}"


SVG = "{http://www.w3.org/2000/svg}"


def table(rng: random.Random, dag: CDAG, folder: Path) -> str:
    """What is wrong with a table as CSV and as LaTeX."""
    texts = [hostile(rng).replace("\ud800", "") for _ in range(3)]
    built = Table("t", texts[0], (Column(texts[1]), Column("n")), ((texts[2], -1), ("", None)))
    named = _with(tuple(f"{text}{place}" for place, text in enumerate(2 * texts)))
    if wrong := _formulas(table_csv(built)) or _formulas(named.to_csv()):
        return wrong
    caption = table_latex(built, "label").partition(r"\caption{")[2].partition("}\n")[0]
    bare = BARE.search(COMMANDS.sub("", caption).replace("\\\\", ""))
    return f"LaTeX obeys {caption!r}" if bare else ""


def listing(rng: random.Random, dag: CDAG, folder: Path) -> str:
    """What is wrong with the listing of a store."""
    path, out = folder / "a.db", folder / "a.csv"
    path.unlink(missing_ok=True)
    text = hostile(rng).replace("\ud800", "")
    with Store(path) as store:
        store.put({"spec": text, "method": text}, Outcome("failed", error=text))
        save_entries(store.entries(), out)
    return _formulas(out.read_bytes().decode())


def _formulas(text: str) -> str:
    """The cells of a sheet that a spreadsheet would calculate."""
    cells = (cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row)
    wrong = [cell for cell in cells if cell[:1] in set("=+-@\t\r") and cell not in ("-1",)]
    return f"formulas {wrong}" if wrong else ""


def file(rng: random.Random, dag: CDAG, folder: Path) -> str:
    """What is wrong with a file of the DAG, of any format."""
    suffix = rng.choice(sorted(FORMATS))
    path = folder / f"dag{suffix}"
    try:
        dags.save(dag, path)
        result = dags.load(str(path))
    except RedBlueError as error:
        return "" if str(error).isprintable() else f"message {error}"
    if result.m != dag.m:
        return f"{suffix}: {result!r}"
    names = result.labels
    kept = names is None or set(names) == set(dag.labels or ()) or names == tuple(range(dag.n))
    return "" if kept else f"{suffix}: other labels {names}"


def terminal(rng: random.Random, dag: CDAG, folder: Path) -> str:
    """What is wrong with what commands print of a file with a hostile name."""
    path = folder / f"{rng.choice(NAMES)[:60]}.npz"
    dags.save(dag, path)
    game = ("--memory", "4")
    method = ("--bounds", "compulsory")
    for command in (
        ("dag", path),
        ("bound", path, *game, *method),
        ("solve", path, *game, "--no-recognise"),
        ("curve", "--compare", path, *game, *method, "--schedulers", "lru"),
        ("dag", folder / hostile(rng).replace("\0", "").replace("\ud800", "")),
        ("bound", path, "--memory", hostile(rng)),
    ):
        message = on_a_terminal(*command)
        if message.code not in (0, 2):
            return f"{command} ends with {message.code}"
        if not all(map(_quiet, MOVES.sub("", message.out + message.err))):
            return f"{command} prints control characters"
    path.unlink()
    return ""


def _quiet(sign: str) -> bool:
    return sign.isprintable() or sign == "\n"


OUTPUTS = {
    "page": page,
    "figure": figure,
    "table": table,
    "listing": listing,
    "file": file,
    "terminal": terminal,
}
