"""Odd loop nests through seven commands: no error but one sentence of ours.

Loops go down, by steps, from where an outer one is, through negative values, once, or never. In
every other case isl gives up after a drawn number of its operations, wherever that is.
"""

import random
import tempfile
from functools import partial
from pathlib import Path

from dags.programs.integer_sets import isl
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.command_line import Ending, run_redblue

COMMANDS = {
    "curve": ("--memory", "4:64"),
    "solve": ("--memory", "9", "--time-limit", "1"),
    "bound": ("--memory", "9"),
    "plan": ("--memory", "9", "--time-limit", "30"),
    "law": ("--time-limit", "30"),
    "levels": ("--memory", "9,30"),
    "emit": ("--memory", "9", "--time-limit", "3", "--effort", "0"),
}
COUNTED = ("curve", "bound", "plan", "law", "levels")  # commands that take --counted
SENTENCES = (2, 3)  # codes of commands that end in one sentence
SIZES = "NM"
ARRAYS = ("double A[99][99]", "double B[99]", "double S[99][99]", "double T[99]")
MOST_OPERATIONS = 300_000  # of isl, among which some are drawn


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` odd nests came to, each given to one command."""
    return in_turns({name: partial(_case, name) for name in COMMANDS}, cases, seed)


def _case(command: str, rng: random.Random) -> str:
    """The outcome of a command for a drawn nest."""
    text = odd_nest(rng)
    counted = ("--counted",) * (command in COUNTED and rng.random() < 0.5)
    operations = int(MOST_OPERATIONS ** rng.random()) if rng.random() < 0.5 else 0
    drawn = [f"{name}={rng.choice([1, 2, 3, 5, 7])}" for name in SIZES if f"int {name}" in text]
    sizes = ":" * bool(drawn) + ",".join(drawn)
    try:
        result = ending(command, text, sizes, (*COMMANDS[command], *counted), operations)
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}; {operations} operations, {text}"
    if result.code not in (0, *SENTENCES):
        return f"failed: code {result.code}: {result.err[-300:]}; {operations} operations, {text}"
    return "refused" if result.code else "answered"


def ending(
    command: str, text: str, sizes: str, options: tuple[str, ...], operations: int = 0
) -> Ending:
    """What a command says of a text.

    Parameters
    ----------
    command, options
        The command, and what comes behind the file.
    text, sizes
        The loop nest, and its sizes as they stand behind the name of a file.
    operations
        Of isl, after which it gives up; 0 for none.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "odd.c"
        path.write_text(text)
        isl.DEFAULT_CONTEXT.reset_operations()
        isl.DEFAULT_CONTEXT.set_max_operations(operations)
        try:
            return run_redblue(command, f"{path}{sizes}", *options)
        finally:
            isl.DEFAULT_CONTEXT.set_max_operations(0)


def odd_nest(rng: random.Random) -> str:
    """The text of a loop nest, perhaps with sizes."""
    ends = ["N", "M", "N-1", "N+2"] if rng.random() < 0.4 else []
    body = "".join(_loops(rng, (), rng.choice([1, 2, 2, 3, 3]), ends) for _ in range(_few(rng)))
    arguments = [f"int {name}" for name in SIZES if name in body]
    return f"void f({', '.join((*arguments, *ARRAYS))}) {{\n{body}}}\n"


def _few(rng: random.Random) -> int:
    return rng.choice([1, 1, 1, 2, 2, 3])


def _loops(rng: random.Random, outer: tuple[str, ...], depth: int, ends: list[str]) -> str:
    """A loop with all that is in it."""
    name = "ijk"[len(outer)]
    low = rng.choice(["0", "0", "0", "1", "-3", *outer, *(f"{name}+1" for name in outer)])
    high = rng.choice(["3", "4", "5", "6", "1", "0", *ends, *ends, *outer])
    step = rng.choice([1, 1, 1, 2, 3])
    if rng.random() < 0.4:
        head = f"for (int {name} = {high}; {name} >= {low}; {name} -= {step})"
    else:
        head = f"for (int {name} = {low}; {name} < {high}; {name} += {step})"
    inner = (*outer, name)
    parts = [_statement(rng, inner, ends)] * (depth == 1 or rng.random() < 0.2)
    parts += [_loops(rng, inner, depth - 1, ends)] if depth > 1 else []
    parts += [_statement(rng, inner, ends)] * (rng.random() < 0.25)
    return f"{head} {{\n{''.join(parts)}}}\n"


def _statement(rng: random.Random, loops: tuple[str, ...], ends: list[str]) -> str:
    """An assignment, perhaps under a condition."""
    target = _cell(rng, rng.choice("ST"), loops)
    read = [_cell(rng, rng.choice("ABST"), loops) for _ in range(rng.choice([1, 2, 2, 3]))]
    sign = rng.choice(["=", "=", "+=", "+="])
    text = f"{target} {sign} {' + '.join(read)};\n"
    if rng.random() < 0.2:
        first, second = rng.choice(loops), rng.choice([*loops, "1", "2", *ends])
        text = f"if ({first} {rng.choice(['<', '>=', '==', '!='])} {second}) {text}"
    return text


def _cell(rng: random.Random, array: str, loops: tuple[str, ...]) -> str:
    """A reference; S has two indices, as A, and T and B have one."""
    return array + "".join(f"[{_index(rng, loops)}]" for _ in range(1 + (array in "SA")))


def _index(rng: random.Random, loops: tuple[str, ...]) -> str:
    """An index that is not negative where the loops are not below -4."""
    first, second = rng.choice(loops), rng.choice(loops)
    forms = [
        first,
        first,
        first,
        f"{first}+1",
        f"2*{first}",
        f"{first}+{second}",
        f"{first}-{second}",
        "0",
    ]
    return f"{rng.choice(forms)}+40" if rng.random() < 0.9 else "3"
