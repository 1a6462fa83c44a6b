"""Values that traces carry against NumPy's, function by function."""

import numpy as np
import pytest

from dags.tracing import trace

RNG = np.random.default_rng(1)
SQUARE = RNG.random((6, 6))
DEFINITE = SQUARE @ SQUARE.T + 6 * np.eye(6)
INTEGERS = np.arange(1, 7)
COMPLEX = SQUARE + 1j * SQUARE.T


def over(*functions):
    return lambda *arrays: tuple(f(*arrays) for f in functions)


MOVED = over(
    *(np.transpose, np.ravel, np.flip, np.tril, np.diag, np.rot90, np.fliplr, np.flipud),
    *(np.atleast_3d, np.copy, np.squeeze, np.diagflat, np.fft.fftshift, np.matrix_transpose),
    lambda x: np.pad(x, 1),
    lambda x: np.pad(x, ((1, 2), (0, 0)), mode="edge"),
    lambda x: np.pad(x, 1, mode="wrap"),
    lambda x: np.pad(x, 1, constant_values=3),
    lambda x: np.repeat(x, 2, axis=1),
    lambda x: np.tile(x, (2, 1)),
    lambda x: np.triu(x, 1),
    lambda x: np.diag(x[0]),
    lambda x: np.vstack((x, x)),
    lambda x: np.hstack([x[0], 3.0]),
    lambda x: np.dstack([x, x]),
    lambda x: np.split(x, 2, axis=1),
    lambda x: np.array_split(x, 2),
    lambda x: np.expand_dims(x, 0),
    lambda x: np.block([[x, x], [x, np.ones((3, 4))]]),
    lambda x: np.column_stack([x, x[:, 0]]),
    lambda x: np.append(x, x, axis=0),
    lambda x: np.append(x, 1.0),
    lambda x: np.moveaxis(x, 0, 1),
    lambda x: np.broadcast_to(x, (2, 3, 4)),
    lambda x: np.take(x, [0, 1], axis=1),
    lambda x: np.take_along_axis(x, np.array([[0], [1], [2]]), axis=1),
    lambda x: np.delete(x, 1, axis=0),
    lambda x: np.meshgrid(x[0], x[:, 0]),
    lambda x: np.broadcast_arrays(x, x[0]),
    lambda x: np.rollaxis(x, 1),
    lambda x: x.swapaxes(0, 1),
    lambda x: x.T.flatten(),
    lambda x: x.reshape(2, -1),
    lambda x: x.reshape((2, 6), order="F"),
    lambda x: x.transpose(1, 0),
    lambda x: x[None, ..., 1:3],
    lambda x: x.astype(np.float32),
    lambda x: np.array([x[0], x[1]], like=x),
    lambda x: np.full_like(x, x[0, 0]),
    lambda x: x.item(3 // 2, 2),
)


def moved(x):
    """Each movement, and an operation on what it gives, so that there is a vertex."""
    return [
        [entry * 2 for entry in part] if isinstance(part, list | tuple) else part * 2
        for part in MOVED(x)
    ]


CASES = {
    "arithmetic": (lambda a, b: a + b * 2 - 1 / a, (3, 4), (4,)),
    "reductions": (
        over(
            *(np.sum, np.mean, np.max, np.min, np.prod, np.std, np.var, np.ptp),
            lambda a: a.sum(0),
            lambda a: a.mean(axis=1, keepdims=True),
            lambda a: np.max(a, axis=(0, 2)),
            lambda a: a.var(axis=1, ddof=1),
            lambda a: a.sum(axis=-1, initial=3.0),
            lambda a: np.max(a, axis=0, initial=1.0),
            lambda a: np.any(a > 1, axis=0),
            lambda a: np.all(a > 0.2, axis=1),
            lambda a: (a > 1).sum(),
            lambda a: a[:0].sum() + a[0, 0, 0],
            lambda a: np.average(a, axis=0, weights=np.array([1.0, 2.0, 3.0])),
            lambda a: np.average(a, weights=a),
            lambda a: np.add.reduce(a),
            lambda a: np.logical_xor.reduce(a > 1),
        ),
        (3, 4, 2),
    ),
    "running": (
        over(
            np.cumsum,
            lambda a: np.cumsum(a, axis=0),
            lambda a: a.cumprod(axis=-1),
            lambda a: np.maximum.accumulate(a, axis=1),
            np.diff,
        ),
        (3, 4),
    ),
    "einsum": (
        over(
            lambda a, b, c: np.einsum("ij,jk", a, b),
            lambda a, b, c: np.einsum("ij,jk,kl->il", a, b, c),
            lambda a, b, c: np.einsum("ij,jk,kl->li", a, b, c, optimize=True),
            lambda a, b, c: np.einsum("...i,i...->...", a, b),
            lambda a, b, c: np.einsum("ii", a),
            lambda a, b, c: np.einsum("ij -> j", a),
        ),
        *[(4, 4)] * 3,
    ),
    "products": (
        over(
            *(
                np.matmul,
                np.dot,
                np.inner,
                np.outer,
                np.kron,
                np.vdot,
                np.vecdot,
                np.multiply.outer,
            ),
            lambda a, b: np.tensordot(a, b, axes=([0], [1])),
            lambda a, b: a[0] @ b,
            lambda a, b: a @ b[1],
            lambda a, b: a[0] @ b[0],
            lambda a, b: np.dot(a, 2.0),
            lambda a, b: np.linalg.multi_dot([a, b, a[0]]),
        ),
        (4, 4),
        (4, 4),
    ),
    "batches": (lambda a, b: (a @ b, np.matmul(a, b[0]), a[0, 0] @ b), (2, 3, 4, 5), (3, 5, 2)),
    "complex products": (over(np.matmul, np.vdot, np.vecdot), COMPLEX, COMPLEX.T),
    "movements": (moved, (3, 4)),
    "linear algebra": (
        over(
            np.linalg.solve,
            lambda a, b: np.linalg.solve(a, b[0]),
            lambda a, b: np.linalg.cholesky(a),
            lambda a, b: np.linalg.cholesky(a, upper=True),
            lambda a, b: np.linalg.inv(a),
            lambda a, b: np.linalg.det(a),
            lambda a, b: np.linalg.matrix_power(a, 5),
            lambda a, b: np.linalg.matrix_power(a, -1),
            lambda a, b: np.linalg.norm(a),
            lambda a, b: np.linalg.norm(b[0], 1),
            lambda a, b: np.linalg.norm(b[0], np.inf),
            lambda a, b: np.linalg.norm(b, axis=1),
            lambda a, b: np.trace(a),
        ),
        DEFINITE,
        SQUARE,
    ),
    "qr": (
        lambda a: [
            (np.linalg.qr(x), np.linalg.qr(x, mode="r"), np.linalg.qr(x, mode="complete").Q)
            for x in (a, a[:, :4], a[:4], a[:1], a[:, :1])
        ],
        SQUARE - 0.5,
    ),
    "fft": (
        over(
            *(np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.fft2, np.fft.ifft2, np.fft.fftn),
            lambda a: np.fft.fft(a, axis=0),
            lambda a: np.fft.fft(a, n=16),
            lambda a: np.fft.fft(a, n=3),
            lambda a: np.fft.ifft(a[:, :7]),
        ),
        (6, 8),
    ),
    "selections": (
        over(
            lambda a, b: np.where(a > b, a, 0),
            lambda a, b: np.where(np.array([True, False, True]), a, b) * 2,
            lambda a, b: np.clip(a, 0.7, b),
            lambda a, b: a.clip(max=0.9),
            lambda a, b: np.maximum(a, b),
            lambda a, b: np.divide(a, b, out=np.zeros_like(a), where=b > 1),
        ),
        (3,),
        (3,),
    ),
    "integers": (
        lambda a: (a // 2, a % 3, a**2, a << 1, a & 3, ~a, a / 2, a.sum(), a.mean(), -a, a == 3),
        INTEGERS,
    ),
    "parts": (lambda a: (a.real * 2, a.imag + 1, np.conj(a) * a, np.abs(a), np.angle(a)), COMPLEX),
    "two results": (lambda a: divmod(a, 0.3), (3,)),
    "data types": (
        lambda s, a: s * a + np.float64(2) * a - np.float32(1) * a + a.astype(np.float32) * 2,
        (),
        (3,),
    ),
    "round": (
        lambda a: (np.round(a, 1), a.round(), np.rint(a), np.sinc(a), np.nan_to_num(a)),
        (3,),
    ),
    "cross": (lambda a: np.cross(a[:, :3], a[:, 1:]), (3, 4)),
}


@pytest.mark.parametrize("options", [{}, {"level": "statement"}, {"tree": True}], ids=str)
@pytest.mark.parametrize("name", CASES)
def test_values(name, options):
    function, *arguments = CASES[name]
    carried = trace(function, *arguments, values=True, **options)
    assert carried == trace(function, *arguments, **options)
