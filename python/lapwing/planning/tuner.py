"""Finding the plan of a loop while the loop runs."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from .. import _core
from .._core import Plan, Profile
from .plan import workload_of

Times = tuple[float, float, float]


class Tuner:
    """Finds the plan of a loop from what its steps take.

    tuner = lapwing.Tuner(machine, volume=8 << 20, grain=8)
    for _ in range(steps):
        run(tuner.plan)                             # the program's own loop over plan.messages
        tuner.step(elapsed, computation, waited)    # what that took, seconds

    It is told times and never communicates. Ranks that exchange messages need the same plan: see
    `agree` of `step`. It has settled after `most_steps` steps at most, and then only watches.
    """

    most_steps: int = _core.Tuner.most_steps

    def __init__(
        self,
        profile: Profile,
        *,
        compute: float = 0.0,
        tolerance: float = 0.05,
        allowance: float = 1.0,
        interval: int = 8,
        **workload: Any,
    ) -> None:
        """Begin to learn, for a workload as `lapwing.plan` has it.

        compute: seconds, and need not be right.  tolerance: share of a step's time by which it may
        depart from what was expected before that means anything.  allowance: steps of the loop
        without overlap that trials may cost in all while it learns.  interval: steps from one look
        at the loop to the next, once settled. A ValueError says what is impossible.
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
        """A tuner that is settled, with what another one learnt on this machine.

        learnt: of `learnt`, or the document in a file that C++ has saved. A ValueError says what is
        wrong with it, or that it was learnt on another machine.
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
        """What to run the next step by. Made anew at each call: keep it for the step."""
        return self._native.plan

    @property
    def settled(self) -> bool:
        """Whether it has found its plan and only watches."""
        return self._native.settled

    def step(
        self,
        elapsed: float,
        computation: float,
        waited: float = 0.0,
        *,
        agree: Callable[[Times], Times] | None = None,
    ) -> None:
        """A step by `plan` has ended.

        elapsed: seconds from its beginning to its end.  computation: of it, the program's own work.
        waited: of it, for messages.  agree: called with the three where a decision is due, which is
        in the same steps on all ranks, and returns what it is based on, with mpi4py
        `lambda mine: tuple(comm.allreduce(time, MPI.MAX) for time in mine)`; without it a rank
        decides for itself. A ValueError says which times are none.
        """
        self._native.step((elapsed, computation, waited), agree)

    def learnt(self) -> dict[str, Any]:
        """What it knows, for another run of the program; the document that C++ reads and writes.

        A RuntimeError says that it is still learning.
        """
        found: dict[str, Any] = json.loads(self._native.learnt())
        return found
