"""Messages between two ranks, as logs together tell: tables by size, and LogGP parameters."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median, quantiles

from .reading import Point, Quantity

# Bytes up to which a message is short: overheads and gap are those of such messages.
_SHORT = 64
# The slope of half round trips is taken from messages of at least this share of the longest.
_LONG = 1 / 16
_MANY = 200  # sizes
# A message of fewer bytes does not show what a byte of a long one takes.
LEAST_LONG = 64 << 10


@dataclass
class Link:
    """All values of each quantity, by size in bytes: several where several logs have it."""

    values: dict[Quantity, dict[int, list[float]]] = field(default_factory=dict)

    def add(self, points: Iterable[Point]) -> None:
        """Add the points that are of one pair of ranks."""
        for point in points:
            if point.pairs == 1:
                table = self.values.setdefault(point.quantity, defaultdict(list))
                table[point.size].append(point.value)

    def table(self, quantity: Quantity) -> dict[int, float]:
        """The median by size, sizes increasing; empty if no log has the quantity."""
        known = self.values.get(quantity, {})
        return {size: median(known[size]) for size in sorted(known)}

    def spread(self, quantity: Quantity, size: int) -> float:
        """By how much logs differ at a size: half the distance of the quartiles, relative.

        Of fewer than four logs half the distance of the extremes; of one, 0.
        """
        values = self.values[quantity][size]
        if len(values) < 4:
            return (max(values) - min(values)) / 2 / median(values)
        low, _, high = quantiles(values, n=4)
        return (high - low) / 2 / median(values)

    def repeated(self) -> bool:
        """Whether anything is there more than once."""
        return any(len(each) > 1 for table in self.values.values() for each in table.values())


@dataclass(frozen=True)
class Derived:
    """LogGP parameters, in seconds and seconds per byte, and how they follow from the tables.

    error: relative, of each; None if nothing was measured twice.  reasons: what each of some
    parameters was derived from, or is by convention.
    """

    loggp: dict[str, float]
    error: dict[str, float] | None
    reasons: list[str]


def derive(link: Link) -> Derived:
    """The LogGP parameters of a link that has half round trips T(S).

    With B(S) the bandwidth of a flood one way, D(S) that of floods both ways, s the shortest and S
    the longest message:

    - G is 1 / B(S) if S is 64 KB or more. Else it is the median slope of s / B(s) between all pairs
      of messages of at least a sixteenth of S. Without B it is that of T(s).
    - g is the least s / B(s) of messages of at most 64 bytes, else the overhead of a send.
    - o_s = o_r = o, for a ping-pong shows the sum o_s + L + o_r alone. In a flood a processor sends
      or receives a message every g, so o is at most g. In floods both ways it sends and receives
      one every 2 s / D(s). So o is at most the least s / D(s) of short messages. By convention it
      is the lesser of those, and at most T(s) / 2. Without any it is T(s) / 4, so that half of the
      time is the wire's.
    - L is T(s) - o_s - o_r - G s.

    Overheads, g or G that a tool measured itself (Netgauge) replace these.
    """
    trips = link.table("half_round_trip")
    shortest = next(iter(trips))
    reasons: list[str] = []
    gap, G = _gap(link), _per_byte(link, reasons)
    o_s, o_r = _overheads(link, trips[shortest], gap, reasons)
    if shortest > _SHORT:
        reasons.append(f"L is that of the shortest message, {shortest} bytes")
    if gap is None:
        gap = o_s
        reasons.append("g = o_s: no flood of short messages was measured")
    L = max(0.0, trips[shortest] - o_s - o_r - G * shortest)
    loggp = {"L": L, "o_s": o_s, "o_r": o_r, "g": gap, "G": G}
    return Derived(loggp, _errors(link, shortest), reasons)


def _gap(link: Link) -> float | None:
    """Seconds between short messages of a flood one way; None if none was measured."""
    if fitted := link.table("g"):
        return median(fitted.values())
    return _pace(link.table("unidirectional"))


def _pace(rates: dict[int, float]) -> float | None:
    """The least time between short messages at these rates; None if there are none."""
    return min((size / rate for size, rate in rates.items() if size <= _SHORT), default=None)


def _per_byte(link: Link, reasons: list[str]) -> float:
    if fitted := link.table("G"):
        return median(fitted.values())
    trips, rates = link.table("half_round_trip"), link.table("unidirectional")
    if rates and max(rates) >= LEAST_LONG:
        return 1 / rates[max(rates)]
    floods = {size: size / rate for size, rate in rates.items()}
    longest = max(floods or trips)
    if longest < LEAST_LONG:
        reasons.append(f"G is that of messages up to {longest} bytes: longer ones may differ")
    if (slope := _slope(floods)) > 0:
        return slope
    if (slope := _slope(trips)) > 0:
        reasons.append("G is the slope of half round trips: no flood of long messages was measured")
        return slope
    reasons.append("G is the longest half round trip over its bytes: their slope is not positive")
    return trips[max(trips)] / max(trips)


def _slope(times: dict[int, float]) -> float:
    """Seconds per byte: the median slope between pairs of long messages; 0 if there are none."""
    longest = max(times, default=0)
    sizes = [size for size in times if size >= _LONG * longest]
    sizes = sizes[:: len(sizes) // _MANY + 1]  # all pairs of very many would take long
    slopes = [(times[b] - times[a]) / (b - a) for a in sizes for b in sizes if b > a]
    return median(slopes) if slopes else 0.0


def _overheads(
    link: Link, trip: float, gap: float | None, reasons: list[str]
) -> tuple[float, float]:
    """The overheads of a send and of a receive. trip: half the round trip of a short message."""
    send, receive = link.table("send"), link.table("receive")
    if send and receive:
        return next(iter(send.values())), next(iter(receive.values()))
    both = _pace(link.table("bidirectional"))
    bounds = [bound for bound in (gap, both) if bound is not None]
    if not bounds:
        reasons.append(
            "o_s = o_r = T/4 and L = T/2 of the half round trip T: a convention, for ping-pongs "
            "show the sum alone"
        )
        return trip / 4, trip / 4
    overhead = min([*bounds, trip / 2])
    which = "a send and a receive each" if both is not None and both == overhead else "each message"
    if overhead == trip / 2:
        reasons.append("o_s = o_r = T/2 and L = 0: floods are slower than half round trips T")
    else:
        reasons.append(
            f"o_s = o_r: the time that floods leave for {which}, by convention all overhead; L is "
            "the rest of the half round trip"
        )
    return overhead, overhead


def _errors(link: Link, shortest: int) -> dict[str, float] | None:
    """The relative error of each parameter, by how much logs differ where it comes from."""
    if not link.repeated():
        return None
    trip = link.spread("half_round_trip", shortest)
    flood = link.table("unidirectional")
    long: Quantity = "unidirectional" if flood else "half_round_trip"
    per_byte = link.spread(long, max(link.table(long)))
    short = link.spread("unidirectional", min(flood)) if flood else trip
    return {"L": trip, "o_s": trip, "o_r": trip, "g": short, "G": per_byte}
