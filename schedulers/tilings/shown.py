"""Loops to be read: records of JSON, and lines of pseudo-C.

A record is a dictionary. A **loop** has `loop`, its index or a sum of indices, and `step`; over an
index also `first` and `end`, which it does not reach, numbers or expressions of outer indices;
`stands for` what the index is in the text, where it is no name; `meaning` what a coordinate is
that is no loop of the text; `within` the part of a skewed tile
that it runs over. A **statement** has `statement`, and `when` if some iterations of the loops
around it do not run it. A **block** has neither. Loops and blocks have a `body`, a list of records
that are run in turn, and `kept`: the items that stay in fast memory from one iteration of the loop
to the next, or throughout the block, each with the most `words` that stay at once and the words
that are `moved` for them.

A statement names values: a result that is overwritten has the loops as its indices.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import zip_longest
from typing import Any

LoopRecord = dict[str, Any]
INDENT = "  "


@dataclass(frozen=True)
class ShownTiling:
    """The loops of a schedule, to be read.

    Parameters
    ----------
    text
        Their order, the sides of tiles and the arrays that are kept, in one line.
    made
        Returns the same as records, when they are asked for; none for the order as written.
    """

    text: str
    made: Callable[[], list[LoopRecord]] = field(default=list, repr=False, compare=False)

    @cached_property
    def loops(self) -> list[LoopRecord]:
        """The loops as records; none for the order as written."""
        return self.made()

    def __reduce__(self) -> tuple[Any, ...]:
        return ShownTiling, (self.text, partial(list, self.loops))

    def __str__(self) -> str:
        return self.text

    def lines(self) -> list[str]:
        """Pseudo-C where the loops are known, else the text."""
        return pseudo_c(self.loops) or [self.text]

    def to_dict(self) -> dict[str, Any]:
        """The entries `tiling` and `loops` of `--json`."""
        return {"tiling": self.text} | ({"loops": self.loops} if self.loops else {})


def pseudo_c(records: Sequence[LoopRecord]) -> list[str]:
    """Records of loops as lines of pseudo-C, with what is kept as comments.

    Parameters
    ----------
    records
        Of `loops_of`.

    Examples
    --------
    >>> kept = [{"items": "x", "words": 2, "moved": 80}]
    >>> pseudo_c([{"loop": "i", "first": 0, "end": 8, "step": 2, "kept": kept, "body": []}])
    ['for (i = 0; i < 8; i += 2)  // kept across i: x, 2 words (80 moved)']
    """
    lines = [line for record in records for line in _lines(record, "")]
    width = max((len(code) for code, comment in lines if code and comment), default=0)
    return [f"{code:{width}}  {comment}" if comment else code for code, comment in lines]


def _lines(record: LoopRecord, indent: str) -> Iterator[tuple[str, str]]:
    """Yield lines of code, each with its comment or ""."""
    if "statement" in record:
        condition = f"if ({record['when']}) " if "when" in record else ""
        yield f"{indent}{condition}{record['statement']};", ""
        return
    comments = (
        [f"// {record.get('loop')} is {record['stands for']}"] if "stands for" in record else []
    )
    comments += [f"// {record['meaning']}"] if "meaning" in record else []
    comments += [f"// where {record['within']}"] if "within" in record else []
    comments += [_comment(kept, record.get("loop")) for kept in record["kept"]]
    if "loop" in record:
        codes = [indent + _header(record)] + [indent] * (len(comments) - 1)
        yield from zip_longest(codes, comments, fillvalue="")
        indent += INDENT
    else:
        yield from ((indent + comment, "") for comment in comments)
    for part in record["body"]:
        yield from _lines(part, indent)


def _header(record: LoopRecord) -> str:
    """The first line of a loop."""
    index, step = record["loop"], record["step"]
    if "first" not in record:
        return f"for (tiles of {index}, {step} wide)" if step > 1 else f"for (values of {index})"
    rises = f"{index}++" if step == 1 else f"{index} += {step}"
    return f"for ({index} = {record['first']}; {index} < {record['end']}; {rises})"


def _comment(kept: dict[str, Any], loop: str | None) -> str:
    """The comment on items that are kept."""
    where = "kept throughout" if loop is None else f"kept across {loop}"
    if "words" not in kept:
        return f"// {where}: {kept['items']}"
    words = f"{kept['words']:,} word{'s' * (kept['words'] != 1)}"
    return f"// {where}: {kept['items']}, {words} ({kept['moved']:,} moved)"
