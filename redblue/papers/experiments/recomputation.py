"""I/O with and without recomputation of values."""

from functools import partial

from dags import load
from pebble import ONE_SHOT, Rules, play
from redblue.answers.results import IOCurve
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.studies import played, proved
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    PlayerScene,
    Series,
    Table,
    first_shown,
    judged,
)
from redblue.show.rows import Row, grouped, listed, series, share, table
from schedulers.exact import exact

RECOMPUTE = Rules(recompute=True)
GAME = "Hong and Kung, STOC 1981: the game lets values be computed again"
HELPED = {"grid:shape=4x4": (3, 4, 5), "hypercube:d=4": (6, 7, 8)}
NOT_HELPED = {"pyramid:height=4": (3, 4, 5, 6), "matmul:n=2": (4, 5, 6, 7)}
SHOWN = (("grid:shape=4x4", 3), ("fft:n=8", 9))
LINE, BOX = "stencil:shape=64,steps=32", "stencil:shape=32x32,steps=8,neighbourhood=box"
MEMORIES = {LINE: (6, 8, 12, 16, 24, 32, 48), BOX: (15, 20, 30, 40, 60, 80, 120, 160)}


def experiment(bench: Bench) -> Experiment:
    """Experiment: optima of small DAGs and plays of stencils, with and without recomputation.

    The optima are found, and proved, by complete search under either set of rules.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981.
    """
    fft = {"fft:n=8": bench.pick((9, 10), tuple(range(3, 11)))}
    helped = [_pair(bench, spec, m) for spec, sizes in (HELPED | fft).items() for m in sizes]
    unhelped = [_pair(bench, spec, m) for spec, sizes in NOT_HELPED.items() for m in sizes]
    stencils = {spec: _curves(bench, spec) for spec in MEMORIES}
    return Experiment(
        name="recomputation",
        title="Recomputation: when is it better to compute a value again than to move it?",
        summary="Hong and Kung's game lets a value be computed any number of times; most schedules "
        "and many lower bounds take it that each is computed once. Complete search under both "
        "rules shows small DAGs in which that costs I/O, grids, hypercubes and Fourier transforms "
        "among them, and others in which it does not. On stencils in the plane overlapping tiles "
        "compute the values at their borders twice, and so move fewer words than any play found "
        "that computes each value once; on a line they do not.",
        claims=(
            *(_win_claim(spec, rows) for spec, rows in grouped(helped, "spec").items()),
            _even_claim(unhelped),
            *((_line_claim if spec == LINE else _plane_claim)(spec, _words(*pair))
              for spec, pair in stencils.items()),
        ),
        tables=first_shown((
            table("recomputation-exact", "Least I/O under either rules, proved by complete search, "
                  "and the states it took.", [*helped, *unhelped], "DAG <- spec",
                  "M [words] <- memory", "one-shot [words] <- once", "recompute [words] <- again",
                  "values computed again <- recomputes", "states one-shot <- states once",
                  "states recompute <- states again"),
            _stencil_table(stencils),
        )),
        figures=first_shown((
            _exact_figure(helped), *(_figure(spec, *pair) for spec, pair in stencils.items())
        )),
        references=("hong1981", "krishnamoorthy2007"),
        players=tuple(_scene(row[f"{kind} play"]) for row in helped
                      if (row["spec"], row["memory"]) in SHOWN for kind in ("once", "again")),
    )  # fmt: skip


def _pair(bench: Bench, spec: str, memory: int) -> Row:
    """The optimum computing each value once, and that with recomputation."""
    once, recomputed = (
        bench.remembered(
            {"exact": spec, "memory": memory, "rules": rules.name},
            partial(_solve, spec, memory, rules),
        )
        for rules in (ONE_SHOT, RECOMPUTE)
    )
    return {"spec": spec, "memory": memory, "recomputes": recomputed["recomputes"],
            "once": once["io"], "again": recomputed["io"], "states once": once["states"],
            "states again": recomputed["states"], "once play": once, "again play": recomputed,
            "proved": once["io"] == once["bound"]
            and recomputed["io"] == recomputed["bound"]}  # fmt: skip


def _solve(spec: str, memory: int, rules: Rules) -> Row:
    """The optimum, its proof's bound and its play, which the engine replays."""
    dag = load(spec)
    result = exact(dag, memory, rules=rules)
    assert result.schedule is not None  # nothing ends the search before there is one
    count = play(dag, result.schedule, memory, rules=rules)
    return {"spec": spec, "memory": memory, "rules": rules.name, "io": count.io,
            "bound": result.lower_bound, "recomputes": count.recomputes, "states": result.states,
            "op": result.schedule.op.tolist(),
            "vertex": result.schedule.vertex.tolist()}  # fmt: skip


def _curves(bench: Bench, spec: str) -> tuple[IOCurve, IOCurve]:
    """Curves without and with recomputation."""
    once, recomputed = (
        bench.curve(spec, MEMORIES[spec], schedulers=("structured",), rules=rules)
        for rules in (ONE_SHOT, RECOMPUTE)
    )
    return once, recomputed


def _words(once: IOCurve, recomputed: IOCurve) -> list[tuple[int, int, int]]:
    """Memories, and the words without and with recomputation."""
    recomputed_words = dict(recomputed.envelope("upper"))
    return [(memory, io, recomputed_words[memory]) for memory, io in once.envelope("upper")]


