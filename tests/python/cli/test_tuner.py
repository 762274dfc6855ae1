"""A tuner that is told the times of a simulated loop."""

import json

import pytest
from documents import DATA, check

import lapwing

MACHINE = lapwing.load_profile(DATA / "earlier.json")
WORKLOAD = {"volume": 1 << 20, "grain": 8}
COMPUTE = 1.4e-3


def step(plan: lapwing.Plan, compute: float) -> tuple[float, float, float]:
    """The times of a step by the plan: elapsed, computing, waiting."""
    costs = MACHINE.loggp
    issued = wire = done = 0.0
    for size in plan.messages:
        issued += costs.o_s
        wire = max(wire, issued) + costs.G * size
        done = max(done, wire + costs.L) + costs.o_r + compute * size / WORKLOAD["volume"]
    return done, compute, done - compute


@pytest.mark.parametrize("wrong", [1 / 3, 1, 3])
def test_a_wrong_computation_is_found_out(wrong: float) -> None:
    tuner = lapwing.Tuner(MACHINE, compute=wrong * COMPUTE, **WORKLOAD)
    steps = 0
    while not tuner.settled:
        tuner.step(*step(tuner.plan, COMPUTE))
        steps += 1
    assert steps <= lapwing.Tuner.most_steps
    off_line = lapwing.plan(MACHINE, compute=COMPUTE, **WORKLOAD)
    assert step(tuner.plan, COMPUTE)[0] <= 1.03 * step(off_line, COMPUTE)[0]

    learnt = tuner.learnt()
    assert learnt["workload"]["compute"] == pytest.approx(COMPUTE)
    check("learnt", learnt)
    again = lapwing.Tuner.resume(MACHINE, learnt)
    assert again.settled
    assert again.plan.messages == tuner.plan.messages


def test_ranks_agree_on_what_they_saw() -> None:
    tuners = [lapwing.Tuner(MACHINE, **WORKLOAD) for _ in range(2)]
    while not tuners[0].settled:
        # The second rank computes longer.
        each = [step(tuner.plan, (1 + rank / 2) * COMPUTE) for rank, tuner in enumerate(tuners)]
        slowest = max(each)
        for tuner, mine in zip(tuners, each, strict=True):
            tuner.step(*mine, agree=dict.fromkeys(each, slowest).__getitem__)
        assert tuners[0].settled == tuners[1].settled
        assert tuners[0].plan.messages == tuners[1].plan.messages
    alone = lapwing.plan(MACHINE, compute=1.5 * COMPUTE, **WORKLOAD)
    assert tuners[0].plan.messages == alone.messages


def test_what_is_none_is_refused() -> None:
    tuner = lapwing.Tuner(MACHINE, **WORKLOAD)
    with pytest.raises(RuntimeError, match="still learning"):
        tuner.learnt()
    for times in [(float("nan"), 0.1, 0.0), (0.1, -1.0, 0.0), (float("inf"), 0.1, 0.0)]:
        with pytest.raises(ValueError, match="finite numbers"):
            tuner.step(*times)
    for wrong, says in [
        ({"volume": 0}, "volume must be above 0"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"allowance": float("nan")}, "allowance"),
        ({"interval": 0}, "interval"),
    ]:
        with pytest.raises(ValueError, match=says):
            lapwing.Tuner(MACHINE, **WORKLOAD | wrong)
    with pytest.raises(TypeError, match="method"):
        lapwing.Tuner(MACHINE, method="paper", **WORKLOAD)
    with pytest.raises(TypeError, match="volum"):
        lapwing.Tuner(MACHINE, volum=8)
    with pytest.raises(ValueError, match="what a tuner learnt: "):
        lapwing.Tuner.resume(MACHINE, {})
    kept = json.loads((DATA.parent / "learnt.json").read_text())
    with pytest.raises(ValueError, match="on another machine"):
        lapwing.Tuner.resume(MACHINE, kept)
