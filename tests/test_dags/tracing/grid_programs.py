"""Programs on grids in NumPy's style, and arguments for each."""

# ruff: noqa: N803, N806  # names as NPBench has them

import numpy as np

RNG = np.random.default_rng(4)


def reals(*shape):
    return RNG.uniform(0.5, 1.5, shape)


def adi(TSTEPS, N, u):
    v, p, q = np.empty_like(u), np.empty_like(u), np.empty_like(u)
    a, b, c = -0.3, 1.6, -0.3
    for _ in range(TSTEPS):
        for current, present in ((u, v), (v.T, u.T)):
            present[0, 1:-1] = present[-1, 1:-1] = 1.0
            p[1:-1, 0], q[1:-1, 0] = 0.0, present[0, 1:-1]
            for j in range(1, N - 1):
                p[1:-1, j] = -c / (a * p[1:-1, j - 1] + b)
                q[1:-1, j] = (current[j, 1:-1] - a * q[1:-1, j - 1]) / (a * p[1:-1, j - 1] + b)
            for j in range(N - 2, 0, -1):
                present[j, 1:-1] = p[1:-1, j] * present[j + 1, 1:-1] + q[1:-1, j]


def cavity_flow(nt, u, v, p, dt, dx, dy, rho):
    b = np.zeros_like(u)
    for _ in range(nt):
        un, pn = u.copy(), p.copy()
        b[1:-1, 1:-1] = (
            rho
            / dt
            * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy))
            - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)) ** 2
        )
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - b[1:-1, 1:-1]
        p[:, -1], p[0, :], p[-1, :] = p[:, -2], p[1, :], 0
        u[1:-1, 1:-1] = un[1:-1, 1:-1] - dt * (p[1:-1, 2:] - p[1:-1, :-2]) / (2 * rho * dx)
        u[0, :], u[-1, :] = 0, 1


def channel_flow(u, v):
    udiff, steps = 1, 0
    while udiff > 0.001:
        un = u.copy()
        u[1:-1, 1:-1] = (un[1:-1, 2:] + un[1:-1, :-2]) / 2 - v[1:-1, 1:-1]
        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
        steps += 1
    return steps


def deriche(alpha, imgIn):
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + alpha * np.exp(-alpha) - np.exp(2.0 * alpha))
    y1 = np.empty_like(imgIn)
    y1[:, 0] = k * imgIn[:, 0]
    y1[:, 1] = k * imgIn[:, 1] + 0.2 * imgIn[:, 0] + 0.4 * y1[:, 0]
    for j in range(2, imgIn.shape[1]):
        y1[:, j] = k * imgIn[:, j] + 0.2 * imgIn[:, j - 1] + 0.4 * y1[:, j - 1] - y1[:, j - 2] / 2
    return y1 + y1[:, ::-1]


def fdtd_2d(TMAX, ex, ey, hz, _fict_):
    for t in range(TMAX):
        ey[0, :] = _fict_[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def hdiff(in_field, coeff):
    lap = 4.0 * in_field[1:-1, 1:-1] - (
        in_field[2:, 1:-1] + in_field[:-2, 1:-1] + in_field[1:-1, 2:] + in_field[1:-1, :-2]
    )
    res = lap[1:, 1:-1] - lap[:-1, 1:-1]
    flx = np.where((res * (in_field[2:-1, 2:-2] - in_field[1:-2, 2:-2])) > 0, 0, res)
    return in_field[2:-2, 2:-2] - coeff * (flx[1:] - flx[:-1])


def heat_3d(TSTEPS, A, B):
    for _ in range(1, TSTEPS):
        for X, Y in ((A, B), (B, A)):
            mid = X[1:-1, 1:-1, 1:-1]
            Y[1:-1, 1:-1, 1:-1] = (
                0.125 * (X[2:, 1:-1, 1:-1] - 2.0 * mid + X[:-2, 1:-1, 1:-1])
                + 0.125 * (X[1:-1, 2:, 1:-1] - 2.0 * mid + X[1:-1, :-2, 1:-1])
                + mid
            )


def jacobi_1d(TSTEPS, A, B):
    for _ in range(1, TSTEPS):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


def jacobi_2d(TSTEPS, A, B):
    for _ in range(1, TSTEPS):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1])


