"""Text of the skeletons: comments of the right width, and the places that are left open."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from .element import Element

# The first lines of a function, from those of its parameters that are not the communicator.
Head = Callable[[str], str]

WIDTH = 100

# The parameters of a place that is left open, in C++ and in Fortran: a part of what is exchanged
# with a peer, all with one side, a part with every rank, all values, nothing, or the number of the
# phase or the round.
PIECE, SIDE, TILE, VALUES = "piece", "side", "tile", "values"
NOTHING, PHASE, ROUND = "work", "phase", "round"


def comment(text: str, indent: int = 0, mark: str = "//") -> str:
    """A comment, in lines that are no wider than the page."""
    lines = textwrap.wrap(
        text, WIDTH - indent - len(mark) - 1, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(f"{' ' * indent}{mark} {line}" for line in lines)


@dataclass(frozen=True)
class Place:
    """A place that is left open. name: of the procedure in Fortran.  kind: its parameters."""

    name: str
    kind: str
    todo: str
    element: Element
    reads: bool


@dataclass
class Places:
    """The places of one function: in C++ comments, for Fortran calls of its procedures."""

    fortran: bool
    element: Element
    made: list[Place] = field(default_factory=list)

    def open(
        self, indent: int, name: str, kind: str, todo: str, call: str = "", reads: bool = False
    ) -> str:
        """The lines that stand there. call: what Fortran's procedure gets.  reads: only that."""
        self.made.append(Place(name, kind, todo, self.element, reads))
        if self.fortran:
            return f"{' ' * indent}{name}({call});"
        return comment(f"TODO(computation): {todo}", indent)

    def parameters(self) -> list[str]:
        """The parameters that a function for Fortran has for its procedures."""
        return [f"{self._type(place)} {place.name}" for place in self.made]

    def _type(self, place: Place) -> str:
        values = f"{'const ' if place.reads else ''}{place.element.cpp}*"
        return {
            PIECE: f"Piece<{values}>*",
            SIDE: f"OfSide<{values}>*",
            TILE: f"Tiles<{values}>*",
            VALUES: f"Values<{values}>*",
            NOTHING: "Work*",
            PHASE: "Phase*",
            ROUND: "Round*",
        }[place.kind]


def produced_part(places: Places) -> str:
    """The place, in a step of a pipeline, where a part of what one rank gets is written."""
    return places.open(
        12,
        "produce",
        PIECE,
        "write `values`, elements from part.first on of what rank `peer` gets.",
        "peer, first(part), std::ssize(values), values.data()",
    )
