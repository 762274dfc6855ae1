"""Whether ranks have the same plan."""

from mpi4py import MPI

from .._core import Plan
from ..errors import LapwingError


def require_same_plan(plan: Plan, comm: MPI.Intracomm) -> Plan:
    """Return `plan` if all ranks have plans of the same messages and window. Collective.

    Otherwise every rank raises the same LapwingError. It names the difference and two ranks.
    """
    for what, value in _terms(plan).items():
        values = comm.allgather(value)
        others = [rank for rank, other in enumerate(values) if other != values[0]]
        if others:
            told = f": {_in_words(what, values[0])} on rank 0"
            told += f", {_in_words(what, values[others[0]])} on rank {others[0]}"
            raise LapwingError(f"plans disagree in {what}{told}; all ranks need the same plan")
    return plan


def _terms(plan: Plan) -> dict[str, int]:
    return {
        "volume": sum(plan.messages),
        "grain": plan.grain,
        "messages": plan.count,
        "sizes": plan.fingerprint,
        "window": plan.window,
    }


def _in_words(what: str, value: int) -> str:
    """A term for people."""
    if what == "sizes":
        return f"those of fingerprint {value:x}"
    return f"{value} bytes" if what in ("volume", "grain") else str(value)
