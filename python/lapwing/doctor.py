"""What stands in the way of overlap, judged from measurements alone: no launching, no files.

A measurement is a row of `lapwing-mpi doctor`: one operation, one size, one side that computes, and
the share of the communication that was hidden in each way to use it (see `USES`).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .units import show_seconds, show_share, show_size

Row = dict[str, Any]

# Thresholds, shares of the communication. Below BROKEN in the best way to use it, a size class does
# not overlap; from FINE on nobody has to do anything.
BROKEN = 0.5
FINE = 0.8
JUDGED_FROM = 32 << 10  # bytes; what is smaller is mostly overhead, which nothing hides
HELPED = 0.1  # what a share has to gain for an advice to have helped
UNSURE = 0.25  # an error of a share above this says the machine was disturbed
DISTURBED = 0.1  # the same of samples dropped
SHORTCUT = 4.0  # times as fast as messages: what never went over the same wire
BEYOND = 1.25  # times the rate of the link: what never went over it
FAST_LINK = 1e10  # bits per second from which a small MTU costs a processor
JUMBO = 9000  # bytes
LARGEST_EAGER = 1 << 20  # bytes; an eager limit above it costs too much memory

USES = {
    "unattended": "nothing called",
    "polled": "polled",
    "two_in_flight": "two in flight",
}
_SIDES = {"initiator": "sending", "target": "receiving"}

Verdict = Literal["fine", "needs help", "broken"]
Severity = Literal["broken", "help", "note"]


@dataclass(frozen=True)
class Outcome:
    """An advice with and without: a share hidden ("hidden"), or bytes per second ("bandwidth").

    after is None where the trial failed; `reason` then says why.
    """

    quantity: Literal["hidden", "bandwidth"]
    before: float
    after: float | None
    helped: bool
    reason: str = ""


@dataclass(frozen=True)
class Trial:
    """A launch that would show whether a setting helps.

    side, transport, size: of the rows to compare.  environment: what to set; None, to unset.
    """

    environment: dict[str, str | None]
    transport: str
    side: str
    size: int
    quantity: Literal["hidden", "bandwidth"]
    before: float
    limit: float = math.inf  # a bandwidth above this is impossible


@dataclass(frozen=True)
class Advice:
    """do: in words.  tried: what it brought, if it was.  trial: how to try it, if it can be."""

    do: str
    tried: Outcome | None = None
    trial: Trial | None = None

    @property
    def recommended(self) -> bool:
        """Not where it was tried and did not help."""
        return self.tried is None or self.tried.helped


@dataclass(frozen=True)
class Finding:
    """name: of the rule.  what: stands in the way.  evidence: how one sees it."""

    name: str
    severity: Severity
    what: str
    evidence: str
    advice: list[Advice] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """What there is to judge by.

    rows: the measurements.  places: of the ranks, empty where simulated.  environment: MPI's
    settings.  mpi: "openmpi", "mpich" or "".  rate: of the link where known, bits per second.
    realtime: whether ranks run at real-time priority.
    """

    rows: list[Row]
    places: list[dict[str, Any]] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    mpi: str = ""
    rate: float | None = None
    dropped: float = 0.0
    realtime: bool = False

    @staticmethod
    def of(measured: dict[str, Any], rate: float | None = None) -> "Case":
        """The case that the native program measured; rate: of the link where the target says."""
        machine = measured["machine"]
        version = machine.get("mpi", "")
        families = [("Open MPI", "openmpi"), ("MPICH", "mpich")]
        settings = (entry.partition("=") for entry in machine.get("environment", "").split())
        return Case(
            rows=measured["measurements"],
            places=measured["places"],
            environment={name: value for name, _, value in settings},
            mpi=next((family for word, family in families if version.startswith(word)), ""),
            rate=rate,
            dropped=measured["dropped"] / max(1, measured["samples"]),
            realtime=rate is not None,
        )

    @property
    def judged(self) -> list[Row]:
        """The rows that the verdict is about."""
        return [
            row
            for row in self.rows
            if row["transport"] == "two-sided" and row["size"] >= JUDGED_FROM
        ]

    @property
    def one_host(self) -> bool:
        """Whether the pair shares a host and its network, so that bytes need no wire."""
        if len(self.places) < 2:
            return False
        first, second = self.places[:2]
        return all(first[name] == second[name] for name in ("host", "network"))

    @property
    def spare_processors(self) -> bool:
        """Whether each rank could have a second thread on a processor of its own."""
        return bool(self.places) and all(
            len(used) >= 2 * ranks for ranks, used in _hosts(self.places).values()
        )


def best(row: Row) -> str:
    """The way to use a row's operation that hides most; the simplest among equals."""
    return max(USES, key=lambda use: row[use]["hidden"])


