"""`sim:CLUSTER:N`: the same program in simulated time, under SimGrid's `smpirun`."""

import re

from ..errors import LapwingError
from ..testbed.cluster import Cluster
from ..testbed.platform import smpi_options
from .job import Job

# Buffers of messages come and go: memory once had is kept, for to ask the system for it again takes
# a quarter of the time of a calibration. Bytes.
_KEEP_MEMORY = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(1 << 30))

# smpirun is a shell script that splits and expands what it is given a second time.
_UNSAFE = re.compile(r"[\s*?\[\\]")


def sim_job(
    module: str,
    arguments: list[str],
    ranks: int,
    *,
    cluster: Cluster,
    platform: str,
    hostfile: str,
    options: list[str],
) -> Job:
    """The loadable `module` with `arguments` on `ranks` simulated hosts.

    platform, hostfile: paths of the files that describe them.  options: for smpirun, unchanged.
    """
    for argument in (platform, hostfile, *arguments):
        if not argument or _UNSAFE.search(argument):
            raise LapwingError(
                f'sim: "{argument}" cannot be passed through smpirun: '
                r"use a name without spaces and without any of *?[\ "
            )
    command = ["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hostfile]
    rates = ",".join(f"{kernel}={rate:.17g}" for kernel, rate in cluster.kernels.items())
    return Job(
        [*command, *smpi_options(cluster), *options, module, *arguments],
        {"LAPWING_KERNELS": rates, "LAPWING_CLUSTER": cluster.digest, **_KEEP_MEMORY},
    )
