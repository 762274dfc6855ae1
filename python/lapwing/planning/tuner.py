"""On-line tuning: finding the plan of a loop while the loop runs."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from .. import _core
from .._core import Plan, Profile
from ..units.arguments import Time
from .plan import workload_of

Times = tuple[float, float, float]


class Tuner:
    """Finds the plan of a loop from the times of its steps.

        tuner = lapwing.Tuner(machine, volume=8 << 20, grain=8)
        for _ in range(steps):
            run(tuner.plan)                           # the program's own loop over plan.messages
            tuner.step(elapsed, computation, waited)  # seconds

    A tuner is told times and never communicates. Ranks that exchange messages need the same plan:
    see `agree` of `step`. A tuner settles after at most `most_steps` steps; from then on it only
    watches for a change.
    """

    most_steps: int = _core.Tuner.most_steps

    def __init__(
        self,
        profile: Profile,
        *,
        compute: Time = 0.0,
        tolerance: float = 0.05,
        allowance: float = 1.0,
        interval: int = 8,
        **workload: Any,
    ) -> None:
        """Begin to learn the plan of a workload.

        compute: first guess of the computation, seconds or text such as "12ms".  tolerance: share
        of a step's time by which it may differ from the expected time without meaning anything.
        allowance: time that all trials may cost while the tuner learns, in steps of the loop
        without overlap.
        interval: steps from one check for a change to the next, once settled.  workload: arguments
        of `lapwing.plan`. Raises ValueError if the workload is impossible.
        """
        self._native = _core.Tuner.begun(
            profile,
            **workload_of(profile, compute=compute, **workload),
            tolerance=tolerance,
            allowance=allowance,
            interval=interval,
        )

    @classmethod
    def resume(
        cls,
        profile: Profile,
        learnt: Mapping[str, Any],
        *,
        tolerance: float = 0.05,
        allowance: float = 1.0,
        interval: int = 8,
    ) -> "Tuner":
        """A settled tuner, with what another one has learnt on this machine.

        learnt: the document that `learnt` returned, here or in C++. Raises ValueError if it is
        malformed or was learnt on another machine.
        """
        tuner = cls.__new__(cls)
        tuner._native = _core.Tuner.resumed(
            profile,
            json.dumps(learnt),
            tolerance=tolerance,
            allowance=allowance,
            interval=interval,
        )
        return tuner

    @property
    def plan(self) -> Plan:
        """The plan of the next step. Each access makes it anew: keep it for the step."""
        return self._native.plan

    @property
    def settled(self) -> bool:
        """Whether the tuner has found its plan and only watches for a change."""
        return self._native.settled

    def step(
        self,
        elapsed: float,
        computation: float,
        waited: float = 0.0,
        *,
        agree: Callable[[Times], Times] | None = None,
    ) -> None:
        """Tell the tuner that a step by `plan` has ended.

        elapsed: seconds of the step.
        computation: seconds of computation in it.
        waited: seconds of waiting for messages in it.
        agree: makes the three times the same on all ranks. With mpi4py it is
            `lambda mine: tuple(comm.allreduce(time, MPI.MAX) for time in mine)`. It is called only
            before a decision, in the same steps on all ranks. None: each rank decides for itself.

        Raises ValueError if a time is negative or not finite.
        """
        self._native.step((elapsed, computation, waited), agree)

    def learnt(self) -> dict[str, Any]:
        """What the tuner has learnt, for another run of the program in Python or C++.

        Raises RuntimeError while it is still learning.
        """
        found: dict[str, Any] = json.loads(self._native.learnt())
        return found
