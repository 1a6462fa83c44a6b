"""Sums of which an assignment reads its own last values, as those of a factorization: in place.

In `A[i][j] -= A[i][k] * A[k][j]` every instance makes a value; those of one entry are a chain, and
others read the last alone. A play may take the entry for one item whose value changes.
"""

from dataclasses import replace

from dags.programs.box_nests import Access, BoxNest


def in_place(nest: BoxNest) -> BoxNest:
    """A nest with entries as items where values of an assignment are chains of sums.

    Parameters
    ----------
    nest
        The nest; what it reads, and when, stays as it is.
    """
    chains = {each.name: each.chain for each in nest.assignments if each.chain is not None}
    if not chains:
        return nest

    def placed(access: Access) -> Access:
        return _within(chains[access.array], access) if access.array in chains else access

    assignments = []
    for each in nest.assignments:
        item = chains.get(each.name, each.item)
        reads = tuple(one for one in map(placed, each.reads) if not _is_same(one, item))
        outputs = None if each.outputs is None else placed(each.outputs)
        sums = each.sums or each.name in chains
        assignments.append(
            replace(each, item=item, reads=reads, outputs=outputs, sums=sums, chain=None)
        )
    return replace(nest, assignments=tuple(assignments))


def _within(chain: Access, access: Access) -> Access:
    """An access to values of an assignment as one to its items."""
    rows = tuple(
        tuple(
            sum(by * inner[at] for by, inner in zip(row, access.rows, strict=True))
            for at in range(len(access.box))
        )
        for row in chain.rows
    )
    offset = tuple(
        more + sum(by * inner for by, inner in zip(row, access.offset, strict=True))
        for row, more in zip(chain.rows, chain.offset, strict=True)
    )
    return replace(access, rows=rows, offset=offset)


def _is_same(one: Access, item: Access) -> bool:
    return (one.array, one.rows, one.offset) == (item.array, item.rows, item.offset)
