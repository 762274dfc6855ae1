"""The Fortran module beside a C++ file of skeletons."""

from dataclasses import dataclass

from .site import Site
from .text import NOTHING, PHASE, PIECE, ROUND, SIDE, TILE, VALUES, Place, comment


@dataclass(frozen=True)
class Procedure:
    """A function of the C++ file. places: what it calls in Fortran."""

    site: Site
    name: str
    places: list[Place]

    @property
    def plain(self) -> dict[str, str]:
        """Its arguments but the procedures, each with its declaration."""
        pattern = self.site.first["pattern"]
        if self.name.endswith(("_sends", "_receives")):
            return {
                "number": "integer(c_int), value :: number",
                "peers": "integer(c_int), intent(in) :: peers(*)",
            }
        return {} if pattern == "alltoall" else {"times": "integer(c_int), value :: times"}


def module(file: str, procedures: list[Procedure]) -> str:
    """The module: interfaces of what the C++ file has, and the procedures that it calls."""
    said = comment(
        f"What {file} calls, and what calls it, in Fortran: written by `lapwing observe`. "
        "A program uses the module and calls overlap_..., with its communicator (of mpi_f08: "
        "comm%MPI_VAL). What it computes belongs where TODO stands; elements, phases and rounds "
        "are counted from 0.",
        mark="!",
    )
    interfaces = "\n".join(_interface(each) for each in procedures)
    contents = "\n".join(_contents(each) for each in procedures)
    return f"""{said}
module lapwing_overlapped
    use, intrinsic :: iso_c_binding
    implicit none

    interface
        ! Lets messages progress: to be called in long loops.
        subroutine poll() bind(c, name="lapwing_exchange_poll")
        end subroutine
{interfaces}
    end interface

contains
{contents}
end module
"""


def _interface(procedure: Procedure) -> str:
    places = [place.name for place in procedure.places]
    arguments = ["comm", *procedure.plain, *places]
    declared = ["integer(c_int), value :: comm", *procedure.plain.values()]
    declared.append(f"type(c_funptr), value :: {', '.join(places)}")
    body = "\n".join(f"            {line}" for line in declared)
    return f"""        subroutine {procedure.name}({", ".join(arguments)}) &
            bind(c, name="lapwing_{procedure.name}")
            import :: c_int, c_funptr
{body}
        end subroutine"""


def _contents(procedure: Procedure) -> str:
    number = procedure.name.removeprefix("exchange_")
    arguments = ["comm", *procedure.plain]
    declared = ["integer, intent(in) :: comm"]
    values = ["int(comm, c_int)"]
    for name in procedure.plain:
        kind = "integer(c_int), intent(in) :: peers(:)" if name == "peers" else ""
        declared.append(kind or f"integer, intent(in) :: {name}")
        values.append(name if name == "peers" else f"int({name}, c_int)")
    values += [f"c_funloc({place.name}_{number})" for place in procedure.places]
    body = "\n".join(f"        {line}" for line in declared)
    passed = ", &\n            ".join(values)
    own = f"""
{comment(procedure.site.words(), 4, "!")}
    subroutine overlap_{number}({", ".join(arguments)})
{body}
        call {procedure.name}( &
            {passed})
    end subroutine
"""
    return own + "".join(_place(place, number) for place in procedure.places)


_ARGUMENTS = {
    PIECE: "peer, first, count, values",
    SIDE: "peer, tag, count, values",
    TILE: "first, count, ranks, values",
    VALUES: "count, values",
    NOTHING: "",
    PHASE: "phase",
    ROUND: "time",
}


def _place(place: Place, number: str) -> str:
    declared = []
    if place.kind == PIECE:
        declared += [
            "integer(c_int), value :: peer",
            "integer(c_int64_t), value :: first, count",
        ]
    if place.kind == SIDE:
        declared += [
            "integer(c_int), value :: peer, tag",
            "integer(c_int64_t), value :: count",
        ]
    if place.kind == TILE:
        declared += [
            "integer(c_int64_t), value :: first, count",
            "integer(c_int), value :: ranks",
        ]
    if place.kind == VALUES:
        declared.append("integer(c_int64_t), value :: count")
    if place.kind in (PHASE, ROUND):
        declared.append(f"integer(c_int), value :: {_ARGUMENTS[place.kind]}")
    if place.kind in (PIECE, SIDE, TILE, VALUES):
        intent = "in" if place.reads else "inout"
        shape = "count, 0:ranks - 1" if place.kind == TILE else "count"
        declared.append(f"{place.element.fortran}, intent({intent}) :: values({shape})")
    body = "".join(f"        {line}\n" for line in declared)
    return f"""
    subroutine {place.name}_{number}({_ARGUMENTS[place.kind]}) bind(c)
{body}{comment(f"TODO(computation): {_in_fortran(place)}", 8, "!")}
    end subroutine
"""


def _in_fortran(place: Place) -> str:
    """What belongs there, in the words of the procedure's arguments."""
    if place.kind == TILE:
        does, who = ("use", "rank p sent") if place.reads else ("write", "rank p gets")
        return f"{does} values(:, p), elements from `first` on of what {who}."
    if place.kind == SIDE:
        if place.reads:
            return "use `values`, which `peer` sent with `tag`."
        return "write `values`, which `peer` gets with `tag`."
    if place.kind != PIECE:
        return place.todo
    if place.reads:
        return "use `values`, elements from `first` on of what rank `peer` sent."
    return "write `values`, elements from `first` on of what rank `peer` gets."
