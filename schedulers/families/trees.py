"""Chains and trees: one subtree after another."""

from collections.abc import Iterator

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.orders import depth_first


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield the depth-first order, which needs the least memory on trees of unit size.

    The complete binary tree of height h moves its 2^h + 1 compulsory words from h + 2 words of
    memory on; a chain moves two words with two.

    Source
    ------
    R. Sethi and J. D. Ullman, J. ACM 17, 1970; J. W. H. Liu, ACM TOMS 12, 1986.
    """
    del memory  # the order is the same for every size
    yield depth_first(dag)