def verdict(rows: Iterable[Row]) -> Verdict:
    """Of the judged rows: whether overlap is there, there with help, or not there."""
    listed = list(rows)
    if any(map(_broken, listed)):
        return "broken"
    return "needs help" if any(row["unattended"]["hidden"] < FINE for row in listed) else "fine"


def _broken(row: Row) -> bool:
    """Whether too little is hidden whatever one does, by more than the measurement may be off."""
    most = row[best(row)]
    return bool(most["hidden"] + min(most["error"], HELPED) < BROKEN)


def _helped(before: float, after: float) -> bool:
    """Whether a share has gained what is worth an advice, or enough to be fine."""
    return after >= before + HELPED or before < FINE <= after


def bandwidth(row: Row) -> float:
    """Bytes per second of a row's communication alone."""
    seconds = row["unattended"]["communication"]["seconds"]
    return float(row["size"] * row["messages"] / seconds) if seconds > 0 else math.inf


def findings(case: Case) -> list[Finding]:
    """What stands in the way, the worst first; advice that takes another launch is untried."""
    found = [
        *_oversubscribed(case),
        *_progress(case),
        *_processor(case),
        *_settings(case),
        *_shortcut(case),
        *_interface(case),
        *_mtu(case),
        *_one_host(case),
        *_busy(case),
    ]
    order = ["broken", "help", "note"]
    return sorted(found, key=lambda finding: order.index(finding.severity))


def outcome(trial: Trial, rows: Sequence[Row]) -> Outcome:
    """What a trial brought; rows: measured with its setting."""
    matching = [
        row
        for row in rows
        if (row["transport"], row["computes"], row["size"])
        == (trial.transport, trial.side, trial.size)
    ]
    if not matching:
        return failed(trial, "nothing comparable was measured")
    if trial.quantity == "hidden":
        after = max(row["unattended"]["hidden"] for row in matching)
        return Outcome("hidden", trial.before, after, _helped(trial.before, after))
    after = max(map(bandwidth, matching))
    if math.isfinite(trial.limit):  # too fast before
        return Outcome("bandwidth", trial.before, after, after <= trial.limit)
    return Outcome("bandwidth", trial.before, after, after > (1 + HELPED) * trial.before)


def failed(trial: Trial, reason: str) -> Outcome:
    """A trial that did not run to its end."""
    return Outcome(trial.quantity, trial.before, None, False, reason)


def settled(finding: Finding, outcomes: dict[int, Outcome]) -> Finding:
    """The finding with what its trials brought, by the place of the advice."""
    advice = [
        replace(advice, tried=outcomes.get(place, advice.tried))
        for place, advice in enumerate(finding.advice)
    ]
    return replace(finding, advice=advice)


