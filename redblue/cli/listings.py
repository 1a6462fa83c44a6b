"""``redblue dags`` and ``redblue machine list``: all there are."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.show.answer import Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from redblue.answers.hardware import Machine


def dags() -> Facts:
    """List the built-in computations: generators, loop nests, and those of a matrix in a file."""
    lists = generators(), programs(), matrices()
    record = {key: value for listing in lists for key, value in listing.record.items()}
    return Facts(record, tuple(part for listing in lists for part in listing.parts))


def generators() -> Facts:
    """The generators, their parameters, and an example of each."""
    from dags import EXAMPLES, GENERATORS
    from dags.spec import describe_parameters, offered, plugged

    known = dict(GENERATORS)
    for name in offered("generator"):
        function = plugged("generator", name)
        if function is not None:
            known.setdefault(name, function)
    entries = [
        {
            "name": name,
            "parameters": describe_parameters(generator),
            "example": EXAMPLES.get(name, ""),
            "about": summary(generator.__doc__ or ""),
        }
        for name, generator in sorted(known.items())
    ]
    columns = ("generator <- name", "parameters <- parameters", "example <- example")
    listed = table("dags", "", entries, *columns, "the DAG <- about")
    return Facts({"generators": entries}, (listed,))


def summary(doc: str) -> str:
    """The first sentence of a generator's docstring, without its verb."""
    sentence = " ".join(doc.split("\n\n")[0].split()).rstrip(".").removeprefix("Return ")
    article, space, noun = sentence.partition(" ")
    return f"{article.lower() if article in ('The', 'A', 'An') else article}{space}{noun}"


def programs() -> Facts:
    """The built-in loop nests, their sizes, and their results."""
    from dags.spec import leaves

    library = leaves.reader("programs", "library")

    entries = [
        {
            "name": f"polybench/{name}",
            "sizes": ", ".join(library.polybench(name).sizes),
            "results": ", ".join(kernel.live),
            "constants": ", ".join(kernel.constants),
            "about": kernel.about,
        }
        for name, kernel in sorted(library.KERNELS.items())
    ]
    unchanged = (f"{name} <- {name}" for name in ("sizes", "results", "constants"))
    listed = table("programs", "", entries, "program <- name", *unchanged, "computes <- about")
    return Facts({"programs": entries}, (listed,))


def matrices() -> Facts:
    """The computations with the sparse matrix in a file."""
    from dags.spec.matrices import COMPUTATIONS, OPTION

    entries = [
        {"name": f"{name}:{OPTION}=A.mtx", "about": summary(compute.__doc__ or "")}
        for name, compute in COMPUTATIONS.items()
    ]
    listed = table("matrices", "", entries, "matrix in a file <- name", "the DAG <- about")
    return Facts({"matrices": entries}, (listed,))


def machines(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Name of a machine; by default all.")
    ] = None,
) -> Facts:
    """List the machines of the catalogue: their numbers with units and sources."""
    from redblue.answers.hardware import MACHINES, machine_named

    chosen = MACHINES.values() if name is None else [machine_named(name)]
    rows: list[tuple[str, ...]] = []
    heads: list[tuple[int, int]] = []
    for machine in chosen:
        heads += [(len(rows), 0), (len(rows), 1)]
        rows.append((machine.name, machine.title, "", "", "", ""))
        for fact in facts(machine)["numbers"]:
            label, value = f"{fact['section']} {fact['name']}", f"{fact['value']:g}"
            rows.append(("", label, value, fact["unit"], fact["source"], fact["date"]))
    headings = ("machine", "number", "value", "unit", "source", "year")
    listed = table("machines", "", rows, *headings, bold=heads)
    return Facts({"machines": [facts(machine) for machine in chosen]}, (listed,))


def facts(machine: "Machine") -> dict[str, Any]:
    """The catalogue's facts on `machine`; base values in flop/s, byte/s, byte, hertz."""
    from redblue.answers.hardware.catalogue import SECTIONS

    clock = {} if machine.clock is None else {"": machine.clock}
    tables = {"clock": clock, **{section: getattr(machine, section) for section in SECTIONS}}
    machines = [
        {
            "section": section,
            "name": name,
            "value": number.value,
            "unit": number.unit,
            "base": number.base,
            "fed_by": number.fed_by,
            "source": number.source.title,
            "date": number.source.date,
        }
        for section, entries in tables.items()
        for name, number in entries.items()
    ]
    return {
        "name": machine.name,
        "title": machine.title,
        "word_bytes": machine.word_bytes,
        "numbers": machines,
    }
