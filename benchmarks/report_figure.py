"""The figure of the README: words of a matrix product, drawn as `redblue report --figures` does.

python benchmarks/report_figure.py     writes docs/images/report_figure.svg, prints its caption
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from redblue.papers.experiments import EXPERIMENTS, Bench
from redblue.show.drawing import save_figure
from redblue.show.reporting import draw, looks

IMAGE = Path(__file__).resolve().parents[1] / "docs" / "images" / "report_figure.svg"


def main():
    experiment = EXPERIMENTS["matmul"](Bench())
    figure = next(entry for entry in experiment.figures if entry.name == "matmul-io")
    (styles,) = looks([figure])
    with TemporaryDirectory() as folder:
        files = save_figure(draw(figure, styles), Path(folder, "figure"))
        (svg,) = (path for path in files if path.suffix == ".svg")
        shutil.copyfile(svg, IMAGE)
    print(figure.caption)


if __name__ == "__main__":
    main()
