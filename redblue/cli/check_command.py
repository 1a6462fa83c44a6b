"""``redblue check``: the verdict on a certificate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from redblue.cli.watch import Watch

if TYPE_CHECKING:
    from dags import CDAG
    from dags.programs.box_nests import BoxNest
    from proofs import Bound

SECONDS = 60.0  # a file may ask for a search that takes hours


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
    time_limit: Annotated[
        float,
        typer.Option(
            min=0.01, metavar="S", help="Seconds after which it is given up (exit code 3)."
        ),
    ] = SECONDS,
    json: Json = False,
) -> None:
    """Verify a lower bound, with code that knows no method; exit code 4 if it does not hold."""
    from dags.errors import one_line
    from dags.programs.members import nest_member
    from dags.programs.spec import is_program
    from proofs import CertificateError, is_of_nest, is_optimum, load_bound
    from proofs import check as verify
    from proofs.certificates import theorems_of
    from proofs.lemmas.theorems import named

    spec = tiled(spec, tile)
    watch = Watch(time_limit)
    verdict = {"spec": spec, "certificate": str(certificate)}

    def work() -> "Bound":
        watch.stage = f"loading {one_line(spec)}"
        of_nest = is_program(spec) and is_of_nest(certificate)
        if of_nest:
            graph: CDAG | BoxNest = nest_member(spec).nest
        else:
            graph = loaded(spec, recognise=False, words=sizes)
        bound = load_bound(certificate, graph)
        watch.stage = f"verifying {one_line(str(certificate))}"
        verify(graph, bound.memory, bound)
        return bound

    try:
        bound = watch.must(work, "a longer --time-limit may tell whether it holds")
    except CertificateError as error:
        if json:
            problem = {"field": error.field, "message": error.message}
            console.emit_json({**verdict, "valid": False, "error": problem})
        else:
            console.emit_text(f"not proved: {error}")
        raise typer.Exit(4) from None
    lemmas = named(theorems_of(bound.certificate))
    if json:
        facts = {"method": bound.method, "memory": bound.memory, "rules": bound.rules.name}
        facts |= {"io": bound.io, "optimal": is_optimum(bound), "lemmas": lemmas}
        console.emit_json({**verdict, "valid": True, **facts})
        return
    console.emit_text(
        f"proved: with {bound.memory:,} words of fast memory, every {bound.rules.name} play "
        f"moves at least {bound.io:,} words ({bound.method})"
        + ("; optimal: the certificate holds a play that moves no more" * is_optimum(bound))
        + f"; it rests on {', '.join(each.partition(' ')[0] for each in lemmas)} (docs/theory)"
    )
