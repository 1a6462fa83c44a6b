"""The plays of trees of loops of one nest, each tree counted once."""

from collections.abc import Mapping

from dags.programs.box_nests import BoxNest
from dags.work import charged
from schedulers.tilings.holds import Found, best_holds
from schedulers.tilings.legality import is_legal
from schedulers.tilings.plan import Counts, Path


class Trees:
    """The trees that a search has counted; who asks again is charged for the work again.

    Parameters
    ----------
    nest, counts
        The nest, and its counts.
    """

    def __init__(self, nest: BoxNest, counts: Counts) -> None:
        self.nest, self.counts = nest, counts
        self._known = charged(maxsize=None)(self._counted)

    def plays(self, paths: Mapping[str, Path]) -> list[Found]:
        """The plays with the best holds, by rising memory; none if the order is illegal.

        Parameters
        ----------
        paths
            Of the assignments in the tree.
        """
        return self._known(tuple(paths.items()))

    def _counted(self, paths: tuple[tuple[str, Path], ...]) -> list[Found]:
        tree = dict(paths)
        return best_holds(self.counts, tree) if is_legal(self.nest, tree) else []
