"""Families of DAGs, a module a subject: generators, and facts about all their members.

Each module has its families in a table of its own, `FAMILIES`; a module that is put beside them is
found. The one table here is all of those: generators, examples, sizes of members that are not laid
out, laws, and the recognition of DAGs of any origin are read from it. `common` has what modules
share, and what is asked of a member of any family.
"""

from importlib import import_module
from pkgutil import iter_modules

from dags.families.common.family import Family

# A DAG that is of two families is called by the first: those of these modules, and all that are
# known by their sizes before those that are drawn.
FIRST = ("trees", "transforms", "products")


def _all() -> dict[str, Family]:
    """The families of all modules in the order in which names are preferred."""
    modules = [iter_module.name for iter_module in iter_modules(__path__) if not iter_module.ispkg]
    modules.sort(key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    tables = [import_module(f"{__name__}.{name}").FAMILIES for name in modules]
    rows = ((name, family) for table in tables for name, family in table.items())
    return dict(sorted(rows, key=lambda row: row[1].sizes is None))


FAMILIES: dict[str, Family] = _all()
