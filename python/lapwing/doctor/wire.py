"""Rules about the wire: which way bytes went, and how fast that could be."""

from functools import partial

from ..launch.windows import windows_over_wire
from ..units import show_rate, show_size
from .case import Case, known_speeds, same_machine
from .eager import raise_limit
from .finding import Advice, Finding, Trial, slowdown_outcome, slowdown_trial
from .phrases import shell, sizes
from .row import TURNS, bandwidth

SHORTCUT = 4.0  # data over this many times as fast as messages did not go over the same wire
BEYOND = 1.25  # data over this many times the rate of the link did not go over it
FAST_LINK = 1e10  # bits per second; from here on small frames take too much of a processor
JUMBO = 9000  # bytes


def shortcut(case: Case) -> list[Finding]:
    """One-sided data that does not go over the wire that messages go over."""
    messages = {
        row["size"]: bandwidth(row) for row in case.judged if row["computes"] == "initiator"
    }
    found = []
    for row in case.rows:
        # In one host messages go through shared memory as UCX does, and are copied twice.
        looked_at = ("rma",) if case.one_host else ("rma", "ucx")
        if row["transport"] not in looked_at or row["size"] not in messages:
            continue
        two_sided = messages[row["size"]]
        limit = SHORTCUT * two_sided
        if case.rate is not None:
            limit = min(limit, BEYOND * case.rate / 8)
        if bandwidth(row) > limit:
            found.append((bandwidth(row) / two_sided, row, limit))
    if not found or not same_machine(case):
        return []
    _, row, limit = max(found, key=lambda entry: entry[0])
    two_sided = messages[row["size"]]
    link = f", the link {show_rate(case.rate / 8)}" if case.rate is not None else ""
    advice = [
        Advice(
            f"Send it over the wire, like messages: {shell(setting)}; between hosts there is no "
            "shortcut.",
            trial=Trial(
                setting,
                row["transport"],
                row["computes"],
                row["size"],
                "bandwidth",
                bandwidth(row),
                limit,
            ),
        )
        for setting in filter(None, [_without_memory(row["transport"], case)])
    ]
    return [
        Finding(
            "window-shortcut",
            "help",
            "One-sided data goes through shared memory while messages go over a wire: what is "
            "measured of it says nothing about the network.",
            f"{row['operation']} of {show_size(row['size'])} reaches {show_rate(bandwidth(row))}, "
            f"messages {show_rate(two_sided)}{link}.",
            advice,
        )
    ]


def _without_memory(transport: str, case: Case) -> dict[str, str | None] | None:
    """The setting that keeps one-sided data out of shared memory."""
    by_ucx: dict[str, str | None] = {"UCX_TLS": "tcp,self"}
    if transport == "ucx":
        return by_ucx
    if case.mpi == "openmpi":
        windows = windows_over_wire(case.version)
        setting = by_ucx if windows["osc"] == "ucx" else {}
        return setting | {f"OMPI_MCA_{name}": value for name, value in windows.items()}
    return {"MPIR_CVAR_NOLOCAL": "1"} if case.mpi == "mpich" else None


def taking_turns(case: Case) -> list[Finding]:
    """Messages both ways at once that take as long as one way after the other would."""
    slow = [row for row in case.both_ways if row["slowdown"] - row["error"] > TURNS]
    if not slow or case.one_host:  # in memory, both ways share the processors
        return []
    worst = max(slow, key=lambda row: row["slowdown"])
    evidence = (
        f"{show_size(worst['size'])}, {_in_flight(worst['in_flight'])}: both ways at once take "
        f"{worst['slowdown']:.2f} times as long as one."
    )
    advice = []
    for other in case.both_ways:
        if other["size"] == worst["size"] and other["in_flight"] != worst["in_flight"]:
            tried = slowdown_outcome(worst["slowdown"], other["slowdown"])
            advice.append(Advice(f"Keep {_in_flight(other['in_flight'])} each way.", tried))
    advice += raise_limit(case, worst["size"], partial(slowdown_trial, worst))
    advice.append(
        Advice(
            "If nothing helps, plan for it: send one way at a time, or hide the longer of the two "
            "behind computation."
        )
    )
    return [
        Finding(
            "taking-turns",
            "help",
            f"Messages of {sizes(slow)} take turns where both sides send: an exchange is slower "
            "than the link.",
            evidence,
            advice,
        )
    ]


def _in_flight(count: int) -> str:
    return "one message in flight" if count == 1 else f"{count} messages in flight"


def interface(case: Case) -> list[Finding]:
    """Messages that are slower than the fastest interface of the host."""
    if not case.judged or case.one_host:
        return []
    largest = max(case.judged, key=lambda row: row["size"])
    reached = max(8 * bandwidth(row) for row in case.judged if row["size"] == largest["size"])
    speeds = known_speeds(case)
    fastest, speed = max(speeds.items(), key=lambda entry: entry[1], default=("the link", 0.0))
    if case.rate is not None:
        fastest, speed = "the link", case.rate
    if reached >= 0.5 * speed:
        return []
    others = {n: v for n, v in speeds.items() if 0.5 * v <= reached <= 1.05 * v and v < speed}
    evidence = (
        f"Messages of {show_size(largest['size'])} reach {show_rate(reached / 8)}; {fastest} has "
        f"{show_rate(speed / 8)}"
    )
    if not others or case.rate is not None:
        what = f"Messages reach less than half of what {fastest} can do."
        look = "Look for other traffic, a wrong speed or duplex, or a protocol that waits."
        return [Finding("slow-link", "help", what, evidence + ".", [Advice(look)])]
    used = max(others, key=others.__getitem__)
    setting: dict[str, str | None] = (
        {"OMPI_MCA_btl_tcp_if_include": fastest}
        if case.mpi == "openmpi"
        else {"UCX_NET_DEVICES": fastest}
    )
    trial = Trial(
        setting, "two-sided", largest["computes"], largest["size"], "bandwidth", reached / 8
    )
    return [
        Finding(
            "wrong-interface",
            "help",
            f"Messages seem to go through {used}, although {fastest} is faster.",
            f"{evidence}, {used} {show_rate(others[used] / 8)}.",
            [Advice(f"Name the interface: {shell(setting)}.", trial=trial)],
        )
    ]


def mtu(case: Case) -> list[Finding]:
    """Small frames on a fast link."""
    if case.one_host or not case.places:
        return []
    speeds = known_speeds(case)
    small = [
        interface
        for interface in case.places[0]["interfaces"]
        if interface["mtu"] is not None
        and interface["mtu"] < JUMBO
        and speeds.get(interface["name"], case.rate or 0) >= FAST_LINK
    ]
    if not small:
        return []
    interface = max(small, key=lambda entry: speeds.get(entry["name"], 0.0))
    return [
        Finding(
            "mtu",
            "note",
            f"{interface['name']} is fast but sends small frames. Each frame costs CPU time "
            "on both sides.",
            f"Its MTU is {interface['mtu']}.",
            [
                Advice(
                    f"Set it to {JUMBO} on all hosts and switches, if they allow it (not tried: "
                    f"that takes an administrator): ip link set {interface['name']} mtu {JUMBO}"
                )
            ],
        )
    ]