def _win_claim(spec: str, rows: list[Row]) -> Claim:
    """The claim that recomputation lowers the optimum of a DAG."""
    wins = [row for row in rows if row["again"] < row["once"]]
    sentences = (f"{row['again']} for {row['once']} with M = {row['memory']}" for row in wins)
    return Claim(
        f"Recomputation lowers the least I/O of {spec}", GAME, "fewer words for some M",
        listed(sentences, joint="; ") or "the same for all M",
        judged(bool(wins) and all(row["proved"] for row in wins), "proved"),
        f"optimal by complete search under both rules, {len(rows)} sizes of memory; a bound for "
        "one-shot plays is no bound there", kind="proof",
    )  # fmt: skip


def _even_claim(rows: list[Row]) -> Claim:
    """The claim that the other DAGs gain nothing."""
    all_same, how_many = share(lambda row: row["once"] == row["again"], rows)
    return Claim(
        "Small pyramids and products gain nothing", "this project",
        "the same optimum under both rules", f"{how_many} optima the same",
        judged(all_same and all(row["proved"] for row in rows), "proved"),
        f"{listed(grouped(rows, 'spec'))}, from the smallest memory to where only the compulsory "
        "words move", kind="proof",
    )  # fmt: skip


def _line_claim(spec: str, words: list[tuple[int, int, int]]) -> Claim:
    """The claim that tiles that overlap gain nothing where each value has few readers."""
    all_equal, how_many = share(lambda row: row[1] == row[2], words)
    return Claim(
        f"Overlapping tiles gain nothing on a line: {spec}", "this project", "the same words",
        f"{how_many} sizes of memory the same", judged(all_equal),
        "the best plays found, not optima: periodic patterns, in which nothing is computed twice, "
        "move as little as tiles that overlap",
    )  # fmt: skip


def _plane_claim(spec: str, words: list[tuple[int, int, int]]) -> Claim:
    """The claim that tiles that overlap move less at some size of memory."""
    memory, once, recomputed = min(words, key=lambda row: row[2] / row[1])
    _, how_many = share(lambda row: row[2] < row[1], words)
    return Claim(
        f"Overlapping tiles move less than one-shot plays: {spec}",
        "S. Krishnamoorthy et al., Effective automatic parallelization of stencil "
        "computations, PLDI 2007: overlapped tiling", "less at some M",
        f"{recomputed:,} for {once:,} words with M = {memory}, {how_many} sizes less",
        judged(recomputed < once),
        "the best plays found, not optima: each was replayed by the engine",
    )  # fmt: skip


def _scene(solved: Row) -> PlayerScene:
    recomputed = solved["recomputes"]
    text = f"{recomputed} values computed again" if recomputed else "each value computed once"
    return PlayerScene(
        title=f"{solved['spec']}, M = {solved['memory']}: {solved['io']} words, {text}",
        spec=solved["spec"],
        memory=solved["memory"],
        rules=solved["rules"],
        op=tuple(solved["op"]),
        vertex=tuple(solved["vertex"]),
        lower_bound=solved["bound"],
    )


def _stencil_table(stencils: dict[str, tuple[IOCurve, IOCurve]]) -> Table:
    rows = []
    for spec, pair in stencils.items():
        cells = [dict(curve.envelope(kind)) for curve in pair for kind in ("upper", "lower")]
        rows += [(spec, memory, *(cell[memory] for cell in cells)) for memory in cells[0]]
    return table(
        "recomputation-stencils",
        "The best plays found and the best bounds, without and with recomputation.", rows, "DAG",
        "M [words]", "one-shot [words]", "bound [words]", "recompute [words]",
        "bound with recomputation [words]",
    )  # fmt: skip


def _exact_figure(helped: list[Row]) -> Figure:
    """The figure of optima against memory."""

    def drawn(spec: str, rows: list[Row], field: str, rules: Rules) -> Series:
        return series(
            f"{spec}, {rules.name}", rows, "memory", field, "upper",
            lambda row: f"{row[field]} words, optimal; {row[f'states {field}']:,} states",
        )  # fmt: skip

    return Figure(
        "recomputation-exact",
        "The least I/O of small DAGs, each value computed once and with recomputation; every point "
        "is optimal.",
        Axis("fast memory M [words]"),
        Axis("least I/O [words]"),
        tuple(
            drawn(spec, rows, field, rules)
            for spec, rows in grouped(helped, "spec").items()
            for field, rules in (("once", ONE_SHOT), ("again", RECOMPUTE))
        ),
    )


def _figure(spec: str, once: IOCurve, recomputed: IOCurve) -> Figure:
    """The figure of a stencil's plays and bounds without and with recomputation."""
    return Figure(
        f"recomputation-{'line' if spec == LINE else 'box'}",
        f"{spec}: the best plays found and the best bounds. The gap is that with recomputation.",
        Axis("fast memory M [words]", 2),
        Axis("I/O [words]", 10),
        (
            played(once, label="best schedule, one-shot"),
            proved(once, label="best bound, one-shot"),
            played(recomputed, label="best schedule, recompute"),
            proved(recomputed, label="best bound, recompute"),
        ),
        gap=("best schedule, recompute", "best bound, recompute"),
    )
