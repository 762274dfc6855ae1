"""What OpenSHMEM needs beside Open MPI, of whose launcher it makes use (the family "oshmem")."""

# OpenSHMEM's messaging layer under MPI too: next to the one MPI would choose, Open MPI 4.1 ends in
# a segmentation fault.
_LAYER = {
    "pml": "ucx",
    "osc": "ucx",
    "btl": "self",
    # That layer is to be used over whatever it finds, TCP and shared memory too.
    "pml_ucx_tls": "any",
    "pml_ucx_devices": "any",
    # Where ranks share memory, the heap must be made by the layer itself, or a put waits until its
    # target calls the library.
    "sshmem": "ucx",
}
_HEAP = "64M"


def layer_options() -> list[str]:
    """For the launcher's command line, where that would choose another messaging layer."""
    return [word for name, value in _LAYER.items() for word in ("--mca", name, value)]


def shmem_environment(transports: str | None) -> dict[str, str]:
    """What is set for the launcher.

    transports: UCX's names of the ways bytes may go, e.g. "tcp,self"; None leaves that to UCX.
    """
    environment = {f"OMPI_MCA_{name}": value for name, value in _LAYER.items()}
    # The standard's name for the size of the symmetric heap, and the one Open MPI 4 reads.
    environment |= {"SHMEM_SYMMETRIC_SIZE": _HEAP, "SHMEM_SYMMETRIC_HEAP_SIZE": _HEAP}
    if transports is not None:
        environment["UCX_TLS"] = transports
    return environment
