"""Graphs of tensors in bytes: networks forward and backward, as training holds them in memory.

Each operation makes one tensor. Its backward pass makes a gradient for each operand from the
gradient of the result and the tensors that the derivative reads; gradients that meet are added.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from dags import CDAG
from dags.arrays import lock

FLOAT, HALF = 4, 2  # bytes of a number


@dataclass
class Network:
    """A network under construction: operations in program order.

    Parameters
    ----------
    training
        Whether it gets a backward pass.
    """

    training: bool = True
    sizes: list[int] = field(default_factory=list)
    operands: list[tuple[int, ...]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    saved: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)

    def tensor(self, name: str, size: int, operands: tuple[int, ...] = ()) -> int:
        """Add a tensor and return its number."""
        self.sizes.append(size)
        self.operands.append(operands)
        self.names.append(f"{name}_{len(self.names)}")
        self.saved.append(())
        return len(self.sizes) - 1

    def weight(self, size: int) -> int:
        """Add the weights of an operation."""
        built = self.tensor("weight", size)
        self.weights.append(built)
        return built

    def op(self, name: str, size: int, operands: tuple[int, ...], reads: str = "operands") -> int:
        """Add an operation.

        Parameters
        ----------
        name
            Its name.
        size
            Bytes of its result.
        operands
            The tensors that it reads.
        reads
            What its derivative reads beside the gradient: "operands", the "result", or "nothing".
        """
        built = self.tensor(name, size, operands)
        remaining = {u: tuple(v for v in operands if v != u) for u in operands}
        self.saved[built] = tuple(
            {"operands": remaining[u] or (u,), "result": (built,), "nothing": ()}[reads]
            for u in operands
        )
        return built

    def backward(self, loss: int) -> None:
        """Add the backward pass of all that leads to the loss."""
        forward, gradient = len(self.sizes), {loss: self.tensor("grad", self.sizes[loss], (loss,))}
        for v in range(forward - 1, -1, -1):
            if v not in gradient:
                continue
            for u, read in zip(self.operands[v], self.saved[v], strict=True):
                if not self.operands[u] and u not in self.weights:
                    continue  # data
                part = self.tensor("grad", self.sizes[u], tuple(sorted({gradient[v], *read})))
                if u in gradient:
                    pair = tuple(sorted((gradient[u], part)))
                    part = self.tensor("sum", self.sizes[u], pair)
                gradient[u] = part

    def dag(self) -> CDAG:
        """The computation, with sizes in bytes."""
        indptr = np.cumsum([0, *map(len, self.operands)]).astype(np.int64)
        flat = [u for row in self.operands for u in sorted(row)]
        return CDAG(
            lock(indptr),
            lock(np.array(flat, np.int32)),
            words=lock(np.array(self.sizes, np.int64)),
            labels=tuple(self.names),
            word_bytes=1,
        )


def cnn(depth: int, channels: int, side: int, *, training: bool = True, wide: int = FLOAT) -> CDAG:
    """A convolutional network: convolutions and activations, halved sides every second."""
    net = Network(training)
    current, width = net.tensor("image", 3 * side * side * wide), 3
    for layer in range(depth):
        filters = channels * 2 ** (layer // 2)
        size = filters * side * side * wide
        current = net.op("conv", size, (current, net.weight(9 * width * filters * wide)))
        current = net.op("relu", size, (current,), "result")
        if layer % 2:
            side //= 2
            current = net.op("pool", filters * side * side * wide, (current,))
        width = filters
    current = net.op("mean", width * wide, (current,), "nothing")
    classes = net.op("dense", 100 * wide, (current, net.weight(100 * width * wide)))
    if training:
        net.backward(net.op("loss", wide, (classes,)))
    return net.dag()


def u_net(levels: int, channels: int, side: int, *, training: bool = True) -> CDAG:
    """A U-Net: what is contracted is read again by what expands."""
    net = Network(training)
    current, width, kept = net.tensor("image", 3 * side * side * FLOAT), 3, []
    for level in range(levels):
        filters = channels * 2**level
        size = filters * side * side * FLOAT
        for _ in range(2):
            current = net.op("conv", size, (current, net.weight(9 * width * filters * FLOAT)))
            current = net.op("relu", size, (current,), "result")
            width = filters
        if level + 1 < levels:
            kept.append((current, filters, side))
            side //= 2
            current = net.op("pool", filters * side * side * FLOAT, (current,))
    for skip, filters, side in reversed(kept):
        size = filters * side * side * FLOAT
        current = net.op("up", size, (current, net.weight(4 * width * filters * FLOAT)))
        current = net.op("concat", 2 * size, (current, skip), "nothing")
        current = net.op("conv", size, (current, net.weight(18 * filters * filters * FLOAT)))
        current = net.op("relu", size, (current,), "result")
        width = filters
    if training:
        net.backward(net.op("loss", FLOAT, (current,)))
    return net.dag()


def transformer(
    layers: int, tokens: int, width: int, *, training: bool = True, wide: int = FLOAT
) -> CDAG:
    """Transformer layers of one head."""
    net = Network(training)
    size, square = tokens * width * wide, tokens * tokens * wide
    current = net.tensor("tokens", size)
    for _ in range(layers):
        normal = net.op("norm", size, (current,))
        query, key, value = (
            net.op("linear", size, (normal, net.weight(width * width * wide))) for _ in range(3)
        )
        scores = net.op("scores", square, (query, key))
        soft = net.op("softmax", square, (scores,), "result")
        mixed = net.op("mix", size, (soft, value))
        out = net.op("linear", size, (mixed, net.weight(width * width * wide)))
        current = net.op("add", size, (current, out), "nothing")
        normal = net.op("norm", size, (current,))
        inner = net.op("linear", 4 * size, (normal, net.weight(4 * width * width * wide)))
        active = net.op("gelu", 4 * size, (inner,))
        out = net.op("linear", size, (active, net.weight(4 * width * width * wide)))
        current = net.op("add", size, (current, out), "nothing")
    if training:
        net.backward(net.op("loss", wide, (current,)))
    return net.dag()


def rnn(steps: int, width: int, batch: int, *, training: bool = True) -> CDAG:
    """A recurrent network: all steps share their weights."""
    net = Network(training)
    size = batch * width * FLOAT
    own_part, inner = net.weight(width * width * FLOAT), net.weight(width * width * FLOAT)
    state, losses = net.tensor("state", size), []
    for _ in range(steps):
        arguments = net.tensor("input", size)
        state = net.op(
            "cell",
            size,
            (net.op("linear", size, (arguments, inner)), net.op("linear", size, (state, own_part))),
            "nothing",
        )
        state = net.op("tanh", size, (state,), "result")
        losses.append(net.op("loss", FLOAT, (state,)))
    total = losses[0]
    for loss in losses[1:]:
        total = net.op("add", FLOAT, (total, loss), "nothing")
    if training:
        net.backward(total)
    return net.dag()


def mixed(layers: int, width: int, batch: int) -> CDAG:
    """A perceptron in mixed precision: weights in single, copies and activations in half."""
    net = Network()
    current = net.tensor("input", batch * width * HALF)
    for layer in range(layers):
        out = width // (1 + layer % 3)
        master = net.weight(width * out * FLOAT)
        half = net.op("cast", width * out * HALF, (master,), "nothing")
        current = net.op("linear", batch * out * HALF, (current, half))
        current = net.op("relu", batch * out * HALF, (current,), "result")
        width = out * (1 + layer % 3)
        current = net.op("widen", batch * width * HALF, (current,), "nothing")
    net.backward(
        net.op("loss", FLOAT, (net.op("cast", batch * width * FLOAT, (current,), "nothing"),))
    )
    return net.dag()


GRAPHS: dict[str, Callable[[], CDAG]] = {
    "cnn-4": lambda: cnn(4, 16, 64),
    "cnn-6": lambda: cnn(6, 16, 64),
    "cnn-8": lambda: cnn(8, 8, 96),
    "cnn-6-inference": lambda: cnn(6, 24, 96, training=False),
    "u-net-3": lambda: u_net(3, 8, 64),
    "u-net-4": lambda: u_net(4, 8, 64),
    "u-net-4-wide": lambda: u_net(4, 12, 80),
    "u-net-4-inference": lambda: u_net(4, 16, 96, training=False),
    "transformer-1": lambda: transformer(1, 128, 64),
    "transformer-2": lambda: transformer(2, 128, 96),
    "transformer-3": lambda: transformer(3, 96, 96),
    "transformer-2-long": lambda: transformer(2, 384, 64),
    "transformer-3-inference": lambda: transformer(3, 256, 64, training=False),
    "transformer-2-half": lambda: transformer(2, 160, 64, wide=HALF),
    "rnn-6": lambda: rnn(6, 64, 32),
    "rnn-10": lambda: rnn(10, 64, 64),
    "rnn-16": lambda: rnn(16, 32, 64),
    "mixed-4": lambda: mixed(4, 96, 64),
    "mixed-6": lambda: mixed(6, 96, 128),
    "mixed-8": lambda: mixed(8, 64, 192),
}


def graphs(names: str = "") -> Iterator[tuple[str, CDAG]]:
    """Yield the graphs, or those whose names are given with commas."""
    for name, make in GRAPHS.items():
        if not names or name in names.split(","):
            yield name, make()
