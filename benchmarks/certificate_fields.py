"""Writes the table of fields in docs/reference/certificate.md: what checkers read of each kind.

python benchmarks/certificate_fields.py
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from dags.arrays import Int64Array
from proofs.certificates import CHECKERS
from proofs.certificates.pieces.ledger import PIECES
from proofs.core.records import ANY, Integers, Within

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "certificate.md"
MARK = "<!-- fields -->"
SPECIFIED = (  # above, with all that they mean
    "balances",
    "compulsory",
    "exact",
    "forest",
    "front",
    "held-operands",
    "open-chains",
    "optimum",
    "partial-search",
    "parts",
    "reload-windows",
    "reloads",
    "renumbered",
    "shares",
    "staged",
    "thinned",
    "wavefront",
)


def main() -> None:
    """Write the table behind its mark."""
    before, _, _ = PAGE.read_text().partition(MARK)
    PAGE.write_text(before + MARK + "\n\n" + table())


def table() -> str:
    """The table of the fields of all kinds that the page does not specify above."""
    rows = [
        *(("kind", name, lemma.record) for name, lemma in CHECKERS.items()),
        *(("proof", name, lemma.record) for name, lemma in PIECES.items()),
    ]
    lines = [
        f"| {subject} `{name}` | {described(record) or 'none'} |"
        for subject, name, record in sorted(rows, key=lambda row: row[:2])
        if name not in SPECIFIED
    ]
    return "\n".join(["| kind, or proof of a part | fields |", "|---|---|", *lines, ""])


def described(record: Any) -> str:
    """The fields of a record, in words."""
    hints = get_type_hints(record, include_extras=True)
    return "; ".join(
        f"`{field.name}`: {worded(hints[field.name])}"
        + (", may be absent" if field.default is not MISSING else "")
        for field in fields(record)
        if field.init
    )


def worded(kind: Any, limits: Within = ANY) -> str:
    """An annotated type, in words."""
    if get_origin(kind) is Annotated:
        inner, limits = get_args(kind)
        return worded(inner, limits)
    if get_origin(kind) in (Union, UnionType):
        (inner,) = (get_arg for get_arg in get_args(kind) if get_arg is not NoneType)
        return worded(inner, limits)
    if get_origin(kind) is Literal:
        return " or ".join(f'"{name}"' for name in get_args(kind))
    if kind in (Int64Array, Integers):
        return f"integers{ranged(limits)}"
    if get_origin(kind) is tuple:
        limit = "" if limits.entries is None else f" of 1 to {limits.entries:,}"
        return f"list{limit} of: {worded(get_args(kind)[0])}"
    if is_dataclass(kind):
        return f"{{{described(kind)}}}"
    plain = {
        int: f"integer{ranged(limits)}",
        str: "text",
        bool: "true or false",
        Fraction: "fraction, a text as in 2/3",
        Mapping[str, Any]: "object",
        Any: "any, as the lemma says",
    }
    return plain[kind]


def ranged(limits: Within) -> str:
    """The limits of a number, in words."""
    minimum = "" if limits.least is None else f" from {limits.least:,}"
    return (
        minimum
        + ("" if limits.most is None else f" to {limits.most:,}")
        + " on" * (limits.least is not None and limits.most is None)
    )


if __name__ == "__main__":
    main()
