"""Eager messages: sent without asking the receiver first."""

from collections.abc import Callable

from ..units import show_size
from .case import Case
from .finding import Advice, Trial
from .phrases import shell

LARGEST_EAGER = 1 << 20  # bytes; a larger eager limit costs too much memory


def raise_limit(
    case: Case, size: int, trial: Callable[[dict[str, str | None]], Trial]
) -> list[Advice]:
    """Advice to send messages of `size` bytes eagerly. trial: the trial of a setting.

    Empty if that costs too much memory, or if this MPI has no such setting.
    """
    setting = _setting(case, size)
    if not setting or size > LARGEST_EAGER:
        return []
    return [
        Advice(
            f"Raise the eager limit to {show_size(size)}: {shell(setting)} (takes memory for "
            "messages that nobody has asked for yet).",
            trial=trial(setting),
        )
    ]


def _setting(case: Case, size: int) -> dict[str, str | None]:
    limit = str(size + 4096)  # room for the library's header
    if case.mpi == "openmpi":
        way = "vader" if case.one_host else "tcp"
        return {
            f"OMPI_MCA_btl_{way}_eager_limit": limit,
            f"OMPI_MCA_btl_{way}_rndv_eager_limit": limit,
            f"OMPI_MCA_btl_{way}_max_send_size": limit,
        }
    if case.mpi == "mpich" and not case.one_host:
        return {"UCX_RNDV_THRESH": limit}
    return {}
