"""The figures that common benchmarks print, from a profile."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Benchmarks:
    """Half round trip (IMB PingPong, OSU latency) and bandwidth (OSU bw) against message size.

    measured: True, measured as those benchmarks do; False, computed from other tables of the
    profile.  sizes: bytes.  half_round_trip: seconds.  bandwidth: bytes per second.
    """

    measured: bool
    sizes: list[int]
    half_round_trip: list[float]
    bandwidth: list[float]


def benchmarks(profile: dict[str, Any]) -> Benchmarks:
    """Section `latency` of a profile document, or else what its other tables imply.

    These imply the half round trip T(S) = o_s(S) + L + o_r(S) + G S (LogGP, in the notation of
    Iancu) and the bandwidth of a flood.
    """
    if measured := profile.get("latency"):
        return Benchmarks(
            True, measured["sizes"], measured["half_round_trip"], measured["bandwidth"]
        )
    loggp, overhead, flood = profile["loggp"], profile["overhead"], profile["bandwidth"]
    sizes = overhead["sizes"] or flood["sizes"] or [1 << power for power in range(3, 21)]
    sends = [row[0] for row in overhead["send"] if row] or [loggp["o_s"]] * len(sizes)
    receives = overhead["receive"] or [loggp["o_r"]] * len(sizes)
    trips = [
        send + loggp["L"] + receive + loggp["G"] * size
        for size, send, receive in zip(sizes, sends, receives, strict=True)
    ]
    known = dict(zip(flood["sizes"], flood["unidirectional"], strict=True))
    rates = [
        known.get(size) or size / max(loggp["g"], loggp["G"] * size, sends[place])
        for place, size in enumerate(sizes)
    ]
    return Benchmarks(False, sizes, trips, rates)
