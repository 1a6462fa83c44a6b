"""The canonical form of loop nests: one computation is one nest, however its text is written.

Each step is a map between programs whose DAGs are the same up to names (`docs/theory`): `rows`
gives flat arrays their rows again.
"""

from dags.programs.canonical.form import Canonical, canonical

__all__ = ["Canonical", "canonical"]
