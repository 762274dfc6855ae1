"""The doctor's rules: each finding appears exactly when it should, on made-up measurements."""

import copy
import random
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from lapwing import doctor
from lapwing.doctor import Case, Outcome, Trial, findings, verdict
from lapwing.schema import schema

KB, MB = 1 << 10, 1 << 20
SIZES = [KB, 32 * KB, MB, 4 * MB]
WIRE = 125e6  # bytes per second of a link of 1 Gbit/s


def use(hidden: float, seconds: float, error: float = 0.01, polls: bool = False) -> dict[str, Any]:
    """The measurement of one use: communication and computation of `seconds` each."""
    time = {"seconds": seconds, "error": 0.01}
    both = {"seconds": max(0.0, (2 - hidden) * seconds), "error": 0.01}
    made = {
        "communication": dict(time),
        "computation": dict(time),
        "both": both,
        "hidden": hidden,
        "error": error,
    }
    return made | ({"poll_interval": {"seconds": 20e-6}} if polls else {})


def row(
    size: int,
    alone: float = 0.95,
    polled: float = 0.96,
    two: float = 0.97,
    *,
    computes: str = "target",
    transport: str = "two-sided",
    operation: str = "isend",
    bandwidth: float = 0.95 * WIRE,
    error: float = 0.01,
) -> dict[str, Any]:
    seconds = 4 * size / bandwidth
    return {
        "transport": transport,
        "operation": operation,
        "computes": computes,
        "size": size,
        "messages": 4,
        "unattended": use(alone, seconds, error),
        "polled": use(polled, seconds, error, polls=True),
        "two_in_flight": use(two, seconds, error),
    }


def fine(**changed: Any) -> list[dict[str, Any]]:
    """Both sides, all sizes, everything hidden."""
    return [
        row(size, computes=side, **changed) for side in ("initiator", "target") for size in SIZES
    ]


def place(rank: int, host: str = "", **changed: Any) -> dict[str, Any]:
    made = {
        "host": host or f"node{rank}",
        "network": "net:[1]",
        "processors": [rank],
        "interfaces": [{"name": "eth0", "bits_per_second": 1e9, "mtu": 1500}],
    }
    return made | changed


def case(rows: list[dict[str, Any]] | None = None, **changed: Any) -> Case:
    """Two hosts on a gigabit link that overlap well, except for `changed`."""
    given: dict[str, Any] = {"places": [place(0), place(1)], "mpi": "mpich"}
    return Case(rows=fine() if rows is None else rows, **(given | changed))


def with_rows(*changed: dict[str, Any]) -> list[dict[str, Any]]:
    """A case that overlaps well except for these rows."""
    keys = {(r["transport"], r["operation"], r["computes"], r["size"]) for r in changed}
    kept = [
        r for r in fine() if (r["transport"], r["operation"], r["computes"], r["size"]) not in keys
    ]
    return kept + list(changed)


def names(of: Case) -> list[str]:
    return [finding.name for finding in findings(of)]


def the(name: str, of: Case) -> doctor.Finding:
    [finding] = [finding for finding in findings(of) if finding.name == name]
    return finding


def test_nothing_stands_in_the_way() -> None:
    assert findings(case()) == []
    assert findings(case(places=[])) == []  # simulated
    assert verdict(case().judged) == "fine"


@pytest.mark.parametrize(
    ("alone", "polled", "two", "expected"),
    [
        (0.95, 0.9, 0.9, "fine"),
        (0.8, 0.1, 0.1, "fine"),
        (0.79, 0.9, 0.1, "needs help"),
        (0.79, 0.81, 0.1, "needs help"),
        (0.79, 0.79, 0.1, "needs help"),
        (0.05, 0.1, 0.9, "needs help"),
        (0.05, 0.55, 0.1, "needs help"),
        (0.05, 0.1, 0.05, "broken"),
        (-3.0, -4.0, -5.0, "broken"),
        (0.05, 0.495, 0.05, "needs help"),  # one half is within its error
        (0.05, 0.48, 0.05, "broken"),
    ],
)
def test_verdict(alone: float, polled: float, two: float, expected: str) -> None:
    for size in SIZES[1:]:
        rows = with_rows(row(size, alone, polled, two))
        assert verdict(case(rows).judged) == expected
        # There is a finding if and only if not everything is fine.
        assert bool(names(case(rows))) == (expected != "fine")


