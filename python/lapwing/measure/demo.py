"""The demonstration: calibrate, plan, run and compare, on networks that come with Lapwing."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import LapwingError, RunFailed
from ..launch import Launch, parse
from ..launch.launch import Progress, part_of
from ..testbed.namespace import require_network
from .calibrate import calibrate
from .sweep import sweep

_MB = 1 << 20

# The volumes on each target, bytes. Every workload computes for as long as it communicates.
PLACES: dict[str, list[int]] = {
    "sim:ib4x": [64 << 10, _MB, 8 * _MB],
    "net:1gbit": [4 * _MB],
}
RATIO = 1.0


@dataclass(frozen=True)
class Network:
    """The measurements of one target: its profile document, and the sweep of each volume."""

    target: str
    profile: str
    sweeps: Sequence[dict[str, Any]]


@dataclass
class Demo:
    """All measurements, and the reason for each target that was left out."""

    networks: list[Network] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Everything as one document."""
        return {
            "lapwing": "demo",
            "networks": [
                {
                    "target": network.target,
                    "profile": json.loads(network.profile),
                    "sweeps": network.sweeps,
                }
                for network in self.networks
            ],
            "left_out": [
                {"target": target, "reason": reason} for target, reason in self.left_out.items()
            ],
        }

    def profiles(self) -> dict[str, str]:
        """The text of each profile, by the name of its file."""
        return {f"{_place(network)}.profile.json": network.profile for network in self.networks}

    def sweeps(self) -> dict[str, dict[str, Any]]:
        """The document of each sweep, by the name of its file."""
        return {
            f"{_place(network)}.sweep-{sweep['volume'] >> 10}KB.json": sweep
            for network in self.networks
            for sweep in network.sweeps
        }


def _place(network: Network) -> str:
    return network.target.replace(":", "-")


def demo(mpi: str | None, on_progress: Progress | None) -> Demo:
    """Calibrate and sweep on every target that works on this machine.

    mpi: the MPI by its family or a path; None, the first that is found.
    on_progress: called with the fraction done (0 to 1) and a short text.
    """
    found = Demo()
    for place, (target, volumes) in enumerate(PLACES.items()):
        share = part_of(on_progress, place / len(PLACES), (place + 1) / len(PLACES), target)
        try:
            if target.startswith("net"):
                require_network()
            found.networks.append(_network(target, volumes, mpi, share))
        except RunFailed:
            raise
        except LapwingError as error:  # the target needs something that is not installed
            found.left_out[target] = str(error)
    if not found.networks:
        raise LapwingError("demo: nothing can run here: " + "; ".join(found.left_out.values()))
    return found


def _network(
    target: str,
    volumes: list[int],
    mpi: str | None,
    on_progress: Progress | None,
) -> Network:
    parsed, steps = parse(target), 1 + len(volumes)
    part = part_of(on_progress, 0, 1 / steps, "calibrating")
    profile = calibrate(Launch(parsed, mpi, on_progress=part))
    sweeps = []
    for step, volume in enumerate(volumes, 1):
        part = part_of(on_progress, step / steps, (step + 1) / steps, f"{volume >> 10} KB")
        launch = Launch(parsed, mpi, on_progress=part)
        sweeps.append(sweep(profile, on=launch, volume=volume, ratio=RATIO, transport="two-sided"))
    return Network(target, profile.to_json(), sweeps)
