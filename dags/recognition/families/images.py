"""Arguments of layers of neural networks."""

from collections.abc import Iterator
from itertools import product

from dags.recognition.facts import Arguments, Facts
from dags.recognition.integers import divisors


def attention(facts: Facts) -> Iterator[Arguments]:
    """Yield tokens and width of a head of attention."""
    entries, rest = divmod(facts.inputs, 3)
    for tokens in divisors(entries) if rest == 0 and entries else ():
        width = entries // tokens
        each = 2 * tokens * width + 2 * tokens + width - 1
        edges = tokens * (6 * tokens * width + 2 * tokens + width - 2)
        if (facts.computed, facts.edges) == (tokens * each, edges):
            yield {"tokens": tokens, "width": width}


def convolution(facts: Facts) -> Iterator[Arguments]:
    """Yield image, filters and stride of a convolution."""
    terms, results = facts.depth, facts.sinks
    if facts.computed != terms * results or facts.edges != results * (3 * terms - 1):
        return
    kernels = [kernel for kernel in range(1, terms + 1) if terms % kernel**2 == 0]
    for kernel, filters in product(reversed(kernels), divisors(results)):
        channels = terms // kernel**2
        pixels, rest = divmod(facts.inputs - filters * terms, channels)
        if rest == 0 and pixels >= kernel**2:
            for height, width, stride in _images(pixels, kernel, results // filters):
                yield _convolution(height, width, channels, filters, kernel, stride)


def _images(pixels: int, kernel: int, places: int) -> Iterator[tuple[int, int, int]]:
    """Yield height, width and stride of images on which a filter has so many places."""
    for height in divisors(pixels):
        width = pixels // height
        if min(height, width) >= kernel:
            rows, columns = height - kernel, width - kernel
            for stride in range(1, max(rows, columns) + 2):
                found = (rows // stride + 1) * (columns // stride + 1)
                if found == places:
                    yield height, width, stride
                if found <= places:
                    break


def _convolution(
    height: int, width: int, channels: int, filters: int, kernel: int, stride: int
) -> Arguments:
    """Return arguments without those that are as by default."""
    given = {"channels": channels, "filters": filters, "kernel": kernel, "stride": stride}
    usual = {"channels": 1, "filters": 1, "kernel": 3, "stride": 1}
    unusual = {name: value for name, value in given.items() if value != usual[name]}
    return {"height": height, "width": width, **unusual}
