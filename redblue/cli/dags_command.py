"""``redblue dags``: the list of generators."""

from redblue.cli import console
from redblue.cli.options import Json


def dags(json: Json = False) -> None:
    """List the generators, their parameters, and an example of each."""
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
    if json:
        console.emit_json({"generators": entries})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("generator", "parameters", "example", "the DAG"):
        table.add_column(heading, no_wrap=heading in ("generator", "example"), overflow="fold")
    for entry in entries:
        table.add_row(*entry.values())
    console.emit_table(table)


def summary(doc: str) -> str:
    """Return the first sentence of a generator's docstring, without its verb."""
    sentence = " ".join(doc.split("\n\n")[0].split()).rstrip(".")
    return sentence.removeprefix("Return ")
