"""Readers of loop nests against runs of the same text, and against text that is broken.

A nest that is read as another DAG than its run makes is a failure, and so is any error but
ProgramError for a broken text; of broken Python that is read, the run must make the same DAG.
"""

import time

import numpy as np

from dags.programs import ProgramError
from dags.programs.text import from_c, from_python
from tests.campaigns.outcomes import Failure, Outcomes
from tests.campaigns.random_nests import ARRAYS, CONSTANT, SCALARS, SIZES, mutated, random_nest
from tests.test_dags.programs.nest_twin import labelled, twin_of
from tests.test_dags.programs.traced import (
    Cells,
    Traced,
    fingerprint,
    fingerprint_of_values,
    runnable,
)

LEVELS = ("statement", "operation")
MOST = 3000  # assignments and operations of one case


def run(cases, seed):
    """What reading `cases` random nests came to, and as many broken texts."""
    outcomes = Outcomes()
    for case in range(cases):
        rng = np.random.default_rng([seed, case])
        text = random_nest(rng)
        level = LEVELS[int(rng.integers(2))]
        language, full = (("C", text.in_c), ("Python", text.in_python))[int(rng.integers(2))]
        broken = mutated(rng, full)
        began = time.process_time()
        for kind, verdict in (
            ("random nest", lambda text=text, level=level: compare(text, level)),
            (f"broken {language}", lambda args=(broken, language, level): break_(*args)),
        ):
            try:
                outcomes.counts[kind, verdict()] += 1
            except Exception as error:
                outcomes.counts[kind, "failed"] += 1
                message = f"{type(error).__name__}: {error}"[:3000]
                outcomes.failures.append(Failure(case, kind, message))
        outcomes.slowest = max(outcomes.slowest, time.process_time() - began)
    return outcomes


def compare(text, level):
    """Compare both readers, the twin and a run."""
    try:
        expected = run_python(text.in_python, level)
    except TooLongError:
        return "too long"
    try:
        programs = [from_c(text.in_c), from_python(text.in_python)]
    except ProgramError as error:  # conditions that never hold are gone, and all was in one
        if expected[1] or "assigns to no cell" not in str(error):
            raise
        return "nothing computed"
    results = [dag_or_none(program, level) for program in programs]
    for dag in results:
        got = ("", 0) if dag is None else fingerprint(dag)
        assert got == expected or (dag is None and expected[1] == 0), (
            level,
            text.in_c,
            text.in_python,
        )
    program = programs[0]
    if results[0] is not None:
        twin = twin_of(program, sizes_of(program), level, live_in(program), [CONSTANT, *SIZES])
        assert labelled(results[0]) == twin, (level, text.in_c)
    return "compared" if expected[1] else "nothing computed"


def live_in(program):
    return [name for name in (*ARRAYS, *SCALARS) if name in program.dimensions]


def sizes_of(program):
    return {name: SIZES.get(name, 3) for name in program.sizes}


def dag_or_none(program, level):
    """The DAG, or None if nothing is computed."""
    constants = [name for name in (CONSTANT, *SIZES) if name in program.dimensions]
    try:
        return program.dag(
            **sizes_of(program),
            level=level,
            live=live_in(program),
            constants=constants,
            max_vertices=MOST * 10,
        )
    except ProgramError as error:
        if "nothing is computed" in str(error):
            return None
        raise


class TooLongError(Exception):
    """A run of too many assignments."""


class Limited(Cells):
    """An array that is written a limited number of times."""

    writes = 0

    def __setitem__(self, position, value):
        Limited.writes += 1
        if Limited.writes > MOST:
            raise TooLongError
        super().__setitem__(position, value)


def run_python(text, level, name="f"):
    """Fingerprint and size of the DAG that running a text makes."""
    Limited.writes = 0
    function = runnable(text, name, level, names=["g"])
    arrays = [Limited(name) for name in ARRAYS]
    scalars = [Traced(name=(name,)) for name in SCALARS]
    returned = function(*arrays, *scalars, 0.5, *SIZES.values())
    outputs = [value for array in arrays for value in array.cells.values()]
    return fingerprint_of_values([*outputs, *returned])


def break_(text, language, level):
    """Read a broken text: a refusal within a second, or a DAG; of Python, that of its run."""
    try:
        program = (from_c if language == "C" else from_python)(text)
        dag = dag_or_none(program, level)
    except ProgramError as error:
        message = str(error)
        assert "\n" not in message, text
        assert len(message) < 400, (message, text)
        return "refused"
    if dag is None or language == "C" or not (set(SCALARS) & set(program.returned)):
        return "read"
    same_given = program.parameters == (*ARRAYS, *SCALARS, CONSTANT, *SIZES)
    if not same_given or program.returned != SCALARS or set(program.sizes) - set(SIZES):
        return "read"
    if any(program.dimensions.get(name) == 0 for name in ARRAYS):
        return (
            "read"  # the name of an array became that of a scalar, which a run does not give back
        )
    try:
        expected = run_python(text, level, program.name)
    except (TooLongError, NameError, TypeError, IndexError, AttributeError, ValueError) as error:
        return f"run: {type(error).__name__}"
    assert fingerprint(dag) == expected, (level, text)
    return "read and run"
