"""Named instances: DAGs, families, programs at stated sizes; their schedules and certificates."""

import re
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import BytesIO
from pathlib import Path

from dags import InvalidSpecError, UnknownNameError, load
from dags.cdag.files import writing
from pebble import Rules, min_memory
from redblue.sweeps.store.cells import Artefact

# Memory sizes of published DAGs: the least that plays them, times these halves.
HALVES = (2, 3, 4, 6, 10)

FAMILIES: dict[str, tuple[int, ...]] = {
    "fft:n=1024": (4, 64, 1024),
    "fft:n=65536": (4, 64, 1024),
    "matmul:n=10": (8, 24, 64),
    "matmul:n=24": (8, 48, 256),
    "matmul:m=30,n=50,k=20": (8, 23, 96),
    "grid:shape=10x10x10": (6, 16, 48),
    "stencil:shape=64,steps=64": (6, 16, 48),
    "stencil:shape=16x16,steps=8": (8, 32, 96),
    "bitonic_sort:n=64": (4, 12, 32),
    "odd_even_merge_sort:n=64": (4, 12, 32),
    "strassen:n=8": (8, 24, 96),
    "hypercube:d=10": (12, 48, 128),
    "lu:n=16": (6, 24, 64),
    "cholesky:n=16": (6, 24, 64),
    "qr_givens:n=16": (6, 24, 64),
}
PROGRAMS: dict[str, tuple[int, ...]] = {
    "polybench/2mm:NI=10,NJ=10,NK=10,NL=10": (8, 24, 64),
    "polybench/atax:M=16,N=16": (8, 24),
    "polybench/bicg:M=16,N=16": (8, 24),
    "polybench/correlation:M=12,N=12": (8, 24, 64),
    "polybench/durbin:N=16": (8, 24),
    "polybench/floyd-warshall:N=8": (8, 24),
    "polybench/gemm:NI=12,NJ=12,NK=12": (8, 24, 64),
    "polybench/gemver:N=16": (8, 24),
    "polybench/gramschmidt:M=12,N=12": (8, 24, 64),
    "polybench/heat-3d:N=6,TSTEPS=2": (16, 48),
    "polybench/jacobi-2d:N=10,TSTEPS=4": (8, 32),
    "polybench/mvt:N=16": (8, 24),
    "polybench/nussinov:N=14": (8, 24),
    "polybench/seidel-2d:N=10,TSTEPS=4": (12, 32),
    "polybench/trisolv:N=24": (8, 24),
}


@dataclass(frozen=True)
class Case:
    """One instance with one memory size.

    Parameters
    ----------
    suite, group
        Where it belongs: "public", and the kind of its DAG.
    instance
        Its name in tables and records: a published name, or the specification.
    spec
        The source, as `redblue.load` takes it.
    memory
        Words of fast memory.
    rules
        The rules of the game.
    """

    suite: str
    group: str
    instance: str
    spec: str
    memory: int
    rules: Rules

    @property
    def key(self) -> tuple[str, str, int]:
        """Key of the record: instance, rules and memory."""
        return self.instance, self.rules.name, self.memory


