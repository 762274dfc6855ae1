"""Fits to measurements that were made by a machine whose costs are known."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lapwing import Cell, LapwingError, Measurements, Profile, load_profile, predict
from lapwing.fitting.fit import fit
from lapwing.fitting.points import on_fewer_nodes, points_of

ALGORITHMS = [
    ("allreduce", "recursive-doubling"),
    ("allreduce", "ring"),
    ("allreduce", "rabenseifner"),
    ("allgather", "ring"),
    ("allgather", "recursive-doubling"),
    ("reduce_scatter", "recursive-halving"),
    ("bcast", "binomial"),
    ("reduce", "binomial"),
    ("gather", "linear"),
]
SIZES = [8, 256, 4096, 65536, 1 << 20]


def known(**changed: float) -> Profile:
    """A machine whose costs a byte change with the size, and which takes time besides messages."""
    document = json.loads(load_profile("ranger").to_json())
    sizes = [1, 4096, 65536, 1 << 24]
    times = [3e-6, 6e-6, 30e-6, 3e-3]
    document["loggp"] = {"L": 1.4e-6, "o_s": 0.8e-6, "o_r": 0.8e-6, "g": 0.8e-6, "G": 1.8e-10}
    document["overhead"] = {"sizes": [], "bursts": [], "send": [], "receive": []}
    rates = [size / (time - 2.9e-6) for size, time in zip(sizes, times, strict=True)]
    document["bandwidth"] = {"sizes": sizes, "unidirectional": rates, "bidirectional": rates}
    document["latency"] = {"sizes": sizes, "half_round_trip": times, "bandwidth": rates}
    document["collectives"] = {
        "combine": 2e-10,
        "copy": 1e-10,
        "pack": 0.0,
        "exchange": 0.0,
        "exchange_per_byte": 0.0,
        "fresh": 0.0,
        "skew": 0.0,
        "skew_per_doubling": 5e-7,
        "low": 1.0,
        "high": 1.0,
        **changed,
    }
    for absent in ("plogp", "protocol", "log3p", "operations", "pairs", "patterns", "topology"):
        document.pop(absent, None)
    return Profile.from_json(json.dumps(document))


def measured(
    machine: Profile,
    nodes: list[int],
    noise: Callable[[], float] = lambda: 1.0,
    algorithms: list[tuple[str, str]] = ALGORITHMS,
) -> Measurements:
    """What collectives take on the machine; each time is multiplied by `noise()`."""
    cells = []
    for operation, algorithm in algorithms:
        times = predict(
            machine, operation, ranks=nodes, sizes=SIZES, algorithm=algorithm, model="model"
        ).seconds
        cells += [
            Cell(
                operation=operation,
                algorithm=algorithm,
                size=size,
                nodes=count,
                ranks_per_node=1,
                ranks=count,
                median=float(time) * noise(),
                system="known",
            )
            for count, row in zip(nodes, times, strict=True)
            for size, time in zip(SIZES, row, strict=True)
        ]
    return Measurements(cells)


def errors(fitted: Profile, truth: Profile, nodes: list[int]) -> np.ndarray:
    """Relative errors of predictions beside the truth."""
    found = []
    for operation, algorithm in ALGORITHMS:
        made, real = (
            predict(
                each, operation, ranks=nodes, sizes=SIZES, algorithm=algorithm, model="model"
            ).seconds
            for each in (fitted, truth)
        )
        found.append(np.abs(made / real - 1).ravel())
    return np.concatenate(found)


def test_a_known_machine_is_found_and_larger_ones_are_predicted() -> None:
    truth = known()
    fitted = fit(load_profile("ranger"), measured(truth, [2, 4, 8]))
    # Its costs bend at other sizes than those of the fit.
    assert np.median(errors(fitted.profile, truth, [2, 4, 8])) < 0.03
    further = errors(fitted.profile, truth, [16, 64, 1024])
    assert np.median(further) < 0.02
    assert np.quantile(further, 0.9) < 0.15
    costs = json.loads(fitted.profile.to_json())["collectives"]
    assert costs["skew_per_doubling"] == pytest.approx(5e-7, rel=0.3)
    assert costs["combine"] == pytest.approx(2e-10, rel=0.3)


def test_copies_of_unexpected_messages_are_found() -> None:
    # The root of a linear gather asks for one message after the other, and finds most there. A
    # linear broadcast and all-to-all tell what messages cost the processor in any case.
    truth = known(unexpected=2e-6, unexpected_per_byte=3e-10)
    linear = [*ALGORITHMS, ("bcast", "linear"), ("alltoall", "linear")]
    fitted = fit(load_profile("ranger"), measured(truth, [4, 8, 16], algorithms=linear))
    costs = json.loads(fitted.profile.to_json())["collectives"]
    assert costs["unexpected"] == pytest.approx(2e-6, rel=0.3)
    assert costs["unexpected_per_byte"] == pytest.approx(3e-10, rel=0.3)


def test_it_does_not_matter_where_the_fit_begins() -> None:
    measurements = measured(known(), [2, 4, 8])
    one, other = (fit(load_profile(name), measurements) for name in ("ranger", "elan3"))
    assert np.median(np.abs(one.residuals / other.residuals - 1)) < 0.01


def test_noise_and_wild_runs_do_not_matter_much() -> None:
    chance = random.Random(3)

    def noise() -> float:
        return 8.0 if chance.random() < 0.05 else chance.lognormvariate(0, 0.1)

    truth = known()
    fitted = fit(load_profile("ranger"), measured(truth, [2, 4, 8], noise))
    further = errors(fitted.profile, truth, [16, 64, 256])
    assert np.median(further) < 0.1
    assert np.quantile(further, 0.9) < 0.3
    assert fitted.low < 1 < fitted.high


def test_the_interval_holds_most_of_what_was_left_out() -> None:
    chance = random.Random(5)
    truth = known()
    small = measured(truth, [2, 4, 8], lambda: chance.lognormvariate(0, 0.15))
    large = measured(truth, [16, 32, 64], lambda: chance.lognormvariate(0, 0.15))
    fitted = fit(load_profile("ranger"), small)
    assert 0.5 < fitted.low < 0.95 and 1.05 < fitted.high < 2
    within = 0
    for cell in large.cells:
        made = predict(
            fitted.profile,
            cell.operation,
            ranks=[cell.ranks or 0],
            sizes=[cell.size],
            algorithm=cell.algorithm,
            model="model",
        )
        within += fitted.low <= cell.seconds / float(made.seconds[0, 0]) <= fitted.high
    assert 0.8 <= within / len(large.cells) <= 0.99


def test_what_no_measurement_tells_is_said() -> None:
    rings = [cell for cell in measured(known(), [4, 8]).cells if cell.algorithm == "ring"]
    gathered = [cell for cell in rings if cell.operation == "allgather"]
    fitted = fit(load_profile("ranger"), Measurements(gathered))
    assert "the measurements do not tell: combine" in fitted.notes
    assert "the measurements do not tell: unexpected_per_byte" in fitted.notes
    place = [each.name for each in fitted.parameters].index("combine")
    assert np.isnan(fitted.errors[place])


def test_what_cannot_be_predicted_is_left_out_and_said() -> None:
    good = measured(known(), [4, 8]).cells
    first = good[0]
    odd = {"operation": first.operation, "size": 64, "median": 1e-5}
    bad = [
        Cell(**odd, algorithm="default_ompi", ranks=8),
        Cell(**odd, algorithm="witchcraft", ranks=8),
        Cell(**odd, algorithm="ring"),
        Cell(**odd, algorithm="ring", ranks=1),
        Cell(**{**odd, "operation": "scan"}, algorithm="ring", ranks=8),
    ]
    points, notes = points_of(Measurements([*good, *bad]))
    assert len(points) == len(good)
    assert len(notes) == len(bad)
    assert "left out, no model of allreduce witchcraft: 1" in notes
    with pytest.raises(LapwingError, match="a fit needs 8"):
        fit(load_profile("ranger"), Measurements(bad))


def test_fewer_nodes() -> None:
    cells = measured(known(), [4, 8]).cells
    some = on_fewer_nodes(Measurements(cells), 4)
    assert {cell.nodes for cell in some.cells} == {4}


def test_the_fitted_profile_is_a_profile(tmp_path: Path) -> None:
    fitted = fit(load_profile("ranger"), measured(known(), [4, 8]))
    (tmp_path / "fitted.json").write_text(fitted.profile.to_json())
    again = load_profile(tmp_path / "fitted.json")
    assert again.to_json() == fitted.profile.to_json()