def test_an_error_excuses_little() -> None:
    assert verdict([row(MB, 0.1, 0.1, 0.1, error=40.0)]) == "broken"
    assert verdict([row(MB, 0.45, 0.45, 0.45, error=40.0)]) == "needs help"


def test_small_messages_and_other_transports_are_not_judged() -> None:
    rows = with_rows(row(KB, 0, 0, 0), row(32 * KB - 1, 0, 0, 0))
    rows.append(row(MB, 0, 0, 0, transport="rma", operation="put", computes="initiator"))
    assert findings(case(rows)) == []
    assert verdict(case(rows).judged) == "fine"


def test_messages_that_wait_for_a_call() -> None:
    of = case(with_rows(row(MB, 0.05, 0.98, 0.4), row(4 * MB, 0.1, 0.97, 0.3)))
    assert names(of) == ["no-progress-receiving"]
    finding = the("no-progress-receiving", of)
    assert "1 MB, 4 MB stop while the receiving side" in finding.what
    assert "in part" not in finding.what
    poll, two, eager = finding.advice
    assert "MPI_Test" in poll.do
    assert "20 us" in poll.do
    assert poll.tried == Outcome("hidden", 0.05, 0.98, True)
    assert "two messages in flight" in two.do
    assert two.tried == Outcome("hidden", 0.05, 0.4, True)
    assert eager.tried is None
    assert eager.trial is not None
    assert eager.trial.environment == {"UCX_RNDV_THRESH": str(MB + 4096)}
    assert (eager.trial.side, eager.trial.size, eager.trial.before) == ("target", MB, 0.05)


def test_which_side_waits() -> None:
    of = case(with_rows(row(MB, 0.05, 0.98, 0.4, computes="initiator")))
    assert names(of) == ["no-progress-sending"]
    both = [row(MB, 0.05, 0.98, 0.4, computes=side) for side in ("initiator", "target")]
    assert set(names(case(with_rows(*both)))) == {"no-progress-sending", "no-progress-receiving"}


def test_two_in_flight_before_polling_where_it_hides_more() -> None:
    finding = the("no-progress-receiving", case(with_rows(row(MB, 0.05, 0.1, 0.94))))
    two, poll = finding.advice[:2]
    assert two.recommended
    assert "two messages" in two.do
    assert not poll.recommended
    assert poll.tried == Outcome("hidden", 0.05, 0.1, False)


def test_help_in_part_is_said() -> None:
    of = case(with_rows(row(MB, 0.05, 0.6, 0.1, computes="initiator")))
    assert set(names(of)) == {"no-progress-sending", "processor"}
    assert "in part" in the("no-progress-sending", of).what
    assert the("processor", of).severity == "help"


def test_nothing_helps() -> None:
    of = case(with_rows(row(MB, 0.05, 0.1, 0.1)))
    assert names(of) == ["processor"]
    assert the("processor", of).severity == "broken"
    assert "1 MB" in the("processor", of).what


def test_eager_limit_of_each_mpi() -> None:
    rows = with_rows(row(MB, 0.05, 0.98, 0.4))

    def tried(of: Case) -> list[dict[str, str | None]]:
        advice = the("no-progress-receiving", of).advice
        return [entry.trial.environment for entry in advice if entry.trial is not None]

    [tcp] = tried(case(rows, mpi="openmpi"))
    assert set(tcp) == {
        f"OMPI_MCA_btl_tcp_{name}" for name in ("eager_limit", "rndv_eager_limit", "max_send_size")
    }
    together = [place(0, "one"), place(1, "one")]
    [memory] = tried(case(rows, mpi="openmpi", places=together))
    assert "OMPI_MCA_btl_vader_eager_limit" in memory
    assert tried(case(rows, mpi="mpich", places=together)) == []
    assert tried(case(rows, mpi="")) == []
    # An eager limit of 4 MB is not advised.
    assert tried(case(with_rows(row(4 * MB, 0.05, 0.98, 0.4)))) == []


