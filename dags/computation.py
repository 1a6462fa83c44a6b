"""The computation that is asked about, at any size: a text, a family, a graph, a file, or a DAG."""

import warnings
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dags.cdag.border import require_room
from dags.cdag.value import CDAG, Recognised
from dags.errors import InvalidSpecError, RedBlueError, one_line
from dags.families import FAMILIES
from dags.families.common.family import Sizes
from dags.families.common.members import Member, member_of
from dags.families.common.published import Params
from dags.families.recognition.recogniser import spec_of
from dags.loading import load
from dags.spec import leaves
from dags.spec.options import file_spec

if TYPE_CHECKING:
    from dags.programs.box_nests import BoxNest


FEW = 1000  # vertices of a text up to which nothing is said of formulas
OF_DAG = "words", "work", "family"  # options of a specification that are a matter of the DAG


class Computation:
    """A computation, known by its specification; its DAG is built when it is first asked for.

    Sizes are exact at any size where formulas count them: of members of families, and of loop nests
    with affine bounds and indices. Elsewhere they are those of the DAG.

    Parameters
    ----------
    spec
        A specification or a path, "gemm.c:N=1024", "fft:n=64", "graph.json"; or the label of a DAG.
    dag
        The DAG, of a computation that is given by it.
    how
        Of a specification ``words``, ``work``, ``family`` and ``recognise``, as `dags.load` has
        them.

    Raises
    ------
    RedBlueError
        If there is no such computation; errors of `dags.load`.

    Examples
    --------
    >>> Computation("matmul:n=100000").sizes.vertices
    1000020000000000
    >>> Computation("matmul:m=1,n=2,k=3").dag.n
    15
    """

    def __init__(self, spec: str = "", dag: CDAG | None = None, **options: Any) -> None:
        self.spec = spec
        self._how = options
        self.unread: RedBlueError | None = None  # why no formulas describe it
        self._given = dag is not None
        if dag is not None:
            self.__dict__["dag"] = dag
        elif self.member is None:
            # A specification that names nothing is an error at once.
            of_dag = any(self._said(name) for name in OF_DAG)
            family = spec.partition(":")[0] in FAMILIES
            if isinstance(self.unread, InvalidSpecError) and family and not of_dag:
                raise self.unread
            self._build()

    @classmethod
    def of(cls, source: Any, **options: Any) -> "Computation":
        """The computation that any source is.

        Parameters
        ----------
        source
            A computation, a specification, a path, a DAG, a `networkx.DiGraph`, or an object of
            another tool, as `dags.load` takes them.
        options
            Of a specification ``words``, ``work``, ``family`` and ``recognise``; others as
            `dags.load` has them.

        Raises
        ------
        RedBlueError
            Errors of `dags.load`.
        """
        if isinstance(source, Computation):
            if options:
                raise InvalidSpecError(f"{', '.join(options)}: a computation has its options")
            return source
        if isinstance(source, str | Path):
            if unknown := options.keys() - {"words", "work", "family", "recognise"}:
                raise InvalidSpecError(
                    f"{', '.join(sorted(unknown))}: only objects of other tools have options"
                )
            return cls(str(source), **options)
        return cls(dag=load(source, **options))

    @cached_property
    def member(self) -> Member | None:
        """The description by formulas; None where none is known, and `unread` says why."""
        try:
            if self._given:
                return _member_of_dag(self.dag)
            for name in filter(self._said, OF_DAG):
                raise InvalidSpecError(f"{one_line(self.spec)}: {name} is a matter of its DAG")
            return _described(self.spec)
        except RedBlueError as error:
            self.unread = error
            return None

    def _said(self, option: str) -> bool:
        """Whether an option is given, in the specification or beside it."""
        return bool(self._how.get(option) or getattr(file_spec(self.spec), option))

    @cached_property
    def dag(self) -> CDAG:
        """The DAG.

        Raises
        ------
        InvalidSpecError
            If it is too large for this machine.
        """
        return load(self.spec, **self._how)

    def _build(self) -> None:
        """Build the DAG of a computation that no formulas describe."""
        from dags.programs.instances import NotReadError

        try:
            _ = self.dag
        except RedBlueError as error:
            if not isinstance(self.unread, NotReadError):
                raise
            raise InvalidSpecError(f"{self.unread}: no formula counts that, and {error}") from error

    @property
    def without_formulas(self) -> str | None:
        """Why no formulas count a text; None where they do, and of a text with few vertices."""
        from dags.programs.instances import NotReadError

        is_text = isinstance(self.unread, NotReadError) and leaves.is_of("programs", self.spec)
        if not is_text or self.sizes.vertices <= FEW:
            return None
        return f"{self.unread}: no formula counts that; the DAG is built if it fits"

    @property
    def is_given(self) -> bool:
        """True of a computation that is given by its DAG, and not by a specification."""
        return self._given

    @property
    def is_built(self) -> bool:
        """True if the DAG is at hand."""
        return "dag" in self.__dict__

    @property
    def is_program(self) -> bool:
        """True of a loop nest from a text, an einsum string, or a graph of operators."""
        return self.member is not None and self.member.boxes is not None

    @property
    def is_graph(self) -> bool:
        """True of a graph of another tool; its DAG has tensors, its loop nest their elements."""
        return bool(self.spec) and leaves.is_of("graphs", self.spec)

    @property
    def name(self) -> str:
        """Name of the generator or program; empty if there is none."""
        if self.member is not None:
            return self.member.family
        return self.dag.as_generated.family or ""

    @cached_property
    def kin(self) -> Member | None:
        """The member of a family that the computation is, named, or recognised from its nest."""
        from dags.programs.recognition import kin_of

        if self.member is None or self.member.boxes is None or not self._recognises:
            return self.member if not self.is_program else None
        known = kin_of(self.member.boxes, self.member.sizes)
        return None if known is None else known.member

    @property
    def kin_nest(self) -> "BoxNest | None":
        """The loop nest of the family's text, of a computation that was recognised from its own."""
        from dags.programs.recognition import kin_of

        if not self.is_program or self.kin is None or self.nest is None:
            return None
        known = kin_of(self.nest, self.sizes)
        return None if known is None else known.nest

    @property
    def _recognises(self) -> bool:
        """Whether the family of a text is looked for."""
        wanted: bool = self._how.get("recognise", True)
        return wanted and file_spec(self.spec).recognise

    @property
    def family(self) -> str | None:
        """The family of which the computation is a member, None of others."""
        if self.member is not None:
            return None if self.kin is None else self.kin.family
        return self.dag.as_generated.family

    @property
    def params(self) -> Params:
        """Parameters of the family's member, or sizes of the program."""
        if self.member is None:
            return self.dag.as_generated.params
        return self.member.params if self.kin is None else self.kin.params

    @property
    def recognised(self) -> Recognised | None:
        """The generator's DAG that the DAG equals up to the numbering, where that was found."""
        return self.dag.recognised if self.is_built or self.member is None else None

    @cached_property
    def sizes(self) -> Sizes:
        """Counts of the DAG, exact however large they are."""
        return _sizes_of(self.dag) if self.member is None else self.member.sizes

    @property
    def compulsory(self) -> int:
        """Compulsory I/O in words: inputs that are read, and outputs."""
        words = _in_words(self.sizes).compulsory
        assert words is not None
        return words

    def min_memory(self, *, sliding: bool = False) -> int:
        """The smallest fast memory, in words, in which every vertex can be computed.

        Parameters
        ----------
        sliding
            Whether a result may take the place of one of its operands.
        """
        needed = self.sizes
        return max(needed.operands, needed.result) + (0 if sliding else needed.result)

    @cached_property
    def nest(self) -> "BoxNest | None":
        """The loop nest; None where the computation is not known as one."""
        from dags.programs.members import family_nest, nest_in

        if self.member is None:
            return nest_in(self.dag)
        if self.member.boxes is not None:
            return self.member.boxes
        return family_nest(self.member.family, self.member.params)

    @property
    def apart(self) -> tuple[str, ...]:
        """A sentence on each operator of a graph that is no loops, and runs apart."""
        return () if self.member is None else self.member.apart

    @property
    def bounds_are(self) -> str:
        """What proves lower bounds where the DAG is not built, in words."""
        return "windows of updates or compulsory words" if self.is_program else "closed forms"

    def require_room(self) -> None:
        """Raise InvalidSpecError if the DAG is too large for this machine."""
        if not self.is_built:
            require_room(self.sizes.vertices, self.sizes.edges)

    def __repr__(self) -> str:
        counts, name = self.sizes, one_line(self.spec) if self.spec else repr(self.dag)
        return (
            f"<Computation {name}: {counts.vertices:,} vertices, {counts.edges:,} edges, "
            f"{self.compulsory:,} compulsory words>"
        )

    def __getattr__(self, name: str) -> Any:
        # `redblue.load` returned the DAG itself before.
        if name.startswith("_") or not (hasattr(CDAG, name) or name in CDAG.__annotations__):
            raise AttributeError(f"a computation has no {name!r}")
        warnings.warn(
            f"{name} is of the DAG: write computation.dag.{name}", DeprecationWarning, stacklevel=2
        )
        return getattr(self.dag, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__dict__})


