"""Options of a chip whose area is split between memory and arithmetic."""

from typing import Annotated

import typer

WordBits = Annotated[float, typer.Option(help="Bits of a word, L_w.")]
BitArea = Annotated[float, typer.Option(help="Area of a bit of memory, in lambda^2, alpha_m.")]
UnitArea = Annotated[float, typer.Option(help="Area of a functional unit, in lambda^2, alpha_F.")]
Pins = Annotated[float, typer.Option(help="Bits a cycle across a lambda of the perimeter, beta.")]
Usable = Annotated[float, typer.Option(help="Share for memory and functional units, eta.")]

SIDES = "25000,50000,100000,200000,400000,800000,1600000"
