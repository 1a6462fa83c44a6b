"""Text of a lower-bound report: the gap in a sentence, law, certificates, method, literature."""

from collections.abc import Iterable

from pebble import ONE_SHOT, Rules
from proofs import METHODS
from redblue.answers.evidence.points import UNNAMED, Evidence, Point
from redblue.answers.tilings import tile_passages
from redblue.laws.fit.choice import law_sentence
from redblue.laws.fit.verdict import verdict_sentence
from redblue.show.literature import ENTRIES
from redblue.show.model import Passage
from schedulers.methods import sources_of


def summary(evidence: Evidence) -> str:
    """The paragraphs above the figure: the gap, and the DAG."""
    return f"{gap_sentence(evidence)}\n\n{dag_sentence(evidence)}"


def gap_sentence(evidence: Evidence) -> str:
    """The gap between schedules and bounds, in a sentence."""
    points = evidence.points
    first, last = points[0].memory, points[-1].memory
    sizes = f"M = {first:,}" if first == last else f"M = {first:,} to {last:,} words"
    met = sum(point.met for point in points)
    if met == len(points):
        return (
            f"At {sizes} the schedules are optimal: each moves exactly as many words as are "
            "proved to be necessary."
        )
    wide = evidence.widest
    closed = f"; at {met} of {len(points)} sizes they are optimal" if met else ""
    return (
        f"At {sizes} the schedules move at most {wide.ratio:.3f} times the words that are proved "
        f"to be necessary{closed}. The gap is widest at M = {wide.memory:,}: {wide.io:,} words "
        f"are moved, and no schedule moves fewer than {wide.bound.io:,}."
    )


def dag_sentence(evidence: Evidence) -> str:
    """The sizes of the DAG, its digest, and its recognised family."""
    sizes, known = evidence.curve.dag, evidence.dag.recognised
    counts = ", ".join(
        f"{sizes[name]:,} {name if sizes[name] != 1 else one}"
        for name, one in (
            ("vertices", "vertex"),
            ("edges", "edge"),
            ("inputs", "input"),
            ("outputs", "output"),
        )
    )
    text = (
        f"The computation is a DAG: {counts}. It takes {sizes['min_memory']:,} words of memory at "
        f"least. SHA-256 of its contents: {evidence.dag.digest}."
    )
    if known is None:
        return text
    return f"{text} It was recognised as {known.spec}; the renumbering was verified edge by edge."


def passages(evidence: Evidence) -> tuple[Passage, ...]:
    """The passages behind the tables."""
    return (
        Passage("Law", law_text(evidence)),
        *_tilings(evidence),
        Passage("Method", method_text(evidence)),
        Passage("To check a bound", check_text(evidence), check_commands(evidence)),
        Passage("Literature", "", tuple(bibtex(cited(evidence)).split("\n")), "literature.bib"),
    )


def _tilings(evidence: Evidence) -> tuple[Passage, ...]:
    """The passage on the tiles of a program's loops."""
    best = {row.memory: row for row in evidence.curve.tiled}
    for point in evidence.points:
        if point.upper.tiling is not None:
            best[point.memory] = point.upper
    return tile_passages(
        [(memory, best[memory].io, best[memory].tiling) for memory in sorted(best)]
    )


def law_text(evidence: Evidence) -> str:
    """The law of operations per word against memory, and the literature's."""
    found = evidence.fit
    law = law_sentence(found)
    start = "R is the operations per word moved. " if found.law is not None else ""
    return f"{start}{law} {verdict_sentence(found, evidence.published)}"


def method_text(evidence: Evidence) -> str:
    """The method in a paragraph."""
    names = ", ".join(evidence.curve.methods("upper"))
    return (
        "The red-blue pebble game of Hong and Kung: a value in fast memory has a red pebble, one "
        f"in slow memory a blue one; a value is computed when it and its operands are red, and at "
        f"most M words are red at once. {_rules_text(evidence.rules)} Inputs begin blue and "
        "outputs end blue; every load and every store costs the words of its value, and nothing "
        f"else costs anything. Schedules are those of {names}{_effort_text(evidence)}. The "
        "engine counted each of them, or a pass that agrees with it. Each bound is proved for this "
        "DAG with all its terms, not asymptotically, and carries a certificate, which a checker "
        "accepted that imports nothing of what found it. A schedule for some memory is legal with "
        "more, and a bound holds for less."
    )


def _rules_text(rules: Rules) -> str:
    """The variant of the game in a sentence."""
    if rules.partial:
        return (
            "Here operands are aggregated one by one into a value, each once: the value and one "
            f"operand are in fast memory together ({rules.name})."
        )
    again = "may be computed again" if rules.recompute else "is computed once"
    slides = (
        "may take the place of an operand" if rules.sliding else "is placed beside its operands"
    )
    return f"Here each value {again}, and {slides} ({rules.name})."


def _effort_text(evidence: Evidence) -> str:
    """The paragraph on searches beyond them."""
    sizes = len(evidence.searched)
    if not sizes:
        return ""
    where = f"at the {sizes} sizes" if sizes > 1 else "at the one size"
    return f" and, {where} where these left a gap, of searches (effort {evidence.effort})"


def check_text(evidence: Evidence) -> str:
    """The sentences above the commands that check a bound."""
    file = "" if evidence.named else f"redblue.save writes the DAG to {UNNAMED}. "
    where = f"{file}For M = {evidence.widest.bound.memory:,}:"
    return (
        "redblue bound proves a bound again and writes it with its certificate; redblue check "
        "verifies that against the DAG. With --figures DIR the report writes the certificates of "
        f"all bounds of the table, and the schedules, there. {where}"
    )


def check_commands(evidence: Evidence) -> tuple[str, str]:
    """Return the commands that prove the bound of the widest gap and check it."""
    point: Point = evidence.widest
    spec, bound = evidence.address, point.bound
    rules = "" if evidence.rules == ONE_SHOT else f" --rules {evidence.rules.name}"
    file = f"M{bound.memory}.json"
    if bound.method == "exact":
        prove = f"redblue solve {spec} --memory {bound.memory}{rules} --certificate {file}"
    else:
        prove = (
            f"redblue bound {spec} --memory {bound.memory} --bounds {bound.method}{rules} "
            f"--certificate {file}"
        )
    return prove, f"redblue check {spec} {file}"


GAME = "hong1981"
LAW = "kung1986"


def cited(evidence: Evidence) -> tuple[str, ...]:
    """The keys of the literature behind a report, the game's first, each once."""
    proofs = {bound.method for bound in evidence.bounds}
    plays = {point.upper.method for point in evidence.points}
    keys = [GAME]
    keys += [key for name in sorted(proofs) if name in METHODS for key in METHODS[name].sources]
    keys += sorted({key for name in plays for key in sources_of(name)})
    if evidence.published is not None:
        keys.append(LAW)
    return tuple(dict.fromkeys(keys))


def bibtex(keys: Iterable[str]) -> str:
    """Entries of BibTeX.

    Examples
    --------
    >>> print(bibtex(["kung1986"]))
    @inproceedings{kung1986,
      author = {Kung, H. T.},
      title = {Memory requirements for balanced computer architectures},
      booktitle = {Proceedings of the 13th Annual International Symposium on Computer Architecture},
      pages = {49--54},
      year = {1986},
      doi = {10.1145/17356.17362},
    }
    """
    return "\n\n".join(map(_entry, keys))


def _entry(key: str) -> str:
    """Return one entry."""
    kind, fields = ENTRIES[key]
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
