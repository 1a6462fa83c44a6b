"""Laws: formulas for all sizes.

- Those that the literature states for families, and leading terms, are no proofs, and stand in the
  file of each family in `dags/families`.
- `programs` proves laws of loop nests without sizes: by `exponents`, `tiles`, `polynomials`, and
  counts of `symbolic`; `small_sizes` from which sizes on. `program_law` is the result.
- `closed_forms` bound members of families by formulas, `problems` any algorithm for a problem.
- `leading_terms` and `nest_terms` are what bounds come to at large sizes.
"""

from dags import CDAG
from dags.families import FAMILIES
from dags.families.common.published import (
    CONSTANT,
    LOGARITHM,
    SQUARE_ROOT,
    InvalidLawError,
    Law,
    Params,
    Trend,
)

TRENDS: dict[str, tuple[Trend, ...]] = {
    name: family.trends for name, family in sorted(FAMILIES.items()) if family.trends
}


def published_law(dag: CDAG) -> Law | None:
    """The law that the literature states for the family of `dag`, for large sizes.

    None where it states none or the DAG has no family, and for a triangular solve with a few
    right-hand sides, which is neither large in that nor alone.

    Source
    ------
    Kung, 1986, sections 3.1 to 3.6; the others follow from these DAGs in the same way:
    transposition sort is a grid of two dimensions, a sparse product reads each entry once, the
    steps of the Dirac operator are those of a relaxation.

    Examples
    --------
    >>> from dags import stencil
    >>> published_law(stencil((8, 8), 4)).name
    'M^(1/2)'
    """
    known = dag.as_generated
    return law_of(known.family or "", known.params)


def law_of(family: str, params: Params) -> Law | None:
    """The published law of a family's members, as `published_law` does.

    Parameters
    ----------
    family, params
        A generator's name, and all of its parameters.
    """
    law = FAMILIES[family].law if family in FAMILIES else None
    return law(params) if callable(law) else law


__all__ = [
    "CONSTANT",
    "LOGARITHM",
    "SQUARE_ROOT",
    "TRENDS",
    "InvalidLawError",
    "Law",
    "Trend",
    "law_of",
    "published_law",
]
