"""`sim:CLUSTER:N`: the native program in simulated time, under SimGrid's `smpirun`."""

import os
import re
from pathlib import Path

from ..errors import LapwingError
from ..testbed.cluster import Cluster, Interface
from ..testbed.platform import smpi_options
from .job import Job

# Bytes from which freed memory goes back to the system. Message buffers come and go, and asking the
# system for memory again would take a quarter of the time of a calibration.
_KEEP_MEMORY = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(1 << 30))

# smpirun is a shell script that splits and expands its arguments a second time.
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
    interfaces: bool = True,
) -> Job:
    """The loadable `module` with `arguments` on `ranks` simulated ranks.

    platform, hostfile: paths of files that describe the hosts.  options: for smpirun, unchanged.
    interfaces: whether the module is linked with Lapwing's simulated interfaces.
    """
    if not interfaces and cluster.interface != Interface():
        raise LapwingError(
            f"sim: {module} is not linked with Lapwing's simulated interfaces, and {cluster.name} "
            "has an [interface] with limits"
        )
    for argument in (platform, hostfile, *arguments):
        if not argument or _UNSAFE.search(argument):
            raise LapwingError(
                f'sim: "{argument}" cannot be passed through smpirun: '
                r"use a name without spaces and without any of *?[\ "
            )
    command = ["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hostfile]
    rates = ",".join(f"{kernel}={rate:.17g}" for kernel, rate in cluster.kernels.items())
    return Job(
        [
            *command,
            *smpi_options(cluster, interfaces=interfaces),
            *options,
            module,
            *arguments,
        ],
        {
            "LAPWING_KERNELS": rates,
            "LAPWING_CLUSTER": cluster.digest,
            **_KEEP_MEMORY,
            # SMPI runs copies of the module, elsewhere; its library is beside the module itself.
            "LD_LIBRARY_PATH": _library_path(module),
        },
    )


def _library_path(module: str) -> str:
    folders = [str(Path(module).resolve().parent), os.environ.get("LD_LIBRARY_PATH", "")]
    return os.pathsep.join(folder for folder in folders if folder)
