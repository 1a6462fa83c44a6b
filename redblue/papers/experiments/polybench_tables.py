"""Tables, curves and passages about the PolyBench kernels."""

from collections.abc import Sequence

from dags.spec.leaves import reader
from redblue.papers.experiments.polybench_kernels import (
    LOW,
    MATRICES,
    MIDDLE,
    STENCILS,
    Case,
    Row,
    Term,
    latex_of,
    mean_ratio,
)
from redblue.show.model import Axis, Multiples, Panel, Passage, Series, Table
from redblue.show.rows import listed, table

UPPER, LOWER = "best schedule", "best bound"
WAYS = {
    "items": "the items that windows of updates touch",
    "distances": "updates that read at constant distances",
    "compulsory": "inputs read and outputs written",
    "waiting": "values that wait in iterations of outer loops",
}
MARKS = {"holds": "", "false": " (false)", "disputed": " (disputed)", "unproved": " (unproved)"}


def law_table(cases: Sequence[Case]) -> Table:
    """The table of leading terms: ours beside those of IOLB and SOAP."""
    return table(
        "polybench-laws",
        "Leading terms in words, S words of fast memory. IOLB counts loads alone; ours count loads "
        "and stores, which at constant distances are about as many each. False: more than what is "
        "attained; unproved: more than what is proved here. The last columns "
        "compare coefficients where all sizes are equal; they are empty where our law has smaller "
        "powers.", cases, "kernel <- name", ("ours [words]", lambda case: case.law["term"]),
        ("by", lambda case: case.law["way"]),
        ("IOLB [words]", lambda case: _term(case.published.iolb)),
        ("SOAP [words]", lambda case: _term(case.published.soap)),
        ("ours / IOLB", lambda case: _over(case, case.published.iolb)),
        ("ours / SOAP", lambda case: _over(case, case.published.soap)), formulas=_terms(cases),
    )  # fmt: skip


def tile_table(cases: Sequence[Case]) -> Table:
    """The table of finite forms, from which sizes on they are proved, and of tiles."""
    rows = (
        (case.name, law["updates"], law["gain"] if law["way"] in ("items", "distances") else "",
         law["compulsory"], law["proved"], law["tile"] or "",
         None if law["tiled"] is None else round(law["tiled"], 2))
        for case in cases for law in (case.law,)
    )  # fmt: skip
    return table(
        "polybench-tiles", "What the bound at given sizes is made of: updates, which are cut into "
        "windows, and words to add; or words that wait or are compulsory. Where a size is named, "
        "all of it is proved for every choice of sizes from that one on; elsewhere it was found at "
        "small sizes. Tiles have these sides in the loops in brackets, and go on along the last "
        "one. They attain the power of S where dependences let them, and move so many times our "
        "leading term.", rows, "kernel", "updates U", "words to add", "compulsory [words]",
        "proved from size", "tile", "tiles / ours",
        formulas={case.law["tile"]: case.law["tile_latex"] for case in cases if case.law["tile"]},
    )  # fmt: skip


def fault_table(cases: Sequence[Case]) -> Table:
    """The table of published terms that do not hold, or are not proved here, and reasons."""
    rows = (
        (case.name, tool, term.text, term.standing, case.law["term"], case.published.remark)
        for case in cases
        for tool, term in published(case)
        if term.standing != "holds"
    )
    return table(
        "polybench-faults",
        "Published leading terms that are more than what is attained, or than is proved here.",
        rows, "kernel", "tool", "published [words]", "standing", "proved here [words]", "reason",
        formulas=_terms(cases),
    )  # fmt: skip


def published(case: Case) -> list[tuple[str, Term]]:
    """The published terms of a kernel, by the names of their tools."""
    tools = ("IOLB", case.published.iolb), ("SOAP", case.published.soap)
    return [(tool, term) for tool, term in tools if term is not None]


def finite_table(cases: Sequence[Case]) -> Table:
    """The table of schedules and bounds at finite sizes."""
    rows = (
        (case.spec, case.dag["vertices"], case.dag["edges"], row.memory, case.compulsory,
         row.proved, row.bound, row.played, row.scheduler, round(row.ratio, 3))
        for case in cases for row in headlines(case)
    )  # fmt: skip
    return table(
        "polybench-finite", f"Bounds and schedules at finite sizes, at {LOW} and {MIDDLE} words, "
        "or at the least that is enough. Every schedule was replayed; the checker accepted the "
        "certificates of the bounds.", rows, "DAG", "vertices", "edges", "M [words]",
        "compulsory [words]", "at least [words]", "bound", "moved [words]", "schedule",
        "moved / bound",
    )  # fmt: skip


