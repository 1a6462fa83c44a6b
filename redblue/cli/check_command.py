"""``redblue check``: the verdict on a certificate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redblue.cli.computation import loaded
from redblue.cli.options import Spec, Tile, Words, tiled
from redblue.cli.watch import Watch
from redblue.show.answer import Facts

if TYPE_CHECKING:
    from dags import CDAG
    from dags.programs.box_nests import BoxNest
    from proofs import Bound

GIVEN_UP = typer.Option(
    min=0.01, metavar="S", help="Seconds after which it is given up (exit code 3)."
)


def check(
    spec: Spec,
    certificate: Annotated[Path, "CERTIFICATE"],
    tile: Tile = None,
    words: Words = None,
    time_limit: Annotated[float, GIVEN_UP] = 60.0,  # a file may ask for a search that takes hours
) -> Facts:
    """Verify a lower bound, with code that knows no method; exit code 4 if it does not hold.

    Parameters
    ----------
    certificate
        What `redblue bound` or `redblue solve` wrote.
    """
    from dags import member
    from dags.errors import one_line
    from dags.importers.spec import is_imported
    from dags.programs.members import nest_of
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
        graph: CDAG | BoxNest | None = None
        if (is_program(spec) or is_imported(spec)) and is_of_nest(certificate):
            graph = nest_of(member(spec))
        if graph is None:
            graph = loaded(spec, recognise=False, words=words)
        bound = load_bound(certificate, graph)
        watch.stage = f"verifying {one_line(str(certificate))}"
        verify(graph, bound.memory, bound)
        return bound

    try:
        bound = watch.must(work, "a longer --time-limit may tell whether it holds")
    except CertificateError as error:
        problem = {"field": error.field, "message": error.message}
        return Facts({**verdict, "valid": False, "error": problem}, (f"not proved: {error}",), 4)
    lemmas = named(theorems_of(bound.certificate))
    facts = {"method": bound.method, "memory": bound.memory, "rules": bound.rules.name}
    facts |= {"io": bound.io, "optimal": is_optimum(bound), "lemmas": lemmas}
    told = (
        f"proved: with {bound.memory:,} words of fast memory, every {bound.rules.name} play "
        f"moves at least {bound.io:,} words ({bound.method})"
        + ("; optimal: the certificate holds a play that moves no more" * is_optimum(bound))
        + f"; it rests on {', '.join(each.partition(' ')[0] for each in lemmas)} (docs/theory)"
    )
    return Facts({**verdict, "valid": True, **facts}, (told,))
