"""The computation DAG: immutable arrays in CSR, validated once at construction."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dags import _kernels
from dags.arrays import BLOCK, Int32Array, Int64Array, lock, locked, numbers_where, ones
from dags.cdag import border
from dags.cdag.border import Label
from dags.cdag.demands import Demands
from dags.cdag.origin import Origin
from dags.cdag.rows import path_lengths, reader_counts, successor_rows
from dags.cdag.tables import MOST_EDGES, Tabular, draw_graph, draw_levels, own_axes
from dags.errors import InvalidDAGError, shown

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Recognised:
    """The generator's DAG that a DAG equals up to the numbering of its vertices.

    Parameters
    ----------
    spec
        The specification of which `dags.load` makes it: "fft:n=64".
    dag
        The DAG in the generator's numbering, with its family and params; sizes, outputs and
        channels are those of the DAG that was recognised.
    vertex
        (n,) the vertex of the DAG that was recognised which is vertex i of `dag`.
    own
        Which of "words", "outputs" and "channel" are not those of the generator.
    """

    spec: str
    dag: "CDAG"
    vertex: Int32Array
    own: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.vertex.flags.writeable:
            object.__setattr__(self, "vertex", lock(self.vertex.copy()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Recognised, (self.spec, self.dag, self.vertex, self.own)


class CDAG(Tabular):
    """A computation DAG: values, and for each of them the operands from which it is computed.

    Vertices ``0..n-1`` are numbered in a topological order. Sources are the inputs; they begin
    in slow memory and are never computed. Every computed sink is an output and must end in slow
    memory. An isolated vertex is an input without readers: it costs nothing.

    Two DAGs are equal if every game on them is: labels, family, params, origin, recognised
    families, bytes of a word and demands on addresses do not count.

    Parameters
    ----------
    pred_indptr
        (n+1,) row pointers into `pred_indices`.
    pred_indices
        (m,) predecessors of vertex v in ``pred_indices[pred_indptr[v]:pred_indptr[v+1]]``,
        rising, each smaller than v.
    words
        (n,) size of each value in words, at least 1; None if every value is one word.
    work
        (n,) operations that computing each value takes; one number if they are the same for all
        computed vertices (the array is made when it is asked for); None if unknown.
    outputs
        Computed vertices that must end in slow memory besides the sinks; None for no others.
    channel
        (n,) tag in 0..255 of the link on which a value travels; None if there is only one.
    labels
        (n,) names of the vertices, as a file gave them; None for their numbers.
    family, params
        The generator and its parameters, where one made this DAG.
    origin
        The program that it comes from, and the place of each vertex in it, where it has one. It
        gives the vertices their labels where no others are given.
    recognised
        The generator's DAG that this one equals up to the numbering, where that has been verified
        (`dags.families.recognition`).
    word_bytes
        Bytes of a word of its values; None where it is not known.
    in_place
        (n,) whether a value may be computed in the place of an operand of its size. Sliding rules
        then let no other value take the place of an operand. None where they let all.
    demands
        What plans of memory have to do for single values; None for nothing.

    Raises
    ------
    InvalidDAGError
        If the arrays describe no DAG; the message names the vertex.

    Notes
    -----
    Arrays are copied and locked. One that is locked already and owns its data is kept as it is,
    so that a generator can hand over gigabytes without a copy.
    """

    pred_indptr: Int64Array
    pred_indices: Int32Array
    words: Int64Array | None
    outputs: Int32Array
    channel: npt.NDArray[np.uint8] | None
    family: str | None
    params: dict[str, Any]
    origin: Origin | None
    recognised: Recognised | None
    word_bytes: int | None
    in_place: BoolArray | None
    demands: Demands | None
    _labels: tuple[Label, ...] | None
    _work: Int64Array | int | None

    def __init__(
        self,
        pred_indptr: npt.ArrayLike,
        pred_indices: npt.ArrayLike,
        *,
        words: npt.ArrayLike | None = None,
        work: npt.ArrayLike | int | None = None,
        outputs: npt.ArrayLike | None = None,
        channel: npt.ArrayLike | None = None,
        labels: Sequence[Label] | None = None,
        family: str | None = None,
        params: Mapping[str, Any] | None = None,
        origin: Origin | None = None,
        recognised: Recognised | None = None,
        word_bytes: int | None = None,
        in_place: npt.ArrayLike | None = None,
        demands: Demands | None = None,
    ) -> None:
        indptr = locked(pred_indptr, np.int64, "pred_indptr")
        indices = locked(pred_indices, np.int32, "pred_indices")
        n = indptr.size - 1
        border.check_structure(indptr, indices)
        names = border.vertex_labels(labels, n)
        set_ = self.__dict__.update  # the way around __setattr__
        set_(pred_indptr=indptr, pred_indices=indices)
        set_(_labels=names, family=family, params=dict(params or {}))
        set_(origin=border.origin_of(origin, n), recognised=recognised, word_bytes=word_bytes)
        sized = words is not None  # only then are readers counted, which takes long
        set_(words=border.value_sizes(words, self.outdegree, names) if sized else None)
        set_(_work=border.operations(work, n, names))
        set_(channel=border.channel_tags(channel, n))
        set_(outputs=self._all_outputs(outputs), demands=border.demands_of(demands, n))
        rows = self.pred_indptr, self.pred_indices, self.sizes
        set_(in_place=None if in_place is None else border.in_place_marks(in_place, rows, names))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a CDAG is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (
            self.pred_indptr,
            self.pred_indices,
            self.words,
            self._work,
            self.outputs,
            self.channel,
            self._labels,
            self.family,
            self.params,
            self.origin,
            self.recognised,
            self.word_bytes,
            self.in_place,
            self.demands,
        )

    def __eq__(self, value: object) -> bool:
        if not isinstance(value, CDAG):
            return NotImplemented
        return self is value or self.digest == value.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        name, params = self.family or "CDAG", self.params
        if self.family is None and self.origin is not None:
            name, params = self.origin.program, dict(self.origin.sizes)
        shown = ", ".join(f"{key}={value}" for key, value in params.items())
        return f"<{name}({shown}): {self.n} vertices, {self.m} edges>"

    @property
    def n(self) -> int:
        """Number of vertices."""
        return self.pred_indptr.size - 1

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.pred_indices.size

    @property
    def as_generated(self) -> "CDAG":
        """The DAG in the numbering of the generator that it was recognised as; itself if of none.

        All that holds for it holds for this one, under other numbers.
        """
        return self if self.recognised is None else self.recognised.dag

    def recognised_as(self, known: Recognised) -> "CDAG":
        """Return this DAG, known to be the one that a generator makes up to the numbering."""
        return CDAG(
            self.pred_indptr,
            self.pred_indices,
            words=self.words,
            work=self._work,
            outputs=self.outputs,
            channel=self.channel,
            labels=self._labels,
            origin=self.origin,
            recognised=known,
            word_bytes=self.word_bytes,
            in_place=self.in_place,
            demands=self.demands,
        )

    def with_word_bytes(self, word_bytes: int | None) -> "CDAG":
        """Return this DAG, a word of whose values is known to have so many bytes."""
        copy = object.__new__(CDAG)
        copy.__dict__.update(self.__dict__, word_bytes=word_bytes)
        return copy

    def with_origin(self, origin: Origin) -> "CDAG":
        """Return this DAG, whose vertices have points of a program as names."""
        copy = object.__new__(CDAG)
        copy.__dict__.update(self.__dict__, origin=border.origin_of(origin, self.n))
        copy.__dict__.pop("labels", None)  # which are those of the points
        return copy

    def with_demands(self, demands: Demands | None) -> "CDAG":
        """Return this DAG, for whose values plans of memory have to do something."""
        copy = object.__new__(CDAG)
        copy.__dict__.update(self.__dict__, demands=demands)
        return copy

    @cached_property
    def labels(self) -> tuple[Label, ...] | None:
        """(n,) names of the vertices, as a file gave them or a program has them; None for numbers.

        Those of a program are made when they are asked for: a Python object a vertex.
        """
        if self._labels is None and self.origin is not None:
            return tuple(self.origin.labels())
        return self._labels

    @cached_property
    def indegree(self) -> Int64Array:
        """(n,) number of predecessors."""
        return lock(np.diff(self.pred_indptr))

    @cached_property
    def outdegree(self) -> Int64Array:
        """(n,) number of successors."""
        return lock(reader_counts(self.pred_indices, self.n))

    @cached_property
    def is_read(self) -> BoolArray:
        """(n,) whether a vertex has successors; a byte each, where `outdegree` takes eight."""
        marks = np.zeros(self.n, np.bool_)
        _kernels.mark_read(self.pred_indices, marks)
        return lock(marks)

    @property
    def is_computed(self) -> BoolArray:
        """(n,) whether a vertex has predecessors."""
        return self.pred_indptr[1:] > self.pred_indptr[:-1]

    @cached_property
    def widest(self) -> int:
        """The first of the vertices with most predecessors."""
        vertex, most_operands = 0, -1
        for start in range(0, self.n, BLOCK):
            degrees = np.diff(self.pred_indptr[start : start + BLOCK + 1])
            place = int(degrees.argmax())
            if degrees[place] > most_operands:
                vertex, most_operands = start + place, int(degrees[place])
        return vertex

    @cached_property
    def successors(self) -> tuple[Int64Array, Int32Array]:
        """Successor CSR: (n+1,) row pointers and (m,) successors, rising in each row."""
        return successor_rows(self.pred_indptr, self.pred_indices)

    @cached_property
    def inputs(self) -> Int32Array:
        """The sources, rising, those without readers among them."""
        return lock(numbers_where(self.pred_indptr[1:] == self.pred_indptr[:-1]))

    @cached_property
    def used_inputs(self) -> Int32Array:
        """The sources that have a successor, rising."""
        return lock(self.inputs[self.is_read[self.inputs]])

    @cached_property
    def computed(self) -> Int32Array:
        """The vertices that are not sources, rising."""
        return lock(numbers_where(self.is_computed))

    @cached_property
    def sizes(self) -> Int64Array:
        """(n,) words of each value; 1 for all of them where `words` is None."""
        return ones(self.n) if self.words is None else self.words

    @cached_property
    def work(self) -> Int64Array | None:
        """(n,) operations that computing each value takes, 0 for inputs; None if unknown."""
        if isinstance(self._work, int):
            return lock(self.is_computed * np.int64(self._work))
        return self._work

    @property
    def uniform_work(self) -> int | None:
        """Operations of every computed vertex, where one number was given for all of them."""
        return self._work if isinstance(self._work, int) else None

    @cached_property
    def level(self) -> Int32Array:
        """(n,) edges on a longest path from an input to each vertex."""
        return path_lengths(self.pred_indptr, self.pred_indices)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that the game can see."""
        state = hashlib.sha256()
        parts: dict[str, npt.NDArray[Any] | int | None] = {
            "pred_indptr": self.pred_indptr,
            "pred_indices": self.pred_indices,
            "words": self.words,
            "work": self._work,
            "outputs": self.outputs,
            "channel": self.channel,
            "in_place": self.in_place,
        }
        for name, part in parts.items():
            if part is None:
                continue
            if isinstance(part, int):
                state.update(f"{name}:{self.n}:".encode())
                for block in self._uniform_blocks(part):
                    state.update(block.data)
            else:
                state.update(f"{name}:{part.size}:".encode())
                state.update(part.data)
        return state.hexdigest()

    def _uniform_blocks(self, work: int) -> Iterator[Int64Array]:
        """Yield the entries of the property `work`, block by block: it is not kept for a digest."""
        for start in range(0, self.n, BLOCK):
            rows = self.pred_indptr[start : start + BLOCK + 1]
            yield (rows[1:] > rows[:-1]) * np.int64(work)

    def name(self, vertex: int) -> str:
        """How messages call `vertex`: its number, and its label where it has another."""
        if self._labels is None and self.origin is not None:
            return f"{vertex} ({self.origin.label(vertex)!r})"
        return border.vertex_name(vertex, self._labels)

    def predecessors(self, vertex: int) -> Int32Array:
        """The operands of a vertex, by their numbers, rising; none of an input.

        Raises
        ------
        InvalidDAGError
            If there is no such vertex.

        Examples
        --------
        >>> from dags import fft
        >>> fft(4).predecessors(4).tolist()
        [0, 1]
        """
        if isinstance(vertex, bool) or not isinstance(vertex, int | np.integer):
            raise InvalidDAGError(f"a vertex is a whole number, not {shown(vertex)}")
        if not 0 <= vertex < self.n:
            raise InvalidDAGError(f"there is no vertex {vertex}: they are 0 to {self.n - 1:,}")
        return self.pred_indices[self.pred_indptr[vertex] : self.pred_indptr[vertex + 1]]

    def to_frame(self) -> "pd.DataFrame":
        """A table with a line for each vertex."""
        import pandas as pd

        columns: dict[str, Any] = {"vertex": np.arange(self.n), "level": self.level}
        columns |= {"operands": self.indegree, "readers": self.outdegree, "words": self.sizes}
        columns |= {} if self.work is None else {"work": self.work}
        columns |= {} if self.labels is None else {"label": list(map(str, self.labels))}
        frame = pd.DataFrame(columns)
        frame["output"] = np.isin(np.arange(self.n), self.outputs)
        return frame

    def summary_frame(self) -> "pd.DataFrame":
        """A table of one line: the sizes of the DAG."""
        import pandas as pd

        sizes = {"vertices": self.n, "edges": self.m, "inputs": self.inputs.size}
        sizes |= {"outputs": self.outputs.size, "levels": int(self.level.max(initial=-1)) + 1}
        return pd.DataFrame([sizes])

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the DAG, or of a large one the number of vertices in each level; return the axes."""
        axes = own_axes(ax)
        if self.m <= MOST_EDGES:
            draw_graph(self.pred_indptr, self.pred_indices, self.level, axes)
        else:
            draw_levels(self.level, axes)
        axes.set_title(repr(self).strip("<>"))
        return axes

    def words_of(self, vertices: npt.NDArray[np.integer[Any]]) -> int:
        """The total size of `vertices` in words."""
        return int(vertices.size if self.words is None else self.words[vertices].sum())

    def _all_outputs(self, named: npt.ArrayLike | None) -> Int32Array:
        chosen = self.is_computed & ~self.is_read
        if named is None:
            return lock(numbers_where(chosen))
        extra = border.output_numbers(named, self.n)
        sources = extra[self.pred_indptr[extra + 1] == self.pred_indptr[extra]]
        if sources.size:
            raise InvalidDAGError(
                f"vertex {self.name(int(sources[0]))} is an output that is an input: "
                "it is in slow memory already"
            )
        chosen[extra] = True
        return lock(numbers_where(chosen))


def _rebuild(*fields: Any) -> CDAG:
    """The CDAG that `__reduce__` took apart."""
    indptr, indices, words, work, outputs, channel, labels, family, params, *optional = fields
    origin, known, word_bytes, in_place, demands = optional
    return CDAG(
        lock(indptr),
        lock(indices),
        words=words,
        work=work,
        outputs=outputs,
        channel=channel,
        labels=labels,
        family=family,
        params=params,
        origin=origin,
        recognised=known,
        word_bytes=word_bytes,
        in_place=in_place,
        demands=demands,
    )
