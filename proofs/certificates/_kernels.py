"""Kernels that cut pieces out of a DAG."""

from dags._numba import kernel


@kernel
def cut_out(indptr, indices, vertices, local, out_indptr, out_indices):
    """Fill the predecessor CSR of the DAG that `vertices` (p,) span, numbered by their order.

    indptr (n+1,) and indices (m,) are the whole; local (n,) holds -1 before and after;
    out_indptr is (p+1,) zeros, out_indices has room for the rows of all of `vertices`.
    """
    for i in range(vertices.size):
        local[vertices[i]] = i
    edges = 0
    for i in range(vertices.size):
        v = vertices[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = local[indices[e]]
            if u >= 0:
                out_indices[edges] = u
                edges += 1
        out_indptr[i + 1] = edges
    for i in range(vertices.size):
        local[vertices[i]] = -1