def test_a_progress_thread_needs_a_processor() -> None:
    rows = with_rows(row(MB, 0.05, 0.98, 0.4))

    def threads(of: Case) -> int:
        advice = the("no-progress-receiving", of).advice
        return sum("thread" in entry.do for entry in advice)

    spare = [place(rank, processors=[0, 1, 2, 3]) for rank in (0, 1)]
    pinned = [place(0), place(1)]
    assert threads(case(rows, places=spare)) == 1
    assert threads(case(rows, places=pinned)) == 0
    assert threads(case(rows, places=spare, realtime=True)) == 0
    # Four processors for two ranks on one host are enough, three are not.
    for processors, expected in (([0, 1, 2, 3], 1), ([0, 1, 2], 0)):
        one = [place(rank, "one", processors=processors) for rank in (0, 1)]
        assert threads(case(rows, places=one)) == expected


def test_shared_memory_cannot_be_mended() -> None:
    together = [place(0, "one"), place(1, "one")]
    of = case(with_rows(row(MB, 0.05, 0.1, 0.1)), places=together)
    finding = the("shared-memory", of)
    assert names(of) == ["shared-memory"]
    assert finding.severity == "broken"
    assert "No setting mends this" in finding.advice[0].do
    # The same host in another network namespace is a host of its own.
    apart = [place(0, "one", network="net:[2]"), place(1, "one")]
    assert names(replace(of, places=apart)) == ["processor"]
    assert names(case(places=together)) == ["one-host"]


@pytest.mark.parametrize(
    ("library", "mpi", "version"),
    [
        ("Open MPI v5.0.11, package: Open MPI builder, ident: 5.0.11", "openmpi", "5.0.11"),
        ("MPICH Version:\t4.0.2\nMPICH Release date: Thu Apr 7", "mpich", "4.0.2"),
        ("another", "", ""),
    ],
)
def test_the_mpi_of_a_measurement(library: str, mpi: str, version: str) -> None:
    measured = {
        "machine": {"mpi": library},
        "measurements": [],
        "places": [],
        "samples": 0,
        "dropped": 0,
    }
    of = Case.of(measured)
    assert (of.mpi, of.version) == (mpi, version)


def test_a_window_that_takes_a_shortcut() -> None:
    apart = [place(0, "one", network="net:[2]"), place(1, "one")]
    put = row(MB, transport="rma", operation="put", computes="initiator", bandwidth=5e9)
    rows = [*fine(), put]
    of = case(rows, places=apart, mpi="openmpi")
    finding = the("window-shortcut", of)
    assert names(of) == ["window-shortcut"]
    assert "put of 1 MB reaches 5000 MB/s, messages 118.8 MB/s." in finding.evidence
    trial = finding.advice[0].trial
    assert trial is not None
    assert trial.environment == {"OMPI_MCA_osc": "pt2pt"}
    later = the("window-shortcut", replace(of, version="5.0.11")).advice[0].trial
    assert later is not None
    assert later.environment["OMPI_MCA_osc"] == "ucx"
    assert later.environment["UCX_TLS"] == "tcp,self"
    slow = copy.deepcopy(put)
    for name in doctor.USES:
        slow[name]["communication"]["seconds"] *= 45
    assert doctor.outcome(trial, [slow]).helped
    assert not doctor.outcome(trial, [put]).helped
    # Twice as fast is possible on a wire of unknown rate.
    fast = row(MB, transport="rma", operation="put", computes="initiator", bandwidth=2 * WIRE)
    assert names(case([*fine(), fast], places=apart)) == []
    assert names(case([*fine(), fast], places=apart, rate=1e9)) == ["window-shortcut"]
    # Two hosts share no memory.
    assert "window-shortcut" not in names(case(rows))
    # So may UCX, and in one host messages take the same way.
    ucx = [*fine(), {**put, "transport": "ucx"}]
    trial = the("window-shortcut", case(ucx, places=apart, mpi="mpich")).advice[0].trial
    assert trial is not None
    assert (trial.environment, trial.transport) == ({"UCX_TLS": "tcp,self"}, "ucx")
    together = [place(0, "one"), place(1, "one")]
    assert "window-shortcut" not in names(case(ucx, places=together))