def _progress(case: Case) -> list[Finding]:
    """Messages that wait until somebody calls MPI."""
    found = []
    for side, doing in _SIDES.items():
        stalled = [
            row
            for row in case.judged
            if row["computes"] == side
            and row["unattended"]["hidden"] < FINE
            and _helped(row["unattended"]["hidden"], row[best(row)]["hidden"])
        ]
        if not stalled:
            continue
        worst = min(stalled, key=lambda row: row["unattended"]["hidden"])
        alone = worst["unattended"]["hidden"]
        enough = all(row[best(row)]["hidden"] >= FINE for row in stalled)
        interval = show_seconds(worst["polled"]["poll_interval"]["seconds"])
        words = {
            "polled": "Call MPI_Test on the oldest message between pieces of the computation: for "
            f"{show_size(worst['size'])} every {interval} or more often.",
            "two_in_flight": "Keep two messages in flight: post the next before waiting for the "
            "oldest.",
        }
        advice = []
        for use in sorted(words, key=lambda use: -worst[use]["hidden"]):
            share = worst[use]["hidden"]
            tried = Outcome("hidden", alone, share, _helped(alone, share))
            advice.append(Advice(words[use], tried))
        advice += _launchable(case, stalled, side)
        found.append(
            Finding(
                f"no-progress-{doing}",
                "help",
                f"Messages of {_sizes(stalled)} stop while the {doing} side computes and calls "
                "nothing." + ("" if enough else " What mends it mends it in part."),
                _shares(worst),
                advice,
            )
        )
    return found


def _launchable(case: Case, stalled: list[Row], side: str) -> list[Advice]:
    """Settings that might let messages advance by themselves, each to be tried."""
    sizes = [row for row in stalled if row["size"] <= LARGEST_EAGER]
    advice = []
    if sizes:
        row = min(sizes, key=lambda row: row["unattended"]["hidden"])
        if setting := _eager_setting(case, row["size"]):
            advice.append(
                Advice(
                    f"Raise the eager limit to {show_size(row['size'])}: {_shell(setting)} "
                    "(takes memory for messages that nobody has asked for yet).",
                    trial=_hidden_trial(row, setting, side),
                )
            )
    # A thread that helps needs a processor; at real-time priority it has been seen to hang.
    thread = {
        "openmpi": {"OMPI_MCA_btl_tcp_progress_thread": "1"},
        "mpich": {"MPIR_CVAR_ASYNC_PROGRESS": "1"},
    }.get(case.mpi)
    if thread and case.spare_processors and not case.realtime:
        row = min(stalled, key=lambda row: row["unattended"]["hidden"])
        advice.append(
            Advice(
                f"Let a thread of MPI's own make the progress: {_shell(thread)}.",
                trial=_hidden_trial(row, dict(thread), side),
            )
        )
    return advice


def _eager_setting(case: Case, size: int) -> dict[str, str | None]:
    """What makes messages of `size` bytes leave without asking the receiver."""
    limit = str(size + 4096)  # with the library's header
    if case.mpi == "openmpi":
        way = "vader" if case.one_host else "tcp"
        return {
            f"OMPI_MCA_btl_{way}_eager_limit": limit,
            f"OMPI_MCA_btl_{way}_rndv_eager_limit": limit,
            f"OMPI_MCA_btl_{way}_max_send_size": limit,
        }
    if case.mpi == "mpich" and not case.one_host:
        return {"UCX_RNDV_THRESH": limit}
    return {}


def _processor(case: Case) -> list[Finding]:
    """What nothing a program does hides, over a wire or in memory."""
    left = [row for row in case.judged if row[best(row)]["hidden"] < FINE]
    if not left:
        return []
    worst = min(left, key=lambda row: row[best(row)]["hidden"])
    severity: Severity = "broken" if any(map(_broken, left)) else "help"
    side = _SIDES[worst["computes"]]
    evidence = f"On the {side} side, {_shares(worst)}"
    if case.one_host:
        return [
            Finding(
                "shared-memory",
                severity,
                f"Messages of {_sizes(left)} move through memory, and a processor moves them: the "
                "one that should compute.",
                evidence,
                [
                    Advice(
                        "No setting mends this, and it is nobody's fault: only a network moves "
                        "bytes by itself. To see yours, put one rank on each of two hosts."
                    )
                ],
            )
        ]
    return [
        Finding(
            "processor",
            severity,
            f"Messages of {_sizes(left)} take the {side} side's processor from the computation, "
            "whatever the program does meanwhile.",
            evidence,
            [
                Advice(
                    "No setting of MPI mends this. Let the other side compute if it can, leave a "
                    "processor free for the network, or use an interface that does more by itself."
                )
            ],
        )
    ]


