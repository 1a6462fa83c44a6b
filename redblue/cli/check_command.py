"""``redblue check``: the verdict on a certificate."""

from pathlib import Path
from typing import Annotated

import typer

from redblue.cli import console
from redblue.cli.loading import loaded
from redblue.cli.options import (
    Json,
    Spec,
    Tile,
    Words,
    tiled,
)


def check(
    spec: Spec,
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="What `redblue bound` or `redblue solve` wrote."
        ),
    ],
    tile: Tile = None,
    sizes: Words = None,
    json: Json = False,
) -> None:
    """Verify a lower bound, with code that knows no method; exit code 4 if it does not hold."""
    from proofs import CertificateError, is_optimum, load_bound
    from proofs import check as verify

    spec = tiled(spec, tile)
    graph = loaded(spec, recognise=False, words=sizes)
    verdict = {"spec": spec, "certificate": str(certificate)}
    try:
        bound = load_bound(certificate, graph)
        verify(graph, bound.memory, bound)
    except CertificateError as error:
        if json:
            problem = {"field": error.field, "message": error.message}
            console.emit_json({**verdict, "valid": False, "error": problem})
        else:
            console.emit_text(f"not proved: {error}")
        raise typer.Exit(4) from None
    if json:
        facts = {"method": bound.method, "memory": bound.memory, "rules": bound.rules.name}
        facts |= {"io": bound.io, "optimal": is_optimum(bound)}
        console.emit_json({**verdict, "valid": True, **facts})
        return
    console.emit_text(
        f"proved: with {bound.memory:,} words of fast memory, every {bound.rules.name} play "
        f"moves at least {bound.io:,} words ({bound.method})"
        + ("; optimal: the certificate holds a play that moves no more" * is_optimum(bound))
    )
