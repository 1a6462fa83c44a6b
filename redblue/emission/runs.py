"""Emitted code compiled and run beside the original: the same bits, the words that are claimed.

Programs of our own printing are compiled, nothing else, without a shell, and with limits of time
and memory for the compiler and for its program.
"""

import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dags.errors import RedBlueError
from redblue.emission.expressions import shown
from redblue.emission.source import Interface, Parameter

SECONDS, BYTES = 60, 4 << 30
FLAGS: Final = (
    "-std=c99",
    "-O2",
    "-ffp-contract=off",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-maybe-uninitialized",
    "-Wno-unused-but-set-variable",
)
DRIVER: Final = """\
static unsigned long state;
static double drawn(void) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return 0.25 + (double)(state >> 40) / 16777216.0;
}
"""


class NoCompilerError(RedBlueError, RuntimeError):
    """No C compiler is at hand."""


class RunError(RedBlueError, RuntimeError):
    """Code that does not compile, or does not run to its end."""


@dataclass(frozen=True)
class Ran:
    """Prints of a run: bits of the outputs, of the words behind and before these, and messages."""

    outputs: str
    rest: str
    events: str
    told: str


def compiler() -> str:
    """The C compiler at hand."""
    compiler_path = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler_path is None:
        raise NoCompilerError("there is no C compiler: none of cc, gcc and clang is found")
    return compiler_path


class Runs:
    """Runs of one function at several sizes.

    Parameters
    ----------
    interface
        Its arguments.
    """

    def __init__(self, interface: Interface) -> None:
        self.interface = interface

    @contextmanager
    def binary(
        self,
        source: str,
        *,
        flags: Sequence[str] = (),
        prologue: str = "",
        prints: str = "",
        under: Sequence[str] = (),
        compiler_name: str | None = None,
        order: Sequence[str] = (),
    ) -> Iterator[Callable[[Mapping[str, int]], Ran]]:
        """Compile a source, and give the function that runs it at given sizes, for a while.

        Parameters
        ----------
        source
            The file.
        flags
            Of the compiler, besides the usual ones.
        prologue, prints
            C before the file, and at the end of `main`.
        under
            A command that runs it.
        compiler_name
            The compiler; None for the one at hand.
        order
            Names of the program, as the function takes its parameters; none for our order.

        Raises
        ------
        RunError
            If it does not compile, or ends otherwise than it should.
        """
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            text = "".join(
                [
                    "#include <stdio.h>\n#include <stdlib.h>\n",
                    prologue,
                    source,
                    DRIVER,
                    self._main(prints, order),
                ]
            )
            (place / "code.c").write_text(text, encoding="ascii")
            called(
                [compiler_name or compiler(), *FLAGS, *flags, "-o", "code", "code.c", "-lm"], place
            )

            def run(sizes: Mapping[str, int]) -> Ran:
                size_texts = [str(sizes[name]) for name in self.interface.sizes]
                output, errors = called([*under, str(place / "code"), *size_texts], place)
                events, _, remainder = output.rpartition("--\n")
                outputs, _, remainder = remainder.partition("==\n")
                return Ran(outputs, remainder, events, errors)

            yield run

    def compiles(self, source: str, order: Sequence[str]) -> bool:
        """Whether a source compiles whose function takes its parameters in some order."""
        try:
            with self.binary(source, flags=["-w"], order=order):
                return True
        except RunError:
            return False

    def _main(self, prints: str, order: Sequence[str]) -> str:
        """A main function that draws inputs, calls the function and prints its outputs."""
        face = self.interface
        rows = ["int main(int argc, char **argv) {", "  (void)argc; (void)argv; state = 1;"]
        rows += [
            f"  long {face.names[name]} = atol(argv[{number}]);"
            for number, name in enumerate(face.sizes, 1)
        ]
        values = {name: face.names[name] for name in face.sizes}
        shown_: list[str] = []
        for parameter in face.parameters:
            if parameter.extents is None:
                rows.append(f"  {parameter.kind} {parameter.name} = ({parameter.kind})drawn();")
                values[parameter.of] = parameter.name
                continue
            sides = [f"({shown(side)})" for side in parameter.extents]
            cells = f"{parameter.name}_"
            scale = "4 * " if parameter.kind in ("int", "long") else ""
            count = " * ".join(sides)
            rows += [
                f"  long n_{parameter.name} = {count};",
                f"  {parameter.kind} *{cells} = malloc((n_{parameter.name} + 1) * "
                f"sizeof({parameter.kind}));",
                f"  for (long i_ = 0; i_ < n_{parameter.name}; i_++)",
                f"    {cells}[i_] = ({parameter.kind})({scale}drawn());",
            ]
            if len(sides) == 2 and sides[0] == sides[1]:  # no matrix that is nearly singular
                bound = f"{sides[0]} + 1"
                rows.append(f"  for (long i_ = 0; i_ < {sides[0]}; i_++)")
                rows.append(f"    {cells}[i_ * ({bound})] += ({parameter.kind}){sides[0]};")
            values[parameter.of] = f"(void *){cells}"
            if parameter.of in face.live:
                shown_.append(
                    f"  for (long i_ = 0; i_ < n_{parameter.name}; i_++) {shown_bits(parameter)}"
                )
        passed = ", ".join(values[name] for name in order or face.order or values)
        calls = [f"  {face.function}({passed});", '  puts("--");', *shown_]
        return "\n".join([*rows, *calls, '  puts("==");', prints, "  return 0;", "}", ""])


def called(command: Sequence[str], place: Path) -> tuple[str, str]:
    """The prints of a command, to both outputs, in a folder and within the limits.

    Raises
    ------
    RunError
        If it takes too long, or fails.
    """

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))

    try:
        finished = subprocess.run(
            command,
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
            timeout=2 * SECONDS,
            stdin=subprocess.DEVNULL,
            preexec_fn=limited,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise RunError(f"{Path(command[0]).name} takes more than {2 * SECONDS} s") from None
    if finished.returncode:
        errors = [line for line in finished.stderr.splitlines() if "error" in line]
        why = f": {errors[0][:200]}" if errors else ""
        raise RunError(f"{Path(command[0]).name} ends with {finished.returncode}{why}")
    return finished.stdout, finished.stderr


def shown_bits(parameter: Parameter) -> str:
    """C that prints a cell of an array exactly."""
    if parameter.kind in ("int", "long"):
        return f'printf("%ld\\n", (long){parameter.name}_[i_]);'
    return f'printf("%a\\n", (double){parameter.name}_[i_]);'