# Settings that decide how messages advance, whoever made them.
_SUSPECTS = re.compile(
    r"UCX_RNDV_THRESH|OMPI_MCA_btl_\w+_eager_limit|OMPI_MCA_mpi_leave_pinned"
    r"|(MPICH|MPIR_CVAR)_ASYNC_PROGRESS|OMPI_MCA_btl_tcp_progress_thread"
)


def _settings(case: Case) -> list[Finding]:
    """Settings in force that may be what stands in the way."""
    suspects = sorted(filter(_SUSPECTS.fullmatch, case.environment))
    rows = [row for row in case.judged if row["unattended"]["hidden"] < FINE]
    if not suspects or not rows:
        return []
    worst = min(rows, key=lambda row: row["unattended"]["hidden"])
    return [
        Finding(
            "settings",
            "note",
            "Settings in the environment change how messages advance.",
            " ".join(f"{name}={case.environment[name]}" for name in suspects),
            [
                Advice(f"Unset {name}.", trial=_hidden_trial(worst, {name: None}))
                for name in suspects
            ],
        )
    ]


def _shortcut(case: Case) -> list[Finding]:
    """One-sided data that never went over the wire that messages go over."""
    messages = {
        row["size"]: bandwidth(row) for row in case.judged if row["computes"] == "initiator"
    }
    found = []
    for row in case.rows:
        if row["transport"] != "rma" or row["size"] not in messages:
            continue
        two_sided = messages[row["size"]]
        limit = SHORTCUT * two_sided
        if case.rate is not None:
            limit = min(limit, BEYOND * case.rate / 8)
        if bandwidth(row) > limit:
            found.append((bandwidth(row) / two_sided, row, limit))
    if not found or not _same_machine(case):
        return []
    _, row, limit = max(found, key=lambda entry: entry[0])
    two_sided = messages[row["size"]]
    settings: dict[str, dict[str, str | None]] = {
        "openmpi": {"OMPI_MCA_osc": "pt2pt"},
        "mpich": {"MPIR_CVAR_NOLOCAL": "1"},
    }
    link = f", the link {_rate(case.rate / 8)}" if case.rate is not None else ""
    advice = [
        Advice(
            f"Send windows the way of messages: {_shell(setting)}; between hosts there is no "
            "shortcut.",
            trial=Trial(
                setting, "rma", row["computes"], row["size"], "bandwidth", bandwidth(row), limit
            ),
        )
        for setting in filter(None, [settings.get(case.mpi)])
    ]
    return [
        Finding(
            "window-shortcut",
            "help",
            "One-sided data goes through shared memory while messages go over a wire: what is "
            "measured of it says nothing about the network.",
            f"{row['operation']} of {show_size(row['size'])} reaches {_rate(bandwidth(row))}, "
            f"messages {_rate(two_sided)}{link}.",
            advice,
        )
    ]


def _interface(case: Case) -> list[Finding]:
    """Messages that are slower than the fastest interface that is here."""
    if not case.judged or case.one_host:
        return []
    largest = max(case.judged, key=lambda row: row["size"])
    reached = max(8 * bandwidth(row) for row in case.judged if row["size"] == largest["size"])
    speeds = _speeds(case)
    fastest, speed = max(speeds.items(), key=lambda entry: entry[1], default=("the link", 0.0))
    if case.rate is not None:
        fastest, speed = "the link", case.rate
    if reached >= 0.5 * speed:
        return []
    others = {n: v for n, v in speeds.items() if 0.5 * v <= reached <= 1.05 * v and v < speed}
    evidence = (
        f"Messages of {show_size(largest['size'])} reach {_rate(reached / 8)}; {fastest} has "
        f"{_rate(speed / 8)}"
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
            f"{evidence}, {used} {_rate(others[used] / 8)}.",
            [Advice(f"Name the interface: {_shell(setting)}.", trial=trial)],
        )
    ]


