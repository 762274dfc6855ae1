"""Settings of Open MPI that keep one-sided data off shared memory."""


def windows_over_wire(version: str) -> dict[str, str]:
    """Parameters of Open MPI with which windows take the way of messages between processes.

    version: "5.0.11"; empty if unknown, which counts as 4.
    """
    if version.partition(".")[0] in ("", "4"):
        return {"osc": "pt2pt"}
    # Version 5 has no such component any more, and its UCX takes TCP only if that is said.
    return {"osc": "ucx", "osc_ucx_tls": "any", "osc_ucx_devices": "any"}
