"""Lapwing: measure what a network costs, and hide communication behind computation.

machine = lapwing.load_profile("machine.json")
plan = lapwing.plan(machine, volume=8 << 20, compute=12e-3, grain=8)
plan.messages, plan.window, plan.predicted
lapwing.predict(machine, "bcast", ranks=[64, 4096], sizes=[8, 1 << 20])
"""

import json
import operator
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _core, machines
from ._core import LogGP, Plan, Profile
from .errors import LapwingError, RunFailed, did_you_mean
from .planning.patterns import Dependence, Direction, Pattern, usual_dependence, usual_direction
from .planning.tuner import Tuner
from .prediction.schedules import Deadlock, simulate

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Deadlock",
    "LapwingError",
    "LogGP",
    "Plan",
    "Profile",
    "RunFailed",
    "Tuner",
    "load_profile",
    "plan",
    "predict",
    "sensitivity",
    "simulate",
]


def load_profile(path: str | os.PathLike[str]) -> Profile:
    """The profile in the file at `path`, as `lapwing calibrate` wrote it.

    A plain name that is no file, say "ranger", is that of a published machine. A LapwingError says
    in one line which file, and what is wrong with it.
    """
    try:
        document = _file(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        raise LapwingError(f"{os.fspath(path)}: cannot read the profile: {reason}") from None
    try:
        return Profile.from_json(document.decode("utf-8", "replace"))
    except ValueError as error:
        raise LapwingError(f"{os.fspath(path)}: {error}") from None


def _file(path: str | os.PathLike[str]) -> Path:
    """Where a profile is: a file, or a machine that comes with Lapwing."""
    file, name = Path(path), os.fspath(path)
    if not name or os.sep in name or name.endswith(".json") or os.path.lexists(file):
        return file
    machine = machines.find(name)
    if machine is None:
        known = machines.names()
        raise LapwingError(
            f"{name}: no such file, and no machine of that name{did_you_mean(name, known)}: "
            f"there are {', '.join(known)}"
        )
    return machine


def plan(
    profile: Profile,
    *,
    volume: int,
    compute: float,
    grain: int = 1,
    pattern: Pattern = "stream",
    direction: Direction | None = None,
    dependence: Dependence | None = None,
    ranks: int | None = None,
    peers: int | None = None,
    balanced: bool = True,
    block: int = 0,
    stride: int = 0,
    sizes_known: bool = True,
    uncertainty: float = 0.0,
    transport: Literal["two-sided", "put", "get", "any"] = "two-sided",
    method: Literal["lapwing", "paper", "paper-size"] = "lapwing",
) -> Plan:
    """How to cut and run a workload on the machine that `profile` describes.

    volume: bytes in all that a rank which computes receives, or sends if it produces.  compute:
    seconds of its computation in all.  grain: bytes; messages are cut at its multiples.
    direction: "fetch", receive and then consume; "produce", compute and then send; "both", half of
    it on either side.  dependence: computation waits for the piece it works on ("tight") or for
    nothing ("loose").  Either is what the pattern usually is where it is left out.  ranks, peers:
    how many take part, and with how many others each exchanges.  balanced: all begin together.
    block, stride: bytes of data side by side, and from one block to the next.  sizes_known: if not,
    sizes are exchanged before data.  uncertainty: of the computation, 0.2 where it may be a fifth
    longer or as much shorter.  transport: how the program's messages move, "any" where the plan is
    to say.  method: "lapwing", messages of unequal size, or "paper", the discrete search of Iancu
    and Strohmaier (2007), or "paper-size", with an overhead that does not depend on the burst.

    A ValueError says what is impossible about the workload.
    """
    return _core.plan(profile, **_workload(locals()))


def sensitivity(profile: Profile, **workload: Any) -> dict[str, Any]:
    """How much depends on the inputs of a plan, as the sensitivity document describes it.

    Takes what `plan` takes, and a ValueError says the same.
    """
    found: dict[str, Any] = json.loads(
        _core.sensitivity(profile, **_workload(_bound(profile, workload)))
    )
    return found


def workload_of(profile: Profile, **workload: Any) -> dict[str, Any]:
    """What `plan` takes, but for the method, as the native planner wants it."""
    if "method" in workload:
        raise TypeError("a method is no part of a workload")
    words = _workload(_bound(profile, workload))
    del words["method"]
    return words


def _bound(profile: Profile, workload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `plan`, those that are left out too."""
    from inspect import signature  # which takes a while to load

    bound = signature(plan).bind(profile, **workload)
    bound.apply_defaults()
    return bound.arguments


def _workload(words: dict[str, Any]) -> dict[str, Any]:
    """What `plan` was given, as the native planner wants it."""
    words = {name: value for name, value in words.items() if name != "profile"}
    pattern = words["pattern"]
    words["direction"] = words["direction"] or usual_direction(pattern)
    words["dependence"] = words["dependence"] or usual_dependence(pattern)
    for name in ("volume", "grain", "block", "stride"):
        words[name] = operator.index(words[name])
    for name in ("ranks", "peers"):
        words[name] = 0 if words[name] is None else operator.index(words[name])
    return words


def predict(
    profile: Profile,
    operation: str,
    *,
    ranks: "ArrayLike",
    sizes: "ArrayLike",
    algorithm: str = "best",
    model: Literal["auto", "engine", "model", "printed"] = "auto",
    stride: int | None = None,
    ppn: int = 1,
) -> "NDArray[numpy.float64]":
    """Seconds that an operation will take on the machine that `profile` describes.

    operation: "send", from one rank to another, or a collective, "bcast".  ranks, sizes: numbers of
    ranks, and bytes, one of each or several; the result has a row for each number of ranks and a
    column for each size. A size is the whole message of a bcast, reduce or allreduce, what each
    rank has for each of an alltoall, a rank's block of the others.  algorithm: one by its name, the
    "best", or what "mvapich2", "mpich" or "openmpi" chooses.  model: "engine", event by event;
    "model", the closed form; "printed", as its paper prints it; "auto", the engine where it is
    quick.  stride: bytes from one element to the next, where data is strided.  ppn: ranks on each
    node.

    A ValueError says what is impossible, or missing in the profile.
    """
    from .prediction.grid import grid

    made = grid(
        profile,
        operation,
        ranks=ranks,
        sizes=sizes,
        algorithm=algorithm,
        model=model,
        stride=stride,
        ppn=ppn,
    )
    return made.seconds