def seidel_2d(TSTEPS, N, A):
    for _ in range(TSTEPS):
        for i in range(1, N - 1):
            A[i, 1:-1] += A[i - 1, :-2] + A[i - 1, 1:-1] + A[i - 1, 2:] + A[i, 2:] + A[i + 1, 1:-1]
            for j in range(1, N - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0


def scattering_self_energies(neigh_idx, dH, G, D, Sigma):
    for k in range(G.shape[0]):
        for E in range(G.shape[1]):
            for w in range(D.shape[1]):
                for i in range(D.shape[-1]):
                    for a in range(neigh_idx.shape[0]):
                        for b in range(neigh_idx.shape[1]):
                            if E - w >= 0:
                                left = G[k, E - w, neigh_idx[a, b]] @ dH[a, b, i]
                                Sigma[k, E, a] += left @ (dH[a, b, i] * D[k, w, a, b, i])


def vadv(utens, u_stage, wcon, dtr):
    ccol, dcol = np.ndarray(utens.shape), np.empty_like(utens)
    gcv = 0.25 * (wcon[1:] + wcon[:-1])
    ccol[0] = gcv[0] * 0.5
    return dcol + ccol


def vadv_like(utens, u_stage, wcon, dtr):
    ccol, dcol, data = np.empty_like(utens), np.empty_like(utens), np.empty_like(utens)
    for k in range(utens.shape[2]):
        gcv = 0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        before = ccol[:, :, k - 1] if k else 0.0
        divided = 1.0 / (dtr - gcv * 0.5 - before * gcv)
        ccol[:, :, k] = gcv * 0.5 * divided
        dcol[:, :, k] = (dtr * u_stage[:, :, k] + utens[:, :, k]) * divided
    data[..., -1] = dcol[..., -1]
    for k in range(utens.shape[2] - 2, -1, -1):
        data[:, :, k] = dcol[:, :, k] - ccol[:, :, k] * data[:, :, k + 1]
    return dtr * data


NEIGHBOURS = np.array([[1, 2], [0, 2], [0, 1]])
CONSTANT = {"scattering_self_energies": ["neigh_idx"]}

PROGRAMS = {
    "adi": (adi, 2, 6, (6, 6)),
    "cavity_flow": (cavity_flow, 2, (5, 5), (5, 5), (5, 5), 0.1, 0.5, 0.5, 1.0),
    "deriche": (deriche, 0.25, (4, 6)),
    "fdtd_2d": (fdtd_2d, 2, (5, 5), (5, 5), (5, 5), (2,)),
    "hdiff": (hdiff, (8, 8, 2), (4, 4, 2)),
    "heat_3d": (heat_3d, 2, (5, 5, 5), (5, 5, 5)),
    "jacobi_1d": (jacobi_1d, 3, (8,), (8,)),
    "jacobi_2d": (jacobi_2d, 2, (6, 6), (6, 6)),
    "scattering_self_energies": (
        scattering_self_energies,
        NEIGHBOURS,
        reals(3, 2, 2, 2, 2) + 1j,
        reals(1, 3, 3, 2, 2) - 1j,
        reals(1, 2, 3, 2, 2) + 0.5j,
        np.zeros((1, 3, 3, 2, 2), complex),
    ),
    "seidel_2d": (seidel_2d, 2, 5, (5, 5)),
    "vadv_like": (vadv_like, (3, 3, 4), (3, 3, 4), (4, 3, 4), 3.0),
}
REFUSED = {
    "channel_flow": ((channel_flow, (4, 4), (4, 4)), "asked for by if"),
    "vadv": ((vadv, (3, 3), (3, 3), (4, 3), 3.0), "plain NumPy array"),
}
