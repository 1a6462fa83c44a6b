"""Programs on matrices in NumPy's style, and arguments for each."""

# ruff: noqa: N803, N806  # names as NPBench has them

import numpy as np

RNG = np.random.default_rng(3)


def reals(*shape):
    return RNG.uniform(0.5, 1.5, shape)


def definite(n):
    half = reals(n, n)
    return half @ half.T + n * np.eye(n)


def k2mm(alpha, beta, A, B, C, D):
    D[:] = alpha * A @ B @ C + beta * D


def k3mm(A, B, C, D):
    return A @ B @ (C @ D)


def atax(A, x):
    return (A @ x) @ A


def bicg(A, p, r):
    return r @ A, A @ p


def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


def cholesky2(A):
    A[:] = np.linalg.cholesky(A) + np.triu(A, k=1)


def correlation(M, float_n, data):
    mean = np.mean(data, axis=0)
    stddev = np.std(data, axis=0)
    stddev[stddev <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(float_n) * stddev
    corr = np.eye(M, dtype=data.dtype, like=data)
    for i in range(M - 1):
        corr[i + 1 : M, i] = corr[i, i + 1 : M] = data[:, i] @ data[:, i + 1 : M]
    return corr


def covariance(M, float_n, data):
    data -= np.mean(data, axis=0)
    cov = np.zeros_like(data, shape=(M, M))
    for i in range(M):
        cov[i:M, i] = cov[i, i:M] = data[:, i] @ data[:, i:M] / (float_n - 1.0)
    return cov


def doitgen(NR, NQ, NP, A, C4):
    for r in range(NR):
        A[r, :, :] = np.reshape(np.reshape(A[r], (NQ, 1, NP)) @ C4, (NQ, NP))


def durbin(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def gemm(alpha, beta, C, A, B):
    C[:] = alpha * A @ B + beta * C


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ A + z
    w += alpha * A @ x


def gesummv(alpha, beta, A, B, x):
    return alpha * A @ x + beta * B @ x


def gramschmidt(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]), dtype=A.dtype, like=A)
    for k in range(A.shape[1]):
        nrm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


def ludcmp(A, b):
    x, y = np.zeros_like(b), np.zeros_like(b)
    lu(A)
    for i in range(A.shape[0]):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(A.shape[0] - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x, y


def mvt(x1, x2, y_1, y_2, A):
    x1 += A @ y_1
    x2 += y_2 @ A


def spmv(A_row, A_col, A_val, x):
    y = np.empty_like(A_val, shape=A_row.size - 1)
    for i in range(A_row.size - 1):
        cols = A_col[A_row[i] : A_row[i + 1]]
        y[i] = A_val[A_row[i] : A_row[i + 1]] @ x[cols]
    return y


def symm(alpha, beta, C, A, B):
    temp2 = np.empty_like(C, shape=(C.shape[1],))
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            temp2[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * temp2


def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k] + B[: i + 1, k] * alpha * A[i, k]


def syrk(alpha, beta, C, A):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


def trisolv(L, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha


def contour_integral(NR, NM, slab_per_bc, Ham, int_pts, Y):
    P0 = np.zeros((NR, NM), dtype=np.complex128, like=Ham)
    P1 = np.zeros((NR, NM), dtype=np.complex128, like=Ham)
    for z in int_pts:
        Tz = np.zeros((NR, NR), dtype=np.complex128, like=Ham)
        for n in range(slab_per_bc + 1):
            Tz += np.power(z, slab_per_bc / 2 - n) * Ham[n]
        X = np.linalg.solve(Tz, Y) if NR != NM else np.linalg.inv(Tz)
        if np.absolute(z) < 1.0:
            X = -X
        P0 += X
        P1 += z * X
    return P0, P1


def lstsq(A, b):
    Q, R = np.linalg.qr(A)
    return np.linalg.solve(R, Q.T @ b)


CONSTANT = {
    "contour_integral": ["int_pts"],
    "spmv": ["A_row", "A_col"],
}
ROWS = np.array([0, 2, 3, 3, 6])

PROGRAMS = {
    "atax": (atax, reals(5, 4), reals(4)),
    "bicg": (bicg, reals(5, 4), reals(4), reals(5)),
    "cholesky": (cholesky, definite(6)),
    "cholesky2": (cholesky2, definite(6)),
    "contour_integral": (
        contour_integral,
        *(4, 2, 2),
        reals(3, 4, 4) + 1j * reals(3, 4, 4),
        np.array([0.5 + 0.2j, 1.5 - 0.3j]),
        reals(4, 2) + 1j * reals(4, 2),
    ),
    "correlation": (correlation, 4, 6.0, reals(6, 4)),
    "covariance": (covariance, 4, np.float64(6), reals(6, 4)),
    "doitgen": (doitgen, 2, 3, 4, reals(2, 3, 4), reals(4, 4)),
    "durbin": (durbin, 0.1 * reals(6)),
    "gemm": (gemm, 1.5, np.float64(1.2), (4, 5), (4, 3), (3, 5)),
    "gemver": (gemver, 1.5, 1.2, (4, 4), *[(4,)] * 8),
    "gesummv": (gesummv, (), (), (4, 4), (4, 4), (4,)),
    "gramschmidt": (gramschmidt, reals(6, 4)),
    "k2mm": (k2mm, 1.5, 1.2, (3, 4), (4, 5), (5, 2), (3, 2)),
    "k3mm": (k3mm, (3, 4), (4, 5), (5, 2), (2, 3)),
    "lstsq": (lstsq, definite(6)[:, :4], reals(6)),
    "lu": (lu, definite(6)),
    "ludcmp": (ludcmp, definite(6), reals(6)),
    "mvt": (mvt, (4,), (4,), (4,), (4,), (4, 4)),
    "spmv": (spmv, ROWS, np.array([0, 3, 2, 1, 0, 3]), reals(6), reals(4)),
    "symm": (symm, 1.5, 1.2, (4, 5), (4, 4), (4, 5)),
    "syr2k": (syr2k, 1.5, 1.2, (5, 5), (5, 3), (5, 3)),
    "syrk": (syrk, 1.5, 1.2, (5, 5), (5, 3)),
    "trisolv": (trisolv, definite(5), reals(5), reals(5)),
    "trmm": (trmm, 1.5, (4, 4), (4, 5)),
}
