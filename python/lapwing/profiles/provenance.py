"""Where a profile was measured."""

import json

from .._core import Profile


def measured_on(profile: Profile) -> str:
    """The target that the profile was measured on; empty if the profile names none."""
    text: str = json.loads(profile.to_json())["machine"].get("target", "")
    return text


def describes(profile: Profile, target: str, cluster: str | None) -> bool:
    """Whether the profile was measured on this machine, on any number of ranks.

    target: as written on the command line.  cluster: digest of a simulated cluster, else None. A
    profile that names no target describes every machine.
    """
    machine = json.loads(profile.to_json())["machine"]
    if cluster is not None and machine.get("cluster"):
        same: bool = machine["cluster"] == cluster
        return same
    measured = machine.get("target", "")
    return not measured or _without_ranks(measured) == _without_ranks(target)


def _without_ranks(target: str) -> list[str]:
    return target.split(":")[: 1 if target.startswith("mpi") else 2]
