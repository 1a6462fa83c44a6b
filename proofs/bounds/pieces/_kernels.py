"""Kernels that take a DAG apart."""

from dags._numba import inner_kernel, kernel


@kernel
def connected_parts(indptr, indices, kind, label):
    """Fill label (n,) with the part that each vertex belongs to, and return how many there are.

    Vertices are in one part if a way of edges between vertices of the same `kind` (n,) leads from
    one to the other. Parts are numbered from 0, in the order of their first vertices. indptr
    (n+1,), indices: predecessor CSR.
    """
    n = indptr.size - 1
    for v in range(n):
        label[v] = v  # the first vertex that is known of its part
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if kind[u] != kind[v]:
                continue
            a, b = first_of(label, u), first_of(label, v)
            label[max(a, b)] = min(a, b)
    parts = 0
    for v in range(n):
        if label[v] == v:
            label[v] = parts
            parts += 1
        else:
            label[v] = label[label[v]]
    return parts


@inner_kernel
def first_of(label, v):
    """Return the vertex at the end of the chain that begins at v, and shorten the chain."""
    while label[v] != v:
        label[v] = label[label[v]]
        v = label[v]
    return v