def exchange(size: int, slowdown: float, in_flight: int = 1, error: float = 0.05) -> dict[str, Any]:
    seconds = 12 * size / WIRE
    return {
        "size": size,
        "messages": 12,
        "in_flight": in_flight,
        "one_way": {"seconds": seconds, "error": 0.01},
        "both_ways": {"seconds": slowdown * seconds, "error": 0.01},
        "slowdown": slowdown,
        "error": error,
    }


def test_both_ways_that_take_turns() -> None:
    rows = [exchange(32 * KB, 1.0), exchange(MB, 1.8), exchange(MB, 1.5, in_flight=2)]
    of = case(mpi="openmpi")
    of = replace(of, both_ways=rows)
    assert names(of) == ["taking-turns"]
    finding = the("taking-turns", of)
    assert finding.what.startswith("Messages of 1 MB take turns")
    assert "1 MB, one message in flight: both ways at once take 1.80 times" in finding.evidence
    two, eager, _ = finding.advice
    assert "2 messages in flight" in two.do
    assert two.tried == Outcome("slowdown", 1.8, 1.5, True)
    trial = eager.trial
    assert trial is not None
    assert trial.environment["OMPI_MCA_btl_tcp_eager_limit"] == str(MB + 4096)
    after = [exchange(MB, 1.1), exchange(MB, 1.7, in_flight=2), exchange(KB, 1.9)]
    assert doctor.outcome(trial, [], after) == Outcome("slowdown", 1.8, 1.1, True)
    assert not doctor.outcome(trial, [], [exchange(MB, 1.75)]).helped
    nothing = doctor.outcome(trial, [row(MB)], [exchange(KB, 1.0)])
    assert (nothing.after, nothing.helped) == (None, False)
    # If two in flight are slower, one in flight helps.
    turned = [exchange(MB, 1.1), exchange(MB, 1.6, in_flight=2)]
    one, eager, last = the("taking-turns", replace(of, mpi="mpich", both_ways=turned)).advice
    assert "one message in flight" in one.do
    assert eager.trial is not None
    assert eager.trial.environment == {"UCX_RNDV_THRESH": str(MB + 4096)}
    assert (eager.trial.quantity, eager.trial.in_flight, eager.trial.before) == ("slowdown", 2, 1.6)
    # Messages too large for memory, or an MPI without a known setting, give no advice.
    large = [exchange(4 * MB, 1.6)]
    assert len(the("taking-turns", replace(of, both_ways=large)).advice) == 1
    assert len(the("taking-turns", replace(of, mpi="", both_ways=turned)).advice) == 2
    assert (one.tried, last.tried) == (Outcome("slowdown", 1.6, 1.1, True), None)


def test_both_ways_that_keep_out_of_each_others_way() -> None:
    of = case(mpi="openmpi")
    assert names(replace(of, both_ways=[exchange(MB, 1.29, error=0), exchange(MB, 0.9, 2)])) == []
    # A slowdown within the error; or in memory, where both ways share the processors.
    assert names(replace(of, both_ways=[exchange(MB, 1.6, error=0.4)])) == []
    together = [place(0, "one"), place(1, "one")]
    assert names(replace(of, places=together, both_ways=[exchange(MB, 2.0)])) == ["one-host"]


