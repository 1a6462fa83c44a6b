"""Programs on networks, signals and particles in NumPy's style, and arguments for each."""

# ruff: noqa: N803, N806  # names as NPBench has them

import numpy as np

RNG = np.random.default_rng(4)


def reals(*shape):
    return RNG.uniform(0.5, 1.5, shape)


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))


def azimint_naive(data, radius, npt):
    rmax = radius.max()
    res = np.zeros_like(data, shape=npt)
    for i in range(npt):
        inside = np.logical_and(rmax * i / npt <= radius, radius < rmax * (i + 1) / npt)
        res[i] = data[inside].mean()
    return res


def azimint_hist(data, radius, npt):
    histu = np.histogram(radius, npt)[0]
    return np.histogram(radius, npt, weights=data)[0] / histu


def compute(array_1, array_2, a, b, c):
    return np.clip(array_1, 2, 10) * a + array_2 * b + c


def clipping(low, high, array):
    np.clip(array, low, high, out=array)


def conv2d(input, weights):
    K, C_out = weights.shape[0], weights.shape[3]
    N, H, W = input.shape[0], input.shape[1] - K + 1, input.shape[2] - K + 1
    output = np.empty_like(input, shape=(N, H, W, C_out))
    for i in range(H):
        for j in range(W):
            output[:, i, j, :] = np.sum(
                input[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis], axis=(1, 2, 3)
            )
    return output


def conv2d_bias(input, weights, bias):
    return conv2d(input, weights) + bias


def maxpool2d(x):
    output = np.empty_like(x, shape=[x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]])
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2], axis=(1, 2))
    return output


def relu(x):
    return np.maximum(x, 0)


def lenet(input, conv1, bias, fc1w, fc1b):
    x = maxpool2d(relu(conv2d(input, conv1) + bias))
    return relu(np.reshape(x, (x.shape[0], -1)) @ fc1w + fc1b)


def batchnorm2d(x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(np.std(x, axis=0, keepdims=True) + eps)


def resnet(input, conv1, conv2):
    padded = np.zeros_like(
        input, shape=(input.shape[0], input.shape[1] + 2, input.shape[2] + 2, conv1.shape[3])
    )
    padded[:, 1:-1, 1:-1, :] = relu(batchnorm2d(conv2d(input, conv1)))
    return relu(batchnorm2d(conv2d(padded, conv2)) + input)


def mlp(input, w1, b1, w2, b2):
    return softmax(relu(input @ w1 + b1) @ w2 + b2)


def softmax(x):
    tmp_out = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return tmp_out / np.sum(tmp_out, axis=-1, keepdims=True)


def crc16(data, poly=0x8408):
    crc = 0xFFFF
    for b in data:
        cur_byte = 0xFF & b
        for _ in range(8):
            crc = (crc >> 1) ^ poly if (crc & 1) ^ (cur_byte & 1) else crc >> 1
            cur_byte >>= 1
    return crc


def crc16_selected(data, poly=0x8408):
    crc = np.zeros_like(data[0]) + 0xFFFF
    for b in data:
        for bit in range(8):
            odd = ((crc ^ (b >> bit)) & 1) != 0
            crc = np.where(odd, (crc >> 1) ^ poly, crc >> 1)
    return crc


def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def mandelbrot1(maxiter, C, horizon=2.0):
    Z, N = np.zeros_like(C), np.zeros_like(C, dtype=int)
    for n in range(maxiter):
        inside = np.less(abs(Z), horizon)
        N[inside] = n
        Z[inside] = Z[inside] ** 2 + C[inside]
    return Z, N


def mandelbrot2(maxiter, C):
    Z, N = np.zeros_like(C), np.zeros_like(C, dtype=np.int64)
    for n in range(maxiter):
        inside = np.abs(Z) < 2.0
        N[inside] = n
        Z = np.where(inside, Z**2 + C, Z)
    return Z, N


def nbody(mass, pos, vel, steps, dt, G, softening):
    for _ in range(steps):
        x, y = pos[:, 0:1], pos[:, 1:2]
        dx, dy = x.T - x, y.T - y
        inv_r3 = (dx**2 + dy**2 + softening**2) ** (-1.5)
        acc = np.hstack((G * (dx * inv_r3) @ mass, G * (dy * inv_r3) @ mass))
        vel += acc * dt / 2.0
        pos += vel * dt
        vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    kinetic = 0.5 * np.sum(np.sum(mass * vel**2))
    potential = G * np.sum(np.sum(np.triu(-(mass * mass.T) / np.sqrt(dx**2 + dy**2 + 1), 1)))
    return kinetic, potential


def nussinov(N, seq):
    table = np.zeros((N, N), np.int32)
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            table[i, j] = max(table[i, j - 1], table[i + 1, j] + seq[i])
    return table


def nussinov_selected(N, seq):
    table = np.zeros_like(seq, shape=(N, N))
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            match = np.where(seq[i] + seq[j] == 3, 1, 0)
            table[i, j] = np.maximum(table[i, j - 1], table[i + 1, j] if i + 1 < N else 0)
            table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1] + match)
    return table


