"""The page of many kernels: one table of all, and the curve of each."""

from dataclasses import replace
from shlex import quote

from redblue.answers.comparison.comparison import Comparison
from redblue.answers.results import IOCurve
from redblue.answers.tilings import tile_passages
from redblue.show.model import Experiment, Passage
from redblue.show.player.names import cleaned
from redblue.show.reporting import Report, Run, report_page
from redblue.show.reporting.as_data import from_data, to_data
from schedulers.methods import about


def kernels_page(found: Comparison, day: str) -> str:
    """The page as HTML that needs no network.

    Parameters
    ----------
    found
        The kernels.
    day
        The date on the page.
    """
    lines = [line for line in found.kernels if line.ratio is not None]
    widest = max(lines, key=lambda line: line.ratio or 0.0, default=None)
    kernels = len(found.curves)
    summary = f"{kernels} kernel{'s' * (kernels != 1)}, {len(found.kernels)} lines."
    if widest is not None:
        summary += (
            f" The best known schedules move at most {widest.ratio:.3f} times the words that are "
            f"proved to be needed ({widest.kernel} with M = {widest.memory:,})."
        )
    specs = " ".join(quote(curve.dag["spec"]) for curve in found.curves)
    of_all = Experiment(
        "kernels",
        f"I/O of kernels, {found.rules_named}",
        summary,
        tables=(found.kernel_table(),),
        passages=(scheduler_passage(found),),
        command=f"redblue curve {specs} --compare",
    )
    experiments = [of_all, *map(_of_kernel, found.names, found.curves)]
    runs = tuple(
        Run(clean.name, clean, "", 0.0)
        for clean in (from_data(to_data(each)) for each in experiments)
    )
    return report_page(Report(runs, day, title="I/O of kernels", own=True))


def scheduler_passage(comparison: Comparison) -> Passage:
    """The passage on the schedulers of a comparison: a paragraph on each."""
    paragraphs = [f"{name}: {text}" for name in comparison.methods if (text := about(name))]
    return Passage("What each scheduler does", "\n\n".join(paragraphs))


def _of_kernel(name: str, curve: IOCurve) -> Experiment:
    """The part of the page on a kernel: its figure, and the sentences on how it is known."""
    figure = replace(curve.figure(), caption=f"Words moved by {cleaned(name)} against M.")
    spec, sizes = quote(curve.dag["spec"]), ",".join(map(str, curve.memories))
    tilings = [(row.memory, row.io, row.tiling) for row in curve.tiled[-1:]]
    return Experiment(
        name,
        curve.title,
        " ".join(curve.notes) or repr(curve).strip("<>").partition(": ")[2] + ".",
        figures=(figure,),
        passages=tile_passages(tilings),
        command=f"redblue curve {spec} --memory {sizes}",
    )
