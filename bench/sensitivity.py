"""Table 2 of Iancu and Strohmaier (2007) for a profile: how plans depend on their inputs.

Communication takes longer: computation is 0.43 of the wire time, as in the paper's figure 7.

  lapwing calibrate --on sim:ib4x -o ib4x.json
  build/venv/bin/python bench/sensitivity.py ib4x.json
"""

import argparse
from typing import Any

import lapwing

RATIO = 0.43
VOLUMES = [2 << 10 << i for i in range(10)]  # doubles
RANKS = 32


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile", help="profile of the machine")
    profile = lapwing.load_profile(parser.parse_args().profile)
    heads = [f"{v >> 10}K" if v < 1 << 20 else "1M" for v in VOLUMES]
    print("| doubles | " + " | ".join(heads) + " |")
    print("|---|" + "---|" * len(heads))
    for method in ("paper", "lapwing"):
        found = {
            name: [sensitivity(profile, 8 * volume, method, ranks) for volume in VOLUMES]
            for name, ranks in (("stream", 0), (f"all-to-all, {RANKS}", RANKS))
        }
        for name, each in found.items():
            rows = [
                ("overestimate that changes it", [share(s["over"]["changes"]) for s in each]),
                ("underestimate that changes it", [share(s["under"]["changes"]) for s in each]),
                ("overestimate that costs 1 %", [share(s["over"]["costs"]) for s in each]),
                ("underestimate that costs 1 %", [share(s["under"]["costs"]) for s in each]),
                (
                    "worst wrong estimate",
                    [lost(max(s["over"]["worst"], s["under"]["worst"])) for s in each],
                ),
                ("model", [lost(s["model"]) for s in each]),
                ("misdiagnosed", [lost(s["misdiagnosed"]) for s in each]),
            ]
            for what, cells in rows:
                print(f"| {method}, {name}: {what} | " + " | ".join(cells) + " |")


def sensitivity(profile: lapwing.Profile, volume: int, method: str, ranks: int) -> dict[str, Any]:
    """The sensitivity of a communication-bound stream, or of an all-to-all of `ranks` ranks."""
    pattern = {"pattern": "alltoall", "ranks": ranks} if ranks else {}
    return lapwing.sensitivity(
        profile,
        volume=volume,
        compute=RATIO * volume * profile.loggp.G,
        grain=8,
        method=method,
        **pattern,
    )


def share(value: float | None) -> str:
    """An error in per cent; `*` if none that was tried matters."""
    return "*" if value is None else f"{value:.0%}"


def lost(value: float) -> str:
    """A loss in per cent; `*` if it is below one, as in the paper."""
    return "*" if value < 0.01 else f"{value:.0%}"


if __name__ == "__main__":
    main()