def _described(spec: str) -> Member:
    """The description by formulas of a specification."""
    if leaves.is_of("programs", spec) and not leaves.is_of("NumPy code", spec):
        from dags.programs.members import nest_member

        return nest_member(spec)
    if leaves.is_of("graphs", spec):
        known: Member = leaves.reader("graphs", "nests").graph_member(spec)
        return known
    return member_of(spec)


def _member_of_dag(dag: CDAG) -> Member | None:
    """The member that a generator's DAG is; None of one with parts of its own."""
    family = FAMILIES.get(dag.family or "")
    if family is None or family.sizes is None or dag.recognised is not None:
        return None
    known = member_of(spec_of(str(dag.family), dag.params))
    return known if _in_words(known.sizes) == _sizes_of(dag) else None


def _in_words(counts: Sizes) -> Sizes:
    """Counts with compulsory words, those of inputs and outputs where there are none."""
    words = counts.inputs + counts.outputs if counts.compulsory is None else counts.compulsory
    return counts._replace(compulsory=words)


def _sizes_of(dag: CDAG) -> Sizes:
    """The counts of a DAG."""
    rows, widest = dag.pred_indptr, dag.widest
    if dag.words is None:
        operands, result = int(dag.indegree[widest]), 1
    else:
        computed = dag.computed
        held = np.add.reduceat(dag.words[dag.pred_indices], rows[computed])
        neediest = int((held + dag.words[computed]).argmax())
        operands, result = int(held[neediest]), int(dag.words[computed[neediest]])
    work = dag.uniform_work
    total = dag.computed.size if dag.work is None else int(dag.work[dag.computed].sum())
    return Sizes(
        vertices=dag.n,
        edges=dag.m,
        inputs=dag.inputs.size,
        outputs=dag.outputs.size,
        work=total if work is None else work * dag.computed.size,
        operands=operands,
        result=result,
        compulsory=dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs),
    )