def _mtu(case: Case) -> list[Finding]:
    """Small frames on a fast link."""
    if case.one_host or not case.places:
        return []
    speeds = _speeds(case)
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
            f"{interface['name']} is fast and sends small frames, each of which takes processors "
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


def _oversubscribed(case: Case) -> list[Finding]:
    """More ranks than processors."""
    found = []
    for host, (ranks, processors) in _hosts(case.places).items():
        if not processors or ranks <= len(processors):
            continue
        share = f"{ranks} ranks share {len(processors)} " + _plural("processor", processors)
        found.append(
            Finding(
                "oversubscribed",
                "help",
                f"There are more ranks on {host} than processors: while one computes, another that "
                "should move its bytes waits for a turn.",
                f"{share}.",
                [
                    Advice(
                        f"Start at most {len(processors)} there, or give them more processors "
                        "(binding, --launch)."
                    )
                ],
            )
        )
    return found


def _one_host(case: Case) -> list[Finding]:
    """A word of caution where nothing went over a network."""
    if not case.one_host or any(row[best(row)]["hidden"] < FINE for row in case.judged):
        return []
    return [
        Finding(
            "one-host",
            "note",
            "Both ranks are on one host: this says nothing about a network.",
            f"Both are on {case.places[0]['host']}.",
            [Advice("To see your network, put one rank on each of two hosts.")],
        )
    ]


def _busy(case: Case) -> list[Finding]:
    """Measurements that something else disturbed."""
    errors = [row[use]["error"] for row in case.judged for use in USES]
    unsure = sum(error > UNSURE for error in errors)
    if not unsure and case.dropped <= DISTURBED:
        return []
    evidence = []
    if unsure:
        evidence.append(
            f"{unsure} of {len(errors)} shares are known no better than {show_share(UNSURE)} of "
            "the communication"
        )
    if case.dropped > DISTURBED:
        evidence.append(f"{show_share(case.dropped)} of the samples stood far outside the others")
    return [
        Finding(
            "busy",
            "note",
            "The machine was disturbed while it was measured: do not trust this too far.",
            "; ".join(evidence) + ".",
            [Advice("Run this again when nothing else runs there.")],
        )
    ]


def _hidden_trial(row: Row, setting: dict[str, str | None], side: str | None = None) -> Trial:
    before = row["unattended"]["hidden"]
    return Trial(setting, row["transport"], side or row["computes"], row["size"], "hidden", before)


def _hosts(places: Iterable[dict[str, Any]]) -> dict[str, tuple[int, set[int]]]:
    """By host: how many ranks, and the processors that they may use together."""
    listed = list(places)
    ranks = Counter(place["host"] for place in listed)
    return {
        host: (
            count,
            {number for place in listed if place["host"] == host for number in place["processors"]},
        )
        for host, count in ranks.items()
    }


def _same_machine(case: Case) -> bool:
    return len(case.places) >= 2 and case.places[0]["host"] == case.places[1]["host"]


def _speeds(case: Case) -> dict[str, float]:
    """Interfaces of rank 0 whose speed is known, bits per second."""
    interfaces = case.places[0]["interfaces"] if case.places else []
    return {i["name"]: i["bits_per_second"] for i in interfaces if i["bits_per_second"]}


def _shares(row: Row) -> str:
    alone, polled, two = (show_share(row[use]["hidden"]) for use in USES)
    return (
        f"{show_size(row['size'])}: {alone} is hidden with nothing called, {polled} polled, "
        f"{two} with two in flight."
    )


def _sizes(rows: list[Row]) -> str:
    sizes = sorted({row["size"] for row in rows})
    return ", ".join(map(show_size, sizes))


def _rate(bytes_per_second: float) -> str:
    return f"{bytes_per_second / 1e6:.4g} MB/s"


def _shell(setting: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in setting.items())


def _plural(word: str, things: Iterable[Any]) -> str:
    return word if len(list(things)) == 1 else word + "s"
