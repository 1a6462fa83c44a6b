"""Jaxprs of JAX as tensor graphs. They are read by their attributes: JAX is not imported."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dags.importers.casts import with_casts
from dags.importers.jax_primitives import RULES, VIEWS_OF, Primitive
from dags.importers.rules import operator_of, rule_of
from dags.importers.tensor_graph import (
    ImportedGraphError,
    TensorGraph,
    TensorOperator,
    TensorView,
    reading,
)
from dags.importers.views import slice_of, slices_of

BODIES: Final = ("jaxpr", "call_jaxpr", "fun_jaxpr")
BY_VALUE: Final = {
    "while": "repeats until a value says so: use lax.scan, or a loop of a known length",
    "cond": "chooses a branch by a value: use jnp.where or lax.select",
}
MAX_STEPS: Final = 2**20  # of loops written out


def is_jaxpr(value: object) -> bool:
    """Whether a value is a jaxpr, closed or not, by its attributes."""
    inner = getattr(value, "jaxpr", value)
    return all(hasattr(inner, name) for name in ("eqns", "invars", "outvars", "constvars"))


def from_jaxpr(closed: Any) -> TensorGraph:
    """The tensor graph of a jaxpr, such as `jax.make_jaxpr(f)(x)`.

    Functions that are called in it are written out, and so is `scan`, turn by turn. Its arguments
    are inputs, and so are arrays of floating-point numbers that it closes over; other constants
    are none.

    Parameters
    ----------
    closed
        A `ClosedJaxpr` or a `Jaxpr`.

    Raises
    ------
    ImportedGraphError
        If something in it depends on values.
    """
    with reading("the jaxpr"):
        return _graph_of(getattr(closed, "jaxpr", closed))


def _graph_of(jaxpr: Any) -> TensorGraph:
    """The tensor graph of a jaxpr that is not closed."""
    reader = _JaxprReader()
    names = _argument_names(jaxpr)
    values: dict[Any, str] = {}
    for var, name in zip(jaxpr.invars, names, strict=True):
        values[var] = reader.tensor(name, var)
    for place, var in enumerate(jaxpr.constvars):
        if var.aval.dtype.kind in "fcV" and var.aval.shape != ():
            values[var] = reader.tensor(f"const{place}", var)
    inputs = tuple(values.values())
    reader.body(jaxpr, values, "")
    outputs = tuple(values[var] for var in jaxpr.outvars if not _is_literal(var) and var in values)
    info = getattr(jaxpr, "debug_info", None)
    name = getattr(info, "func_name", None) or "jaxpr"
    steps = tuple(reader.steps)
    return with_casts(TensorGraph(name, reader.shapes, inputs, steps, outputs, reader.itemsize))


@dataclass
class _JaxprReader:
    """The steps so far; a variable without a name is a constant."""

    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    itemsize: dict[str, int] = field(default_factory=dict)
    steps: list[TensorOperator | TensorView] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def tensor(self, name: str, var: Any) -> str:
        """A new name for a tensor like a variable."""
        while name in self.shapes:
            name += "'"
        self.shapes[name] = _shape(var)
        self.itemsize[name] = int(getattr(var.aval.dtype, "itemsize", 1))
        return name

    def body(self, jaxpr: Any, values: dict[Any, str], prefix: str) -> None:
        """Read the equations; `values` has the names of variables, and gets those of results."""
        for equation in jaxpr.eqns:
            if len(self.steps) > MAX_STEPS:
                raise ImportedGraphError(
                    f"it has more than {MAX_STEPS} operators, loops written out"
                )
            with reading(f"{prefix}{getattr(equation.primitive, 'name', equation.primitive)}"):
                self._equation(equation, values, prefix)

    def _equation(self, equation: Any, values: dict[Any, str], prefix: str) -> None:
        name, params = equation.primitive.name, equation.params
        if name in BY_VALUE:
            raise ImportedGraphError(f"{prefix}{name} {BY_VALUE[name]}")
        if name == "scan":
            self._scan(equation, values, f"{prefix}scan")
            return
        inner = next((params[key] for key in BODIES if key in params), None)
        if inner is not None:
            called = str(params.get("name", "")).lstrip("_")
            results = self._call(
                inner, _names(equation.invars, values), f"{prefix}{called}/" if called else prefix
            )
            _bind(equation.outvars, results, values)
            return
        called = f"{prefix}{name}{self._count(prefix + name)}"
        if name == "split":
            self._split(equation, values, called)
        elif name == "concatenate":
            self._concatenate(equation, values, called)
        else:
            self._operator(equation, values, called)

    def _operator(self, equation: Any, values: dict[Any, str], called: str) -> None:
        kind, params = equation.primitive.name, equation.params
        shapes = [_shape(var) for var in equation.invars]
        operands = _names(equation.invars, values)
        if all(name is None for name in operands):
            return  # a constant
        out = equation.outvars[0]
        view = VIEWS_OF[kind](params, shapes[0], _shape(out)) if kind in VIEWS_OF else None
        if view is not None and operands[0] is not None:
            values[out] = self.tensor(called, out)
            self.steps.append(TensorView((operands[0],), values[out], *view))
            return
        call = Primitive(params, shapes, _shape(out))
        rule = rule_of(RULES, kind, call, shapes, call.result)
        single = len(equation.outvars) == 1
        for place, var in enumerate(equation.outvars):
            values[var] = self.tensor(called if single else f"{called}.{place}", var)
        results = tuple(values[var] for var in equation.outvars)
        self.steps.append(operator_of(called, kind, operands, results, rule))

    def _split(self, equation: Any, values: dict[Any, str], called: str) -> None:
        (operand,) = _names(equation.invars, values)
        if operand is None:
            return
        axis = equation.params["axis"]
        lengths = [_shape(var)[axis] for var in equation.outvars]
        views = slices_of(len(self.shapes[operand]), axis, lengths)
        for place, (var, view) in enumerate(zip(equation.outvars, views, strict=True)):
            values[var] = self.tensor(f"{called}.{place}", var)
            self.steps.append(TensorView((operand,), values[var], *view))

    def _concatenate(self, equation: Any, values: dict[Any, str], called: str) -> None:
        operands = _names(equation.invars, values)
        if all(name is None for name in operands):
            return
        (out,) = equation.outvars
        arguments = [
            self.tensor(f"{called}.{place}", var) if name is None else name
            for place, (name, var) in enumerate(zip(operands, equation.invars, strict=True))
        ]
        values[out] = self.tensor(called, out)
        axis = {"axis": equation.params["dimension"]}
        self.steps.append(TensorView(tuple(arguments), values[out], "join", axis))

    def _scan(self, equation: Any, values: dict[Any, str], prefix: str) -> None:
        """Write a loop of known length out."""
        params = equation.params
        inner, length = params["jaxpr"], params["length"]
        fixed, carried = params["num_consts"], params["num_carry"]
        arguments = _names(equation.invars, values)
        state = arguments[fixed : fixed + carried]
        rows = arguments[fixed + carried :]
        called = f"{prefix}{self._count(prefix)}"
        stacks: list[list[str | None]] = [[] for _ in equation.outvars[carried:]]
        turns = range(length)
        for turn in reversed(turns) if params["reverse"] else turns:
            entries = [
                None if name is None else self._entry(name, turn, f"{called}[{turn}].{place}")
                for place, name in enumerate(rows)
            ]
            results = self._call(
                inner, [*arguments[:fixed], *state, *entries], f"{called}[{turn}]/"
            )
            state = results[:carried]
            for stack, value in zip(stacks, results[carried:], strict=True):
                stack.append(value)
        _bind(equation.outvars[:carried], state, values)
        for place, (var, stack) in enumerate(zip(equation.outvars[carried:], stacks, strict=True)):
            ordered = stack[::-1] if params["reverse"] else stack
            self._stack(var, ordered, values, f"{called}.{place}")

    def _stack(
        self, var: Any, entries: Sequence[str | None], values: dict[Any, str], called: str
    ) -> None:
        if all(name is None for name in entries):
            return
        shape = (1, *_shape(var)[1:])
        rows = []
        for turn, name in enumerate(entries):
            row = self.tensor(f"{called}[{turn}]", var)
            self.shapes[row] = shape
            if name is not None:
                self.steps.append(TensorView((name,), row, "reshape", {"shape": shape}))
            rows.append(row)
        values[var] = self.tensor(called, var)
        self.steps.append(TensorView(tuple(rows), values[var], "join", {"axis": 0}))

    def _entry(self, name: str, turn: int, called: str) -> str:
        """Entry `turn` of a tensor's first axis."""
        shape = self.shapes[name]
        names = [f"{called}", f"{called}'"]
        for each, lengths in zip(names, ((1, *shape[1:]), shape[1:]), strict=True):
            self.shapes[each] = lengths
            self.itemsize[each] = self.itemsize[name]
        self.steps.append(TensorView((name,), names[0], *slice_of(len(shape), 0, turn, turn + 1)))
        self.steps.append(TensorView((names[0],), names[1], "reshape", {"shape": shape[1:]}))
        return names[1]

    def _call(self, inner: Any, arguments: Sequence[str | None], prefix: str) -> list[str | None]:
        """Read a function's body; return the names of its results."""
        jaxpr = getattr(inner, "jaxpr", inner)
        values = {
            var: name for var, name in zip(jaxpr.invars, arguments, strict=True) if name is not None
        }
        self.body(jaxpr, values, prefix)
        return _names(jaxpr.outvars, values)

    def _count(self, name: str) -> int:
        self.counts[name] = self.counts.get(name, -1) + 1
        return self.counts[name]


def _names(variables: Sequence[Any], values: dict[Any, str]) -> list[str | None]:
    return [None if _is_literal(var) else values.get(var) for var in variables]


def _bind(variables: Sequence[Any], names: Sequence[str | None], values: dict[Any, str]) -> None:
    pairs = zip(variables, names, strict=True)
    values.update({var: name for var, name in pairs if name is not None})


def _is_literal(var: Any) -> bool:
    return hasattr(var, "val")


def _shape(var: Any) -> tuple[int, ...]:
    lengths = tuple(getattr(var.aval, "shape", ()))
    if not all(isinstance(length, int) for length in lengths):
        raise ImportedGraphError(f"the shape {lengths} has a length without a value")
    return lengths


def _argument_names(jaxpr: Any) -> list[str]:
    """The names of the arguments, as the function has them where that is known."""
    names = getattr(getattr(jaxpr, "debug_info", None), "arg_names", None) or ()
    if len(names) != len(jaxpr.invars):
        return [f"in{place}" for place in range(len(jaxpr.invars))]
    return list(_told(names))


def _told(names: Sequence[Any]) -> Iterator[str]:
    return (str(name) if name else f"in{place}" for place, name in enumerate(names))
