"""Whether a profile is of the machine that something else is about."""

import json

from .._core import Profile


def measured_on(profile: Profile) -> str:
    """The target that the profile was measured on; empty where it does not say."""
    text: str = json.loads(profile.to_json())["machine"].get("target", "")
    return text


def describes(profile: Profile, target: str, cluster: str | None) -> bool:
    """Whether it is the machine that the profile is of, on however many ranks; `target` as
    it is written, `cluster` as `cluster_of` has it. A profile that does not say what it is of is of
    any."""
    machine = json.loads(profile.to_json())["machine"]
    if cluster is not None and machine.get("cluster"):
        same: bool = machine["cluster"] == cluster
        return same
    measured = machine.get("target", "")
    return not measured or _without_ranks(measured) == _without_ranks(target)


def _without_ranks(target: str) -> list[str]:
    return target.split(":")[: 1 if target.startswith("mpi") else 2]
