"""Operands of the instances of a program for all sizes, by the references of a certificate.

A certificate is of a DAG of some sizes, and constants in it may stand for sizes: the last value of
a chain of NK updates is the one at NK - 1, which is 11 where NK is 12. So a constant is tried as
each size that it is near, less the difference, and as itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from dags.programs.dataflow import Dataflow
from dags.programs.integer_sets import isl, parameters
from proofs.base import NotApplicableError
from proofs.lemmas.loops.operands import NO_LOOP

NEAR: Final = 3  # of a size: a constant that may stand for it
NO_SIZE: Final = -1
Sized = tuple[int, int]  # a size, or none, and what is added


@dataclass(frozen=True)
class Named:
    """A reference of a certificate, for all sizes.

    Parameters
    ----------
    made_by, loops
        As in `proofs.lemmas.loops.operands.Reference`.
    offsets
        What is added to each coordinate: a size, or -1 for none, and a number.
    """

    made_by: int
    loops: tuple[int, ...]
    offsets: tuple[Sized, ...]

    @property
    def at(self) -> str:
        """The point of the operand, as isl reads it."""
        return ",".join(
            f"{'' if loop == NO_LOOP else f'c{loop} + '}"
            f"{'' if size == NO_SIZE else f'n{size} + '}{by}"
            for loop, (size, by) in zip(self.loops, self.offsets, strict=True)
        )

    def described(self, sizes: Sequence[int]) -> dict[str, Any]:
        """Return the reference as a certificate of a DAG of some sizes has it."""
        offsets = [by + (0 if size == NO_SIZE else sizes[size]) for size, by in self.offsets]
        return {"made_by": self.made_by, "loops": list(self.loops), "offsets": offsets}


@dataclass(frozen=True)
class Reader:
    """Finds operands of one program.

    Parameters
    ----------
    found
        The values of the program.
    sizes
        The sizes of the DAG whose certificate it is.
    asked
        The sizes that are meant: a `islpy.Set` of parameters alone.
    """

    found: Dataflow
    sizes: Sequence[int]
    asked: Any

    def slot(self, operator: int, slot: Sequence[Mapping[str, Any]]) -> tuple[Any, list[Named]]:
        """Return from instances to the operand in a slot, and the references that are there.

        As in a certificate, the first reference that an instance has is meant; one that nothing
        has at some sizes is left out.

        Parameters
        ----------
        operator
            Whose operand it is.
        slot
            The references as a certificate has them.
        """
        read, named = self.relation(""), []
        for reference in slot:
            for one in self.readings(reference):
                some = self.operands(operator, one).intersect(self.found.reads)
                if self.asked.is_subset(some.params()):
                    read = read.union(some.subtract_domain(read.domain()))
                    named.append(one)
        return read, named

    def readings(self, reference: Mapping[str, Any]) -> Iterator[Named]:
        """Yield what a reference may be for all sizes."""
        loops, offsets = reference["loops"], reference["offsets"]
        pairs = zip(loops, offsets, strict=True)
        for at in product(*(self.forms(loop, offset) for loop, offset in pairs)):
            yield Named(reference["made_by"], tuple(loops), at)

    def forms(self, loop: int, offset: int) -> list[Sized]:
        """Return what an offset may be: where there is no loop, a size less something."""
        if loop != NO_LOOP:
            return [(NO_SIZE, offset)]
        away = [(place, offset - value) for place, value in enumerate(self.sizes)]
        return [*((place, by) for place, by in away if abs(by) <= NEAR), (NO_SIZE, offset)]

    def operands(self, operator: int, one: Named) -> Any:
        """Return from all instances of an operator to the values that a reference names."""
        maker = one.made_by
        name = f"S{maker}" if maker >= 0 else self.found.arrays[-1 - maker]
        return self.relation(f"{self.instance(operator)} -> {name}[{one.at}]")

    def relation(self, text: str) -> Any:
        """Return a relation that is written without the list of sizes."""
        return isl.UnionMap(f"{parameters(len(self.sizes))} -> {{ {text} }}")

    def points(self, text: str) -> Any:
        """Return a set that is written without the list of sizes."""
        return isl.UnionSet(f"{parameters(len(self.sizes))} -> {{ {text} }}")

    def instance(self, operator: int) -> str:
        """Return any instance of an operator, as isl reads it."""
        listed = self.found.computed.get_set_list()
        for place in range(listed.n_set()):
            if listed.get_at(place).get_tuple_name() == f"S{operator}":
                depth = listed.get_at(place).dim(isl.dim_type.set)
                return f"S{operator}[{','.join(f'c{i}' for i in range(depth))}]"
        raise NotApplicableError(f"assignment {operator} computes nothing")