def test_more_ranks_than_processors() -> None:
    assert names(case(places=[place(0, processors=[0]), place(1, processors=[0])])) == []
    shared = [place(rank, "one", processors=[3]) for rank in (0, 1)]
    of = case(places=shared)
    assert set(names(of)) == {"oversubscribed", "one-host"}
    finding = the("oversubscribed", of)
    assert finding.evidence == "2 ranks share 1 processor."
    # Ranks beyond the first two count as well.
    four = [0, 1, 2, 3]
    many = [place(0), *(place(rank, "node1", processors=four) for rank in range(1, 6))]
    assert names(case(places=many)) == ["oversubscribed"]
    assert names(case(places=many[:5])) == []


def two_interfaces(**changed: Any) -> list[dict[str, Any]]:
    interfaces = [
        {"name": "eth0", "bits_per_second": 1e9, "mtu": 1500},
        {"name": "ib0", "bits_per_second": 1e11, "mtu": 9000},
        {"name": "veth1", "bits_per_second": None, "mtu": 1500},
    ]
    return [place(rank, interfaces=interfaces, **changed) for rank in (0, 1)]


def test_the_wrong_interface() -> None:
    of = case(places=two_interfaces())
    assert names(of) == ["wrong-interface"]
    finding = the("wrong-interface", of)
    assert "through eth0, although ib0 is faster" in finding.what
    trial = finding.advice[0].trial
    assert trial is not None
    assert trial.environment == {"UCX_NET_DEVICES": "ib0"}
    assert doctor.outcome(trial, [row(4 * MB, bandwidth=1e10, computes=trial.side)]).helped
    assert not doctor.outcome(trial, [row(4 * MB, computes=trial.side)]).helped
    [advice] = the("wrong-interface", replace(of, mpi="openmpi")).advice
    assert advice.trial is not None
    assert advice.trial.environment == {"OMPI_MCA_btl_tcp_if_include": "ib0"}
    assert names(case(fine(bandwidth=1.1e10), places=two_interfaces())) == []
    # Slower than both interfaces: it may be either.
    assert names(case(fine(bandwidth=1e7), places=two_interfaces())) == ["slow-link"]


def test_a_slow_link() -> None:
    assert names(case(fine(bandwidth=0.4 * WIRE))) == ["slow-link"]
    assert names(case(fine(bandwidth=0.6 * WIRE))) == []
    # The rate of the target counts, not that of the interface.
    assert names(case(rate=4e9)) == ["slow-link"]
    virtual = [{"name": "eth0", "bits_per_second": None, "mtu": 9000}]
    assert names(case(places=[place(rank, interfaces=virtual) for rank in (0, 1)])) == []


@pytest.mark.parametrize(
    ("speed", "mtu", "expected"),
    [(1e10, 1500, ["mtu"]), (1e10, 9000, []), (1e9, 1500, []), (1e11, None, [])],
)
def test_small_frames(speed: float, mtu: int | None, expected: list[str]) -> None:
    interfaces = [{"name": "eth0", "bits_per_second": speed, "mtu": mtu}]
    places = [place(rank, interfaces=interfaces) for rank in (0, 1)]
    assert names(case(fine(bandwidth=speed / 8), places=places)) == expected


def test_settings_are_suspected_only_where_something_is_wrong() -> None:
    environment = {"UCX_RNDV_THRESH": "8192", "UCX_TLS": "tcp,self"}
    assert names(case(environment=environment)) == []
    of = case(with_rows(row(MB, 0.05, 0.98, 0.4)), environment=environment)
    finding = the("settings", of)
    assert finding.evidence == "UCX_RNDV_THRESH=8192"
    trial = finding.advice[0].trial
    assert trial is not None
    assert trial.environment == {"UCX_RNDV_THRESH": None}


def test_a_busy_machine() -> None:
    assert names(case(with_rows(row(MB, error=0.3)))) == ["busy"]
    assert names(case(with_rows(row(MB, error=0.2)))) == []
    assert names(case(dropped=0.2)) == ["busy"]
    assert names(case(dropped=0.05)) == []


