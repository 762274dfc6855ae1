"""`net:RATE:N`: real MPI over a real link of limited rate between namespaces of this machine."""

from ..errors import LapwingError
from ..testbed.namespace import BRIDGE, LAUNCHER_NAMESPACE, SUBNET, in_network, on_rank
from .job import Job, reporting
from .shmem import layer_options, shmem_environment
from .windows import windows_over_wire


def net_job(
    program: list[str],
    ranks: int,
    *,
    family: str,
    version: str = "",
    launcher: str,
    options: list[str],
    rate: int,
    entry: list[str],
    processors: list[int],
) -> Job:
    """`program` (with its arguments) on `ranks` ranks, each behind a link of `rate` bits/s.

    family: the MPI, "openmpi", "mpich", "intel", or "oshmem".  version: of the MPI; it matters to
    Open MPI.  options: for the launcher, unchanged.
    entry: from `testbed.namespace.require_network`.  processors: their numbers; ranks take them in
    turn.
    """
    if family in ("openmpi", "oshmem"):
        command = ["ip", "netns", "exec", LAUNCHER_NAMESPACE, launcher, "-n", str(ranks)]
        command += ["--oversubscribe", "--bind-to", "none"]
        if family == "oshmem":
            command += layer_options()
        else:
            command += ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"]
            command += ["--mca", "btl_tcp_if_include", SUBNET]
            for name, value in windows_over_wire(version).items():
                command += ["--mca", name, value]
        environment = {
            "PMIX_MCA_ptl_tcp_if_include": BRIDGE,
            # In a user namespace everybody is root as well.
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }
        # Without this setting, UCX's own messages go through shared memory, too.
        environment |= {"UCX_TLS": "tcp,self"}
        if family == "oshmem":
            environment |= shmem_environment("tcp,self")
    elif family in ("mpich", "intel"):
        command = [launcher, "-launcher", "fork", "-n", str(ranks)]
        environment = {
            "mpich": {"UCX_TLS": "tcp,self", "MPIR_CVAR_NOLOCAL": "1"},
            "intel": {"I_MPI_FABRICS": "ofi", "I_MPI_OFI_PROVIDER": "tcp", "FI_PROVIDER": "tcp"},
        }[family]
        # Inside `on_rank`, so that it reports at the priority of the rank.
        program = reporting(program)
    else:
        raise LapwingError(f"net: {launcher} is of no MPI that is known: install Open MPI or MPICH")
    rank = on_rank(program, processors)
    return Job(in_network(entry, ranks, rate, [*command, *options, *rank]), environment)
