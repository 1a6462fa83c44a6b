"""Programs in NumPy's style whose arrays are np.zeros, np.empty and np.ndarray, unchanged."""

# ruff: noqa: N803, N806  # names as NPBench has them

import numpy as np

from tests.test_dags.tracing.matrix_programs import definite, reals


def conv2d(input, weights):
    K, C_out = weights.shape[0], weights.shape[3]
    N, H, W = input.shape[0], input.shape[1] - K + 1, input.shape[2] - K + 1
    output = np.empty((N, H, W, C_out), dtype=np.float32)
    for i in range(H):
        for j in range(W):
            output[:, i, j, :] = np.sum(
                input[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis], axis=(1, 2, 3)
            )
    return output


def maxpool2d(x):
    output = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return output


def gramschmidt(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]), dtype=A.dtype)
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def covariance(M, float_n, data):
    mean = np.mean(data, axis=0)
    data -= mean
    cov = np.zeros((M, M), dtype=data.dtype)
    for i in range(M):
        cov[i:, i] = data[:, i] @ data[:, i:] / (float_n - 1.0)
        cov[i, i:] = cov[i:, i]
    return cov


def ludcmp(A, b):
    x, y = np.zeros(len(b)), np.zeros(len(b))
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]
    for i in range(A.shape[0]):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(A.shape[0] - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x, y


def particle_energies(pos, vel, mass, G):
    KE = 0.5 * np.sum(np.reshape(mass, (mass.shape[0], 1)) * vel**2)
    x = pos[:, 0:1]
    inverse = np.sqrt((x.T - x) ** 2 + 1.0)
    folder = G * np.triu(-(mass * mass.T) / inverse, 1)
    energies = np.ndarray(2, dtype=np.float64)
    energies[0], energies[1] = KE, np.sum(folder)
    return energies


def thomas(lower, main, upper, b):
    n = len(main)
    c, d, x = np.empty(n), np.empty(n), np.empty(n)
    c[0], d[0] = upper[0] / main[0], b[0] / main[0]
    for i in range(1, n):
        pivot = main[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / pivot
        d[i] = (b[i] - lower[i] * d[i - 1]) / pivot
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return x


PROGRAMS = {
    "conv2d_empty": (conv2d, reals(1, 4, 4, 2).astype(np.float32), (2, 2, 2, 3)),
    "covariance_zeros": (covariance, 3, 4.0, (4, 3)),
    "energies_ndarray": (particle_energies, (4, 3), (4, 3), (4, 1), 1.0),
    "gramschmidt_zeros": (gramschmidt, reals(4, 3)),
    "ludcmp_zeros": (ludcmp, definite(4), (4,)),
    "maxpool2d_empty": (maxpool2d, reals(1, 4, 4, 2)),
    "thomas_empty": (thomas, (5,), 3.0 + reals(5), (5,), (5,)),
}
