"""Messages that leave without asking the receiver first."""

from collections.abc import Callable

from ..units import show_size
from .case import Case
from .finding import Advice, Trial
from .phrases import shell

LARGEST_EAGER = 1 << 20  # bytes; an eager limit above it costs too much memory


def raise_limit(
    case: Case, size: int, trial: Callable[[dict[str, str | None]], Trial]
) -> list[Advice]:
    """To let messages of `size` bytes leave at once, tried as `trial` says of its setting.

    Nothing where that costs too much memory, or where no setting of this MPI's does it.
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
    limit = str(size + 4096)  # with the library's header
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