def test_outcomes() -> None:
    trial = Trial({"A": "1"}, "two-sided", "target", MB, "hidden", 0.1)
    helped = doctor.outcome(trial, [row(MB, 0.9), row(MB, 0.0, computes="initiator")])
    assert helped == Outcome("hidden", 0.1, 0.9, True)
    assert doctor.outcome(trial, [row(MB, 0.19)]) == Outcome("hidden", 0.1, 0.19, False)
    nothing = doctor.outcome(trial, [row(KB, 0.9)])
    assert nothing.after is None
    assert not nothing.helped
    hung = doctor.failed_outcome(trial, "not done after 20 s")
    assert (hung.after, hung.reason) == (None, "not done after 20 s")


def test_advice_that_did_not_help_is_not_recommended() -> None:
    finding = the("no-progress-receiving", case(with_rows(row(MB, 0.05, 0.98, 0.4))))
    for helped in (True, False):
        settled = doctor.with_outcomes(finding, {2: Outcome("hidden", 0.05, 0.5, helped)})
        assert settled.advice[2].recommended == helped
        assert settled.advice[:2] == finding.advice[:2]


def chance_rows(chance: random.Random) -> list[dict[str, Any]]:
    share = lambda: chance.uniform(-0.5, 1.1)  # noqa: E731
    return [
        row(size, share(), share(), share(), computes=side, error=chance.choice([0.01, 0.3]))
        for side in ("initiator", "target")
        for size in SIZES
    ]


@pytest.mark.parametrize("seed", range(200))
def test_whatever_is_measured(seed: int) -> None:
    chance = random.Random(seed)
    rows = chance_rows(chance)
    places = [place(0, "one"), place(1, chance.choice(["one", "two"]))]
    of = case(rows, places=places, mpi=chance.choice(["openmpi", "mpich", ""]))
    found = findings(of)
    judgement = verdict(of.judged)
    # A broken verdict has a broken finding, and the reverse; "needs help" has a finding.
    assert (judgement == "broken") == any(finding.severity == "broken" for finding in found)
    if judgement != "fine":
        assert found
    # The worst first, each once, in whole sentences.
    order = [["broken", "help", "note"].index(finding.severity) for finding in found]
    assert order == sorted(order)
    assert len({finding.name for finding in found}) == len(found)
    for finding in found:
        assert finding.what.endswith(".")
        assert finding.evidence.endswith(".")
        assert finding.advice
        assert finding.advice[0].do
    # More hidden is never judged worse.
    better = copy.deepcopy(rows)
    for entry in better:
        for name in doctor.USES:
            entry[name]["hidden"] += chance.uniform(0, 0.5)
    verdicts = ["fine", "needs help", "broken"]
    after = verdict(replace(of, rows=better).judged)
    assert verdicts.index(after) <= verdicts.index(judgement)
    # The order of the measurements does not matter.
    shuffled = chance.sample(rows, len(rows))
    assert {f.name for f in findings(replace(of, rows=shuffled))} == {f.name for f in found}


def test_reading_what_was_measured() -> None:
    measured = {
        "machine": {"mpi": "MPICH Version: 4.0.2", "environment": "UCX_TLS=tcp,self UCX_A=b=c"},
        "places": [],
        "warnings": [],
        "samples": 100,
        "dropped": 25,
        "measurements": fine(),
    }
    of = Case.of(measured, 1e9)
    assert (of.mpi, of.dropped, of.realtime) == ("mpich", 0.25, True)
    assert of.environment == {"UCX_TLS": "tcp,self", "UCX_A": "b=c"}
    assert Case.of(measured | {"machine": {"mpi": "Open MPI v4.1.4"}}).mpi == "openmpi"
    assert Case.of(measured | {"machine": {}, "samples": 0, "dropped": 0}).dropped == 0
    assert Case.of(measured).both_ways == []  # a document of an earlier version
    measured["both_ways"] = [exchange(MB, 1.0)]
    assert Case.of(measured).both_ways == measured["both_ways"]
    definition = schema("doctor")
    part = definition["properties"]["measured"] | {"$defs": definition["$defs"]}
    jsonschema.validate(measured, part)
