"""Rules about progress: messages that advance only in MPI calls, or that take a processor."""

import re
from functools import partial

from ..units import show_seconds, show_size
from .case import Case
from .eager import LARGEST_EAGER, raise_limit
from .finding import Advice, Finding, Outcome, Severity, hidden_trial
from .phrases import shares, shell, sizes
from .row import FINE, SIDES, Row, best, broken, helped

# Settings that change how messages advance.
_SUSPECTS = re.compile(
    r"UCX_RNDV_THRESH|OMPI_MCA_btl_\w+_eager_limit|OMPI_MCA_mpi_leave_pinned"
    r"|(MPICH|MPIR_CVAR)_ASYNC_PROGRESS|OMPI_MCA_btl_tcp_progress_thread"
)


def progress(case: Case) -> list[Finding]:
    """Messages that advance only while the program calls MPI."""
    found = []
    for side, doing in SIDES.items():
        stalled = [
            row
            for row in case.judged
            if row["computes"] == side
            and row["unattended"]["hidden"] < FINE
            and helped(row["unattended"]["hidden"], row[best(row)]["hidden"])
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
            tried = Outcome("hidden", alone, share, helped(alone, share))
            advice.append(Advice(words[use], tried))
        advice += _launchable(case, stalled, side)
        found.append(
            Finding(
                f"no-progress-{doing}",
                "help",
                f"Messages of {sizes(stalled)} stop while the {doing} side computes and calls "
                "nothing." + ("" if enough else " What mends it mends it in part."),
                shares(worst),
                advice,
            )
        )
    return found


def _launchable(case: Case, stalled: list[Row], side: str) -> list[Advice]:
    """Advice on settings that may let messages advance by themselves, each with a trial."""
    advice = []
    if small := [row for row in stalled if row["size"] <= LARGEST_EAGER]:
        row = min(small, key=lambda row: row["unattended"]["hidden"])
        advice = raise_limit(case, row["size"], partial(hidden_trial, row, side=side))
    # A progress thread needs a free processor. At real-time priority it has been seen to hang.
    thread = {
        "openmpi": {"OMPI_MCA_btl_tcp_progress_thread": "1"},
        "mpich": {"MPIR_CVAR_ASYNC_PROGRESS": "1"},
    }.get(case.mpi)
    if thread and case.spare_processors and not case.realtime:
        row = min(stalled, key=lambda row: row["unattended"]["hidden"])
        advice.append(
            Advice(
                f"Let a thread of MPI's own make the progress: {shell(thread)}.",
                trial=hidden_trial(row, dict(thread), side),
            )
        )
    return advice


def processor(case: Case) -> list[Finding]:
    """Messages that stay exposed whatever the program does, over a wire or in memory."""
    left = [row for row in case.judged if row[best(row)]["hidden"] < FINE]
    if not left:
        return []
    worst = min(left, key=lambda row: row[best(row)]["hidden"])
    severity: Severity = "broken" if any(map(broken, left)) else "help"
    side = SIDES[worst["computes"]]
    evidence = f"On the {side} side, {shares(worst)}"
    if case.one_host:
        return [
            Finding(
                "shared-memory",
                severity,
                f"Messages of {sizes(left)} move through memory, and a processor moves them: the "
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
            f"Messages of {sizes(left)} take the {side} side's processor from the computation, "
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


def settings(case: Case) -> list[Finding]:
    """Settings in the environment that may stand in the way of overlap."""
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
                Advice(f"Unset {name}.", trial=hidden_trial(worst, {name: None}))
                for name in suspects
            ],
        )
    ]