def public(folder: Path, rules: Rules, wanted: Collection[str]) -> Iterator[Case]:
    """Yield the published DAGs of a folder that has one folder for each collection.

    Their names are those of the files: "hyperdag/fine_CG_N4_K2_nzP0d5".
    """
    files = sorted(path for path in folder.glob("*/*.hdag") if path.is_file())
    if not files:
        raise InvalidSpecError(f"no published DAGs (COLLECTION/NAME.hdag) are in {folder}")
    for path in files:
        name = f"{path.parent.name}/{path.stem}"
        if not chosen(name, wanted):
            continue
        smallest = min_memory(load(str(path)), rules=rules)
        for halves in HALVES:
            yield Case("public", kind(name), name, str(path), halves * smallest // 2, rules)


def kind(name: str) -> str:
    """The kind of a published DAG.

    Examples
    --------
    >>> kind("hyperdag/fine_CG_N4_K2_nzP0d5"), kind("hyperdag/coarse_k-means"), kind("osp_tiny/CG")
    ('fine_CG', 'coarse', 'osp_tiny')
    """
    collection, _, title = name.partition("/")
    parts = title.split("_")
    if collection != "hyperdag":
        return collection
    return "_".join(parts[: 1 + (parts[0] == "fine")])


def families(folder: Path, rules: Rules, wanted: Collection[str]) -> Iterator[Case]:
    """Yield members of families."""
    return _stated("families", FAMILIES, rules, wanted)


def programs(folder: Path, rules: Rules, wanted: Collection[str]) -> Iterator[Case]:
    """Yield programs of PolyBench."""
    return _stated("programs", PROGRAMS, rules, wanted)


def _stated(
    suite: str, table: dict[str, tuple[int, ...]], rules: Rules, wanted: Collection[str]
) -> Iterator[Case]:
    for spec, memories in table.items():
        if chosen(spec, wanted):
            group = spec.partition(":")[0]
            for memory in memories:
                yield Case(suite, group, spec, spec, memory, rules)


def chosen(name: str, wanted: Collection[str]) -> bool:
    """Whether a name has one of the `wanted` texts in it; any name if there is none.

    * and ? in a text stand for any characters, and for any one.

    Examples
    --------
    >>> chosen("hyperdag/fine_CG_N4", ["fine_*_N4"]), chosen("fft:n=1024", ["CG", "fft"])
    (True, True)
    """
    return not wanted or any(fnmatchcase(name, f"*{text}*") for text in wanted)


Suite = Callable[[Path, Rules, Collection[str]], Iterator[Case]]
SUITES: dict[str, Suite] = {"public": public, "families": families, "programs": programs}


def cases_of(
    suites: Iterable[str],
    folder: Path,
    rules: Rules,
    *,
    instances: Collection[str] = (),
    memories: Callable[[int], bool] | None = None,
) -> list[Case]:
    """The cases of suites.

    Parameters
    ----------
    suites
        Names in `SUITES`.
    folder
        Where the published DAGs are.
    rules
        The rules of the game.
    instances
        Parts of names, or patterns with * and ?, of which one must fit; none for all.
    memories
        Says which memory sizes, in words, to keep; None for all.

    Raises
    ------
    UnknownNameError
        If there is no such suite.
    InvalidSpecError
        If no case is left.
    """
    cases: list[Case] = []
    for name in suites:
        if name not in SUITES:
            raise UnknownNameError("suite", name, SUITES)
        cases += SUITES[name](folder, rules, instances)
    cases = [case for case in cases if memories is None or memories(case.memory)]
    if not cases:
        raise InvalidSpecError("no instance of the suite has such a name and memory size")
    return cases


SCHEDULE, BOUND = "schedule.npz", "bound.json"


def packed(schedule: Artefact, certificate: Artefact) -> Artefact:
    """Return both as one file, a .zip."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(SCHEDULE, schedule.data)
        archive.writestr(BOUND, certificate.data)
    return Artefact(".zip", file.getvalue())


def save_witnesses(artefacts: Iterable[tuple[Case, Artefact]], folder: Path) -> list[Path]:
    """Write NAME.schedule.npz and NAME.bound.json of each case to a folder; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for case, artefact in artefacts:
        with zipfile.ZipFile(BytesIO(artefact.data)) as archive:
            for part in (SCHEDULE, BOUND):
                path = folder / f"{file_name(case)}.{part}"
                with writing(path) as new:
                    new.write_bytes(archive.read(part))
                written.append(path)
    return written


def file_name(case: Case) -> str:
    """The beginning of the names of a case's files: "fft_n_1024-64-one-shot"."""
    title = re.sub(r"[^A-Za-z0-9.-]+", "_", case.instance)
    return f"{title}-{case.memory}-{case.rules.name}"
