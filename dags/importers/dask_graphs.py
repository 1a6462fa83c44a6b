"""Task graphs of Dask as tensor graphs. They are read by their attributes: Dask is not imported."""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

from dags.errors import shown
from dags.importers.rules import Shape
from dags.importers.tensor_graph import ImportedGraphError, TensorGraph, TensorOperator, TensorView

TOKEN: Final = re.compile(r"-[0-9a-f]{8}[0-9a-f-]{24,28}$")  # what makes a key unique
ONE: Final[Shape] = ()  # a value of which no size is known is a word

Key = Hashable
Chunks = Mapping[str, Sequence[Sequence[Any]]]


def is_dask(value: object) -> bool:
    """Whether a value is a Dask collection, or a dict of tasks."""
    return hasattr(type(value), "__dask_graph__") or isinstance(value, dict)


def from_dask(source: Any) -> TensorGraph:
    """The tensor graph of a Dask collection, or of a dict of tasks.

    A task is an operator that is read and made whole. A key without operands, data and tasks that
    read files or fill arrays, is an input; an alias is the key behind it. A chunk of a Dask array
    has the words of its shape, any other value is one word. Outputs are the keys of the collection;
    of a dict, the keys that no other task reads.

    Parameters
    ----------
    source
        A collection, such as a `dask.array.Array`, which need not be computed; or a dict.

    Raises
    ------
    ImportedGraphError
        If there are no tasks, or they wait for each other.
    """
    named = hasattr(source, "__dask_graph__")
    graph = source.__dask_graph__() if named else source
    tasks: dict[Key, Any] = dict(graph)
    operands = {key: list(_operands(task, tasks)) for key, task in tasks.items()}
    try:
        order = list(TopologicalSorter(operands).static_order())
    except CycleError as error:
        cycle = " -> ".join(str(_short(key)) for key in error.args[1][:8])
        raise ImportedGraphError(f"the tasks wait for each other: {cycle}") from None
    names = _names(order)
    chunks = _chunks(graph)
    read = {key for keys in operands.values() for key in keys}
    ends = [*_flat(source.__dask_keys__())] if named else [k for k in order if k not in read]
    steps = [
        _step(key, tasks[key], [names[operand] for operand in operands[key]], names)
        for key in order
        if operands[key]
    ]
    return TensorGraph(
        name=type(source).__name__ if named else "tasks",
        shapes={names[key]: _shape(key, tasks[key], chunks) for key in order},
        inputs=tuple(names[key] for key in order if not operands[key]),
        steps=tuple(steps),
        outputs=tuple(names[key] for key in ends if key in names),
    )


def _step(
    key: Key, task: Any, operands: list[str], names: Mapping[Key, str]
) -> TensorOperator | TensorView:
    if type(task).__name__ == "Alias" or _is_key(task, names):
        return TensorView(tuple(operands), names[key], "same")
    return TensorOperator(names[key], "task", tuple(dict.fromkeys(operands)), (names[key],))


def _operands(task: Any, tasks: Mapping[Key, Any]) -> Iterator[Key]:
    """Yield the keys that a task reads: of Dask's own classes, or of tuples and lists."""
    dependencies = getattr(task, "dependencies", None)
    if dependencies is not None:
        yield from sorted((key for key in dependencies if key in tasks), key=str)
    elif isinstance(task, list) or (isinstance(task, tuple) and task and callable(task[0])):
        for entry in task:
            yield from _operands(entry, tasks)
    elif isinstance(task, dict):
        for entry in task.values():
            yield from _operands(entry, tasks)
    elif isinstance(task, str | tuple | int | float | bytes) and _is_key(task, tasks):
        yield task


def _is_key(value: Any, tasks: Mapping[Key, Any]) -> bool:
    try:
        return value in tasks
    except TypeError:  # a tuple of lists
        return False


def _chunks(graph: Any) -> Chunks:
    """The lengths of the chunks of each array, by the first part of their keys."""
    layers = getattr(graph, "layers", {})
    notes = {
        name: getattr(layer, "collection_annotations", None) or {} for name, layer in layers.items()
    }
    return {name: note["chunks"] for name, note in notes.items() if note.get("chunks")}


def _shape(key: Key, task: Any, chunks: Chunks) -> Shape:
    """The shape of a chunk, or of data; of nothing if it is not known."""
    data = getattr(task, "value", task) if not callable(task) else task
    lengths = getattr(data, "shape", None)
    if isinstance(key, tuple) and key[0] in chunks:
        axes = chunks[key[0]]
        if len(axes) == len(key) - 1:
            lengths = [axis[place] for axis, place in zip(axes, key[1:], strict=True)]
    if lengths is None or not all(isinstance(length, int) for length in lengths):
        return ONE
    return tuple(max(int(length), 1) for length in lengths)


def _names(keys: Sequence[Key]) -> dict[Key, str]:
    """The name of each key: "sum[0,1]" for ("sum-<token>", 0, 1)."""
    heads: dict[str, str] = {}
    counts: dict[str, int] = {}
    names: dict[Key, str] = {}
    for key in keys:
        head, indices = (str(key[0]), key[1:]) if isinstance(key, tuple) and key else (str(key), ())
        if head not in heads:
            short = TOKEN.sub("", head) or head
            count = counts[short] = counts.get(short, -1) + 1
            heads[head] = f"{short}.{count}" if count else short
        name = heads[head] + (f"[{','.join(map(str, indices))}]" if indices else "")
        names[key] = name
    if len(set(names.values())) < len(names):
        raise ImportedGraphError("two tasks have the same name")
    return names


def _short(key: Key) -> str:
    return shown(key)


def _flat(keys: Any) -> Iterator[Key]:
    """Yield the keys in nested lists."""
    if isinstance(keys, list):
        for key in keys:
            yield from _flat(key)
    else:
        yield keys
