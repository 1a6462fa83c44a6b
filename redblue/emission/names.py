"""Names in C: those of a program where they are safe, others of our own making."""

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from dags.programs.affine import Affine
from dags.programs.canonical.mapping import Cells
from redblue.emission.expressions import shown

SAFE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
WORDS: Final = re.findall(
    r"\S+",
    """
auto break case char const continue default do double else enum extern float for goto if inline
int long register restrict return short signed sizeof static struct switch typedef union unsigned
void volatile while asm typeof alignas alignof bool constexpr false nullptr static_assert
thread_local true typeof_unqual complex imaginary I NULL NAN INFINITY errno stdin stdout stderr
EOF main bool_t unix linux i386 assert offsetof signal setjmp va_list environ loads stores COUNT
TRACE LOAD STORE MIN MAX FLOORD MOD SELECT got put did same abort abs atexit atof atoi atol atoll
bsearch calloc div exit free getenv labs ldiv llabs lldiv malloc qsort rand realloc srand strtod
strtof strtol strtold strtoll strtoul strtoull system memcpy memmove memset memcmp strlen strcpy
strcat strcmp printf scanf puts gets getchar putchar acos acosh asin asinh atan atan2 atanh cbrt
ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot
ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint
nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma
trunc gamma signgam signbit isnan isinf isfinite isnormal fpclassify isless isgreater isunordered
double_t float_t clock time read write open close index rindex pipe fork wait kill sleep link
select drand48 lrand48 random pow10 drem
""",
)
OF_FLOATS: Final = [f"{name}{end}" for name in WORDS for end in "fl"]  # sqrtf and sqrtl
TAKEN: Final = frozenset((*WORDS, *OF_FLOATS, *keyword.kwlist))


class Names:
    """Names of one C file, each given once.

    Parameters
    ----------
    known
        Names of the program.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._taken: set[str] = set()
        self._of = {name: self.fresh(name, "a") for name in known}

    def __getitem__(self, name: str) -> str:
        return self._of[name]

    def cell(self, array: str, indices: Sequence[Affine], cells: Mapping[str, Cells]) -> str:
        """A cell of an array as C has it.

        Parameters
        ----------
        array, indices
            The cell.
        cells
            Where cells of arrays are that are those of others.
        """
        stored_cell = cells.get(array)
        if stored_cell is not None:
            array, indices = stored_cell.array, stored_cell.of(indices)
        return self[array] + "".join(f"[{shown(index)}]" for index in indices)

    def fresh(self, wanted: str, fallback: str = "x") -> str:
        """A name that is not taken yet: the wanted one if it is safe."""
        name = wanted if is_safe(wanted) else f"{fallback}1"
        stem, number = name.rstrip("0123456789") or "x", 1
        while name in self._taken:
            number += 1
            name = f"{stem}{number}"
            if name in TAKEN:
                name = f"{stem}_{number}"
        self._taken.add(name)
        return name

    def iterator(self, wanted: str, around: Iterable[str]) -> str:
        """A name for a loop, which may be that of others that it is not inside of."""
        around = set(around)
        stem = wanted if is_safe(wanted) else "t"
        stem, number = stem.rstrip("0123456789") or "t", -1
        name = wanted if is_safe(wanted) else stem
        while name in self._taken or name in around or name in TAKEN:
            number += 1
            name = f"{stem}{number}"
        return name


def is_safe(name: str) -> bool:
    """Whether a name of a program may be one of C: no keyword, no function, no macro."""
    return SAFE.fullmatch(name) is not None and "__" not in name and name not in TAKEN
