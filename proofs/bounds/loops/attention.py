"""Bounds for attention, where rows of queries and keys must meet."""

from pebble import Budget, Game
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.loops.window_sizes import Windows, splits_near
from proofs.bounds.renumbered import as_generated
from proofs.bounds.room_for_all import compulsory_bound
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.lemmas.loops.attention import ROWS, gain, least_words


@bound_method
@thinned
@as_generated
def attention(game: Game, budget: Budget) -> Bound:
    """Lower bound for attention, by windows of so many pairs of a query and a key.

    In the leading term 4 N^2 d^2 / M words if M >= 8 d^2 and each value is computed once, and
    N^2 d^2 / M under all rules if M >= 2 d^2; `proofs.lemmas.loops.attention` has the proof.
    For smaller memories see `projections`.

    Parameters
    ----------
    game, budget
        As for every bound: callers give what `proofs.BoundMethod` takes.

    Raises
    ------
    NotApplicableError
        If the DAG is not attention.

    Examples
    --------
    >>> from dags import attention as generate
    >>> attention(generate(32, 2), 64).io
    326
    """
    dag, rules = game.dag, game.rules
    if dag.family != "attention":
        raise NotApplicableError(f"{dag!r} is not attention")
    held = rules.room_before(game.memory)
    arguments = ["dominators"] if rules.recompute else list(ROWS)
    found = [_widest(name, dag.params["tokens"], dag.params["width"], held) for name in arguments]
    _, certificate = max(found, key=lambda entry: entry[0])
    try:
        io = proven_io(dag, game.memory, rules, certificate)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    if io <= game.compulsory:
        return compulsory_bound("attention", game)
    return Bound("attention", game.memory, io, rules, certificate)


def _widest(argument: str, tokens: int, width: int, held: int) -> tuple[int, Certificate]:
    """Return the words that the best windows prove, and their certificate."""

    def words(windows: Windows) -> int:
        new = (count * (least_words(argument, width, size) - held) for size, count in windows)
        return sum(new) + held + gain(argument, tokens, width)

    rows = ROWS[argument] * width
    size = min(max(rows, 2 * held / rows) ** 2, tokens**2)
    windows = max(splits_near(tokens**2, size), key=words)
    entries = [list(entry) for entry in windows]
    data = {"argument": argument, "tokens": tokens, "width": width, "windows": entries}
    return words(windows), Certificate("attention", data)
