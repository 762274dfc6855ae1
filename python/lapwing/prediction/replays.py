"""Programs, recorded or written out as schedules, simulated on other machines."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .. import _core
from .._core import Profile, RankGrid, Recording, Replay, ReplayOptions, Schedule
from ..errors import LapwingError
from ..results.labelled import Document
from .programs import Program, read_program
from .recordings import description_of, numbers_of_sites
from .schedules import MOST_RANKS, Deadlock, whole

# Whose choice of algorithms a recording's MPI takes; Open MPI's where that is not known.
_LIBRARIES = {"openmpi": "openmpi", "mpich": "mpich", "intel": "mpich", "smpi": "simgrid"}

_MOST_TIMES = 1e6


class Replayed(Document):
    """The result of `replay`. trace: the time line as a JSON document, if it was asked for."""

    trace: str | None = None


def _result(played: Replay, program: Program, computation: float) -> Replayed:
    """The result of a replay. computation: how often longer than recorded that took."""
    simulation = played.simulation
    finish = [time * 1e-9 for time in simulation.finish_list_ns()]
    found = Replayed(
        lapwing="replay",
        ranks=len(finish),
        **_grid(played.grid),
        time={"seconds": max(finish)},
        communication=_rest(played.computes, sum(finish)),
        **_recorded(played, program),
        computation=computation,
        events=simulation.events,
        messages=simulation.messages,
        rank_times=[{"seconds": time} for time in finish],
    )
    found.trace = simulation.trace
    return found


def _recorded(played: Replay, program: Program) -> dict[str, Any]:
    """What was recorded, and how it went then; nothing of a schedule."""
    if isinstance(program, Schedule):
        return {}
    return {
        "command": description_of(program).get("command", []),
        "recorded": {
            "ranks": program.ranks,
            **_grid(played.recorded_grid),
            "time": {"seconds": played.longest},
            "computed": {"seconds": played.computed},
            "communication": _rest(played.computed, played.recorded),
        },
    }


def _grid(grid: RankGrid | None) -> dict[str, Any]:
    """The grid that ranks are; nothing if it did not have to be known."""
    return {"grid": {"sizes": grid.sizes, "periodic": grid.periodic}} if grid else {}


def _rest(part: float, whole_time: float) -> float:
    """The share of a time that is left when `part` of it is taken away."""
    return max(0.0, 1.0 - part / whole_time) if whole_time > 0 else 0.0


def replay(
    program: str | os.PathLike[str] | Program,
    *,
    parameters: Mapping[str, int] | str | None = None,
    profile: Profile | None = None,
    ppn: int = 1,
    topology: str | None = None,
    placement: str | None = None,
    library: str | None = None,
    algorithms: Mapping[str, str] | None = None,
    computation: float = 1.0,
    ranks: int | None = None,
    trace: bool = False,
) -> Replayed:
    """Run a recorded program on a simulated machine, message by message.

    program: what `lapwing record` wrote, a GOAL schedule, or the path of either's file.

    parameters: a LogGOPS machine, as `simulate` takes it; or else
    profile: a measured machine, with
    ppn: ranks on each node, which share the node's interfaces.
    topology: how nodes are connected, instead of the profile's topology, as `simulate` takes it.
    placement: the nodes of the topology that ranks are on, likewise.

    library: the MPI whose choice of algorithms collectives take: "openmpi", "mpich", "mvapich2" or
        "simgrid"; None, the one that was recorded.
    algorithms: for some collectives, the algorithm to take instead: {"alltoall": "pairwise"}.
    computation: how often longer than recorded computation takes.
    ranks: with how many, a multiple of those that were recorded, if ranks communicate in a grid:
        each has the work of a recorded one.
    trace: keep the time line as well.

    Of a schedule, whose messages are written out, library, algorithms and ranks must be None.

    Returns the result of `lapwing replay`: among others `time.seconds`, when the last rank ended,
    `rank_times`, and `recorded.time.seconds`, what the program took when it was recorded.
    Raises Deadlock if the program cannot end, and LapwingError if something is malformed, unknown
    or out of range.
    """
    if profile is not None and parameters is not None:
        raise LapwingError("a machine is either a profile or parameters")
    if profile is None and (ppn != 1 or (topology, placement) != (None, None)):
        raise LapwingError("ppn, topology and placement belong to a profile")
    read = program if isinstance(program, Program) else read_program(program)
    machine = placed_machine_of(parameters, profile, ppn, topology, placement)
    options = options_of(read, library, algorithms, computation, ranks=ranks)
    with complaints(read):
        played = _core.replay(read, options, trace=trace, **machine)
    return _result(played, read, computation)


def goal_text(
    program: str | os.PathLike[str] | Program,
    *,
    library: str | None = None,
    algorithms: Mapping[str, str] | None = None,
    computation: float = 1.0,
) -> str:
    """A recorded program as a GOAL schedule, with its collectives as messages; or a schedule.

    The parameters are those of `replay`; computation must be 1 of a schedule. On a LogGOPS machine
    the schedule takes the time that the program takes. Raises LapwingError also if a rank with a
    receive of any tag gets messages of several communicators: a schedule cannot tell them apart.
    """
    read = program if isinstance(program, Program) else read_program(program)
    options = options_of(read, library, algorithms, computation)
    if isinstance(read, Schedule):
        if computation != 1:
            raise LapwingError(
                f"{read.path}: is a schedule already; its computation cannot be scaled"
            )
        return read.to_goal()
    with complaints(read):
        return _core.written_out(read, options).to_goal()


def machine_of(
    parameters: Mapping[str, int] | str | None, profile: Profile | None, ppn: int
) -> dict[str, Any]:
    """The machine, as the engine takes it."""
    if profile is not None:
        return {"profile": profile, "ppn": whole("ppn", ppn, 1, MOST_RANKS)}
    if isinstance(parameters, str):
        return {"parameters": parameters}
    words = (f"{name}={value}" for name, value in (parameters or {}).items())
    return {"parameters": ",".join(words)}


def placed_machine_of(
    parameters: Mapping[str, int] | str | None,
    profile: Profile | None,
    ppn: int,
    topology: str | None,
    placement: str | None,
) -> dict[str, Any]:
    """The same, with what connects the nodes of a measured one."""
    machine = machine_of(parameters, profile, ppn)
    if profile is not None:
        machine |= {"topology": topology, "placement": placement}
    return machine


def options_of(
    program: Program,
    library: str | None,
    algorithms: Mapping[str, str] | None,
    computation: float,
    ranks: int | None = None,
) -> ReplayOptions:
    """How the engine runs a program."""
    if not 0 <= computation <= _MOST_TIMES:
        raise LapwingError(f"computation: {computation} is not from 0 to {_MOST_TIMES:g}")
    count, of_ranks = _sites(program)
    return ReplayOptions(
        library=_library(program, library, algorithms),
        algorithms=dict(algorithms or {}),
        computation=computation,
        ranks=_ranks(program, ranks),
        sites=count,
        sites_of_ranks=of_ranks,
    )


def _ranks(program: Program, ranks: int | None) -> int:
    """The number of ranks of a simulated program; 0: as many as it has."""
    if ranks is None:
        return 0
    if isinstance(program, Schedule):
        raise LapwingError(f"{program.path}: a schedule has the ranks that it has")
    return whole("ranks", ranks, 1, MOST_RANKS)


def _sites(program: Program) -> tuple[int, list[list[int]]]:
    """The call sites of a program; a schedule has none."""
    if isinstance(program, Schedule):
        return 0, []
    return numbers_of_sites(description_of(program), program.ranks)


def _library(program: Program, library: str | None, algorithms: Mapping[str, str] | None) -> str:
    """The MPI whose choice of algorithms collectives take."""
    if isinstance(program, Recording):
        return library or _LIBRARIES.get(str(description_of(program).get("mpi")), "openmpi")
    if library is not None or algorithms:
        raise LapwingError(
            f"{program.path}: a schedule has no collectives, for which to choose algorithms"
        )
    return "openmpi"


@contextmanager
def complaints(program: Program) -> Iterator[None]:
    """Say what goes wrong as Lapwing's own errors."""
    try:
        yield
    except _core.Deadlock as error:
        raise Deadlock(f"{program.path}: {error}") from None
    except ValueError as error:
        raise LapwingError(str(error)) from None
    except MemoryError:
        raise LapwingError("there is not enough memory for this program") from None