def stockham_fft(N, R, K, x, y):
    i_coord, j_coord = np.mgrid[0:R, 0:R]
    dft_mat = np.exp(-2.0j * np.pi * i_coord * j_coord / R)
    y[:] = x[:]
    ii, jj = np.mgrid[0:R, 0 : R**K]
    for i in range(K):
        yv = np.reshape(y, (R**i, R, R ** (K - i - 1)))
        perm = np.transpose(yv, axes=(1, 0, 2))
        folder = np.exp(-2.0j * np.pi * ii[:, : R**i] * jj[:, : R**i] / R ** (i + 1))
        D = np.repeat(np.reshape(folder, (R, R**i, 1)), R ** (K - i - 1), axis=2)
        twid = np.reshape(perm, (N,)) * np.reshape(D, (N,))
        y[:] = np.reshape(dft_mat @ np.reshape(twid, (R, R ** (K - 1))), (N,))


PROGRAMS = {
    "arc_distance": (arc_distance, 0.3 * reals(5), reals(5), 0.3 * reals(5), reals(5)),
    "clipping": (clipping, 0.8, 1.2, (4, 5)),
    "compute": (compute, np.arange(12).reshape(3, 4), np.ones((3, 4), int), 4, 3, 9),
    "conv2d": (conv2d, (2, 5, 5, 2), (2, 2, 2, 3)),
    "conv2d_bias": (conv2d_bias, reals(2, 5, 5, 2).astype(np.float32), (2, 2, 2, 3), (3,)),
    "crc16_selected": (crc16_selected, np.array([17, 200, 3])),
    "floyd_warshall": (floyd_warshall, RNG.integers(1, 50, (5, 5), np.int32)),
    "go_fast": (go_fast, (5, 5)),
    "lenet": (lenet, (2, 5, 5, 1), (2, 2, 1, 3), (3,), (12, 4), (4,)),
    "mandelbrot2": (mandelbrot2, 3, reals(3, 3) - 1.5 + 1j * reals(3, 3)),
    "maxpool2d": (maxpool2d, reals(2, 4, 6, 3)),
    "mlp": (mlp, (3, 4), (4, 5), (5,), (5, 2), (2,)),
    "nbody": (nbody, reals(4, 1), reals(4, 2), reals(4, 2), 2, 0.01, 1.0, 0.1),
    "nussinov_selected": (nussinov_selected, 5, np.array([0, 3, 1, 2, 0])),
    "resnet": (resnet, (2, 4, 4, 3), (1, 1, 3, 2), (3, 3, 2, 3)),
    "softmax": (softmax, reals(2, 3, 4).astype(np.float32)),
    "stockham_fft": (stockham_fft, 8, 2, 3, reals(8) + 1j * reals(8), np.zeros(8, complex)),
}
REFUSED = {
    "azimint_hist": ((azimint_hist, (20,), (20,), 4), "numpy.histogram is not traced"),
    "azimint_naive": ((azimint_naive, (20,), (20,), 4), "an index is a traced value"),
    "crc16": ((crc16, np.array([17, 200, 3])), "asked for by if"),
    "mandelbrot1": ((mandelbrot1, 3, reals(3, 3) + 1j), "an index is a traced value"),
    "nussinov": ((nussinov, 5, np.array([0, 3, 1, 2, 0])), "asked for by if"),
}
