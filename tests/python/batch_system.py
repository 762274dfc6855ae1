"""A cluster of two nodes with SLURM on the shaped link of the testbed, while it is used."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lapwing.errors import LapwingError
from lapwing.testbed.namespace import LAUNCHER_NAMESPACE, in_network, require_network

NODES = 2
_RATE = 1_000_000_000  # bits per second of each node's link
_NODES_SCRIPT = str(Path(__file__).with_name("batch_nodes.sh"))
_NEEDED = ["munged", "slurmctld", "slurmd", "srun", "salloc", "sbatch", "nsenter"]

# The controller's host is the login node: its network, its name. Everything is private already.
_START = f'exec nsenter --net=/run/netns/{LAUNCHER_NAMESPACE} unshare --uts sh "$@"'


class NotHere(Exception):
    """Why this machine has no batch system to test with, in a line."""


@dataclass(frozen=True)
class Slurm:
    """inside: number of a process on the login node; it ends when its standard input is closed."""

    inside: int

    def run(
        self,
        words: list[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        said: str = "",
        timeout: float = 60,
    ) -> "subprocess.CompletedProcess[str]":
        """Run `words` on the login node, in `folder`.  said: standard input."""
        enter = ["nsenter", "--all", f"--target={self.inside}"]
        # The working directory of this process is not one of the login node's.
        return subprocess.run(
            [*enter, "sh", "-c", 'cd "$0" && exec "$@"', str(folder), *words],
            env={**environment, "SLURM_CONF": "/run/slurm/slurm.conf"},
            input=said,
            capture_output=True,
            text=True,
            timeout=timeout,
        )


@contextmanager
def slurm() -> Iterator[Slurm]:
    """A cluster whose nodes are idle. Raises NotHere without SLURM, or without the privileges.

    Its processes and files live in the namespaces of one process, which ends with this one.
    """
    for tool in _NEEDED:
        if shutil.which(tool) is None:
            raise NotHere(f"no {tool}: install slurmctld slurmd slurm-client munge")
    try:
        entry = require_network()
    except LapwingError as error:
        raise NotHere(str(error)) from None
    if "--user" in entry:
        raise NotHere("SLURM's daemons need root")
    start = ["sh", "-c", _START, "lapwing-slurm", _NODES_SCRIPT, str(NODES)]
    with subprocess.Popen(
        in_network(entry, NODES, _RATE, start),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C reaches the tests alone
    ) as outermost:
        assert outermost.stdin is not None
        assert outermost.stdout is not None
        assert outermost.stderr is not None
        try:
            if outermost.stdout.readline() != "ready\n":
                raise RuntimeError(outermost.stderr.read())
            builder = _eldest_child(outermost.pid)  # of the network
            yield Slurm(_eldest_child(builder))
        finally:
            outermost.stdin.close()
            outermost.wait()


def _eldest_child(process: int) -> int:
    """Daemons that it adopts come after its own child."""
    return int(Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])
