"""The longest path of a recorded program, and how its time depends on the network's parameters."""

import math
from collections.abc import Mapping
from typing import Any

from .. import _core
from .._core import PathShare, Profile, Recording, ReplayOptions
from .recordings import description_of
from .replays import complaints, machine_of, options_of

# What is varied, and its unit.
_UNITS = {"L": "seconds", "G": "seconds_per_byte", "o": "seconds"}
_SHARES = (0.01, 0.02, 0.05)


def paths(
    recording: Recording,
    *,
    parameters: Mapping[str, int] | str | None = None,
    profile: Profile | None = None,
    ppn: int = 1,
    library: str | None = None,
    algorithms: Mapping[str, str] | None = None,
    computation: float = 1.0,
    ranks: int | None = None,
    tolerance: bool = False,
    by_site: bool = False,
) -> dict[str, Any]:
    """What `lapwing replay` says of a program if nothing contends for processors and links.

    `critical_path`: of what the longest path consists.  With `tolerance`, under that name, how the
    time depends on L, G and o; with `by_site`, in each site of the path, how it depends on those of
    the messages that the site sends.  The other parameters are those of `replay`.
    """
    machine = machine_of(parameters, profile, ppn)
    options = options_of(recording, library, algorithms, computation, ranks=ranks)
    with complaints(recording):
        found: dict[str, Any] = {"critical_path": _path(recording, options, machine)}
        if tolerance:
            found["tolerance"] = _tolerances(recording, options, machine, None)
        if by_site:
            for site in found["critical_path"]["sites"]:
                if site["number"] is not None:
                    site["tolerance"] = _tolerances(recording, options, machine, site["number"])
    return found


def _path(recording: Recording, options: ReplayOptions, machine: dict[str, Any]) -> dict[str, Any]:
    """The longest path; its sites, those with the longest time first."""
    found = _core.critical_path(recording, options, **machine)
    known = description_of(recording).get("sites", [])
    shares = [
        _share(share, number, known[number] if number < len(found.sites) - 1 else None)
        for number, share in enumerate(found.sites)
        if share.overheads > 0 or share.flight > 0
    ]
    return {
        "time": {"seconds": found.time * 1e-9},
        "computation": {"seconds": found.computed * 1e-9},
        "sites": sorted(shares, key=lambda each: -each["time"]["seconds"]),
    }


def _share(share: PathShare, number: int, site: dict[str, Any] | None) -> dict[str, Any]:
    """What a call site has of the path; of messages whose site is not known, it is None."""
    return {
        "number": number if site else None,
        "site": site,
        "time": {"seconds": (share.overhead + share.flight) * 1e-9},
        "overhead": {"seconds": share.overhead * 1e-9},
        "flight": {"seconds": share.flight * 1e-9},
        "counts": {"L": share.latencies, "G": share.gaps, "o": share.overheads},
    }


def _tolerances(
    recording: Recording, options: ReplayOptions, machine: dict[str, Any], site: int | None
) -> dict[str, Any]:
    return {name: _tolerance(recording, options, machine, name, site) for name in _UNITS}


def _tolerance(
    recording: Recording,
    options: ReplayOptions,
    machine: dict[str, Any],
    name: str,
    site: int | None,
) -> dict[str, Any]:
    found = _core.tolerance(
        recording, options, parameter=name, site=site, shares=list(_SHARES), **machine
    )
    unit = _UNITS[name]
    return {
        "slope": found.pieces[0].slope,
        "zones": [
            {"share": share, unit: None if math.isinf(zone) else zone * 1e-9}
            for share, zone in zip(_SHARES, found.zones, strict=True)
        ],
        "curve": [
            {unit: piece.begin * 1e-9, "time": {"seconds": piece.time * 1e-9}, "slope": piece.slope}
            for piece in found.pieces
        ],
    }