def mean_table(cases: Sequence[Case]) -> Table:
    """The table of geometric means by kind of kernel."""
    return table(
        "polybench-means",
        "How far schedules and bounds are apart, over the cases of the table before.",
        ((label, len(rows), round(mean_ratio(rows), 3), round(max(row.ratio for row in rows), 3))
         for label, rows in kinds(cases).items()),
        "kernels", "cases", "geometric mean of moved / bound", "largest",
    )  # fmt: skip


def kinds(cases: Sequence[Case]) -> dict[str, list[Row]]:
    """The rows of the table of finite sizes by kind of kernel."""
    chosen = {
        "matrices": [case for case in cases if case.name in MATRICES],
        "stencils": [case for case in cases if case.name in STENCILS],
        "others": [case for case in cases if case.name not in (*MATRICES, *STENCILS)],
        "all": list(cases),
    }
    return {
        label: [row for case in kernels for row in headlines(case)]
        for label, kernels in chosen.items()
        if kernels
    }


def headlines(case: Case) -> list[Row]:
    """The rows of a kernel in the table of finite sizes."""
    rows = (case.at(LOW), case.at(max(MIDDLE, case.dag["min_memory"])))
    return list(dict.fromkeys(rows))


def curves(cases: Sequence[Case]) -> Multiples:
    """The curves of all kernels side by side, in multiples of the compulsory words."""
    return Multiples(
        "polybench-curves",
        "Words moved by the best schedule that was found, and words that every schedule moves, as "
        "multiples of the inputs read and outputs written, against the fast memory.",
        Axis("fast memory [words]", base=2),
        Axis("words / compulsory words", base=2),
        tuple(map(_panel, cases)),
        (UPPER, LOWER),
    )


def passages(cases: Sequence[Case]) -> tuple[Passage, ...]:
    """A passage for each kernel: its law, how to check it, and its text."""
    return tuple(map(_passage, cases))


def _term(term: Term | None) -> str:
    """A published term, with the evidence against it."""
    return "" if term is None else term.text + MARKS[term.standing]


def _terms(cases: Sequence[Case]) -> dict[str, str]:
    """All leading terms as LaTeX, with and without the evidence against them."""
    formulas = {case.law["term"]: case.law["latex"] for case in cases}
    for _, term in (item for case in cases for item in published(case)):
        mark = MARKS[term.standing].strip()
        formulas[term.text] = latex_of(term.text)
        formulas[_term(term)] = latex_of(term.text) + (rf"\ \text{{{mark}}}" if mark else "")
    return formulas


def _over(case: Case, term: Term | None) -> str:
    """Our coefficient over another, empty where the powers are not the same."""
    return "" if term is None or not case.agrees else f"{case.factor / term.factor:.3g}"


def _panel(case: Case) -> Panel:
    """The panel of a kernel."""
    x = tuple(float(row.memory) for row in case.rows)
    moved = tuple(row.played / case.compulsory for row in case.rows)
    proved = tuple(row.proved / case.compulsory for row in case.rows)
    methods = tuple(f"{row.scheduler}: {row.played:,} words" for row in case.rows)
    why = tuple(f"{row.bound}: at least {row.proved:,} words" for row in case.rows)
    row = case.at(max(MIDDLE, case.dag["min_memory"]))
    return Panel(
        case.name,
        f"{row.ratio:.2f} apart with {row.memory} words",
        (Series(UPPER, x, moved, "upper", methods), Series(LOWER, x, proved, "lower", why)),
    )


def _passage(case: Case) -> Passage:
    """The passage of a kernel."""
    law, row = case.law, headlines(case)[-1]
    addition = f" Updates: {law['updates']}." if law["way"] in ("items", "distances") else ""
    if law["proved"] is not None:
        addition += f" The finite form is proved for all sizes from {law['proved']} on."
    if law["tile"] is not None:
        addition += f" Tiles that attain the power: {law['tile']}."
    known = listed(f"{tool} {_term(term)}" for tool, term in published(case))
    remark = f" {case.published.remark[:1].upper()}{case.published.remark[1:]}."
    text = (
        f"Leading term, by {WAYS[law['way']]}: {law['term']} words; in LaTeX "
        f"{law['latex']}.{addition} "
        f"Compulsory: {law['compulsory']} words. Published: {known}."
        f"{remark if case.published.remark else ''}\n\n"
        f"{case.spec}: {case.dag['vertices']:,} vertices, {case.dag['edges']:,} edges. With "
        f"{row.memory} words at least {row.proved:,} words ({row.bound}) are moved, and "
        f"{row.played:,} are enough ({row.scheduler}). To check the bound: redblue bound "
        f"{case.spec} --memory {row.memory} --bounds {row.bound} --certificate {case.name}.json, "
        f"then redblue check {case.spec} {case.name}.json."
    )
    library = reader("programs", "library")
    return Passage(
        f"{case.name}: {library.KERNELS[case.name].about}",
        text,
        tuple(library.text_of(case.name).rstrip("\n").split("\n")),
        f"{case.name}.c",
        law["latex"],
    )
