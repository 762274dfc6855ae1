"""bench/real.py on small data of a machine whose costs are known."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from real import baselines, clouds, fit, hockney, latency, regression
from real.extrapolation import Extrapolation, measured_systems

from lapwing import Cell, LapwingError, Measurements, load_profile, predict
from lapwing.fitting.points import Group, Point

ROOT = Path(__file__).parents[3]
LOGS = ROOT / "tests" / "data" / "logs"
ALPHA, BETA = 2e-6, 1e-10
NODES = [4, 8, 16, 32]
SIZES = [8, 256, 4096, 65536, 1 << 20]
ALGORITHMS = [
    ("allreduce", "recursive-doubling"),
    ("allreduce", "ring"),
    ("bcast", "binomial"),
    ("allgather", "ring"),
    ("alltoall", "bruck"),
]


def textbook(operation: str, algorithm: str, ranks: int, size: int) -> tuple[float, float]:
    """Rounds and bytes, of powers of two of ranks."""
    doublings = np.log2(ranks)
    return {
        ("allreduce", "recursive-doubling"): (doublings, doublings * size),
        ("allreduce", "ring"): (2 * (ranks - 1), 2 * (ranks - 1) * np.ceil(size / ranks)),
        ("bcast", "binomial"): (doublings, doublings * size),
        ("allgather", "ring"): (ranks - 1, (ranks - 1) * size),
        ("alltoall", "bruck"): (doublings, doublings * ranks / 2 * size),
    }[operation, algorithm]


def points(
    nodes: list[int], seconds: Callable[[float, float], float], algorithms: list = ALGORITHMS
) -> list[Point]:
    """What takes `seconds(rounds, bytes)`, on so many nodes of one rank each."""
    return [
        Point(Group(*kind, ranks, 1), size, seconds(*textbook(*kind, ranks, size)))
        for kind in algorithms
        for ranks in nodes
        for size in SIZES
    ]


def hockney_seconds(rounds: float, volume: float) -> float:
    return ALPHA * rounds + BETA * volume


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with `collectives.csv`: two systems, of which one has few nodes only."""
    lines = ["system,nodes,ranks_per_node,operation,algorithm,size,median_us"]
    for system, nodes in (("known", NODES), ("small", [4, 8])):
        for operation, algorithm in ALGORITHMS:
            times = predict(
                load_profile("ranger"),
                operation,
                ranks=nodes,
                sizes=SIZES,
                algorithm=algorithm,
                model="model",
            ).seconds
            lines += [
                f"{system},{count},1,{operation},{algorithm},{size},{time * 1e6:.6f}"
                for count, row in zip(nodes, times, strict=True)
                for size, time in zip(SIZES, row, strict=True)
            ]
    (tmp_path / "collectives.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def real(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench" / "real.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def columns(text: str, head: str) -> list[str]:
    """The words behind `head` in its line."""
    (line,) = [line for line in text.splitlines() if line.startswith(head)]
    return line.removeprefix(head).split()


def test_rounds_and_bytes_are_those_of_textbooks() -> None:
    some = points([8, 64], lambda rounds, volume: rounds)
    expected = [textbook(*p.group[:2], p.group.ranks, p.size) for p in some]
    np.testing.assert_allclose(hockney.terms(some), expected, rtol=1e-3)


def test_alpha_and_beta_are_recovered_from_few_nodes() -> None:
    few = points([4, 8], hockney_seconds)
    model = hockney.fitted(few)
    for costs in model.costs.values():
        np.testing.assert_allclose(costs, [ALPHA, BETA], rtol=1e-3)
    more = points([64, 1024], hockney_seconds)
    np.testing.assert_allclose(model.seconds(more), [p.seconds for p in more], rtol=1e-3)


def test_one_wrong_time_does_not_change_alpha_and_beta() -> None:
    few = points([4, 8], hockney_seconds, [("allreduce", "ring")])
    few[3] = few[3]._replace(seconds=20 * few[3].seconds)
    (costs,) = hockney.fitted(few).costs.values()
    np.testing.assert_allclose(costs, [ALPHA, BETA], rtol=0.1)


def test_an_algorithm_that_was_not_measured_has_the_alpha_and_beta_of_all() -> None:
    model = hockney.fitted(points([4, 8], hockney_seconds, ALGORITHMS[:3]))
    others = points([16], hockney_seconds, ALGORITHMS[3:])
    np.testing.assert_allclose(model.seconds(others), [p.seconds for p in others], rtol=1e-3)


def test_costs_are_never_negative() -> None:
    falling = points([4, 8], lambda rounds, volume: ALPHA * rounds / (1 + volume), ALGORITHMS[1:2])
    assert (hockney.fitted(falling).common >= 0).all()


def test_a_regression_knows_what_it_was_shown_and_is_the_same_again() -> None:
    pytest.importorskip("sklearn")
    few = points([4, 8], hockney_seconds)
    again = regression.seconds(few, few)
    np.testing.assert_allclose(again, [p.seconds for p in few], rtol=0.5)
    assert (again == regression.seconds(few, few)).all()
    unseen = [Point(Group("gather", "linear", 16, 1), 0, 1e-6)]
    assert np.isfinite(regression.seconds(few, unseen)).all()


def test_the_fit_predicts_more_nodes_of_a_machine_that_is_as_modelled(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = Extrapolation("known", measured_systems(data)["known"], 8)
    fit.report([known])
    printed = capsys.readouterr().out
    fitted, tried, median, nine_of_ten, within, runs = columns(printed, "known")
    assert (fitted, tried) == ("50", "50")
    assert float(median) < 0.05 and float(nine_of_ten) < 0.2
    assert 0 <= float(within) <= 1
    assert runs == "-"  # there is one run
    assert columns(printed, "  allreduce")[0] == "20"
    assert columns(printed, "  32 ranks")[0] == "25"
    baselines.report([known])
    printed = capsys.readouterr().out
    assert columns(printed, "known       printed formulas")[0] == "20"  # bcast and alltoall
    cells, *_, ours, _ = columns(printed, "known       Hockney")
    assert cells == "50" and float(ours) == pytest.approx(float(median), abs=1e-3)


def test_without_scikit_learn_it_says_so_and_goes_on(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    baselines.report([Extrapolation("known", measured_systems(data)["known"], 8)])
    printed = capsys.readouterr().out
    assert "no regression: it needs scikit-learn" in printed
    assert "Hockney" in printed and "boosted trees" not in printed


def test_a_system_that_cannot_be_tried_is_named_and_others_are_tried(data: Path) -> None:
    done = real("--data", data, "--only", "fit")
    assert done.returncode == 0 and done.stderr == ""
    assert "small       left out: nothing on more than 8 nodes" in done.stdout
    assert len(columns(done.stdout, "known ")) == 6


def test_several_ranks_a_node_are_a_system_of_their_own(data: Path) -> None:
    with (data / "collectives.csv").open("a") as file:
        for nodes in (2, 4, 8, 16):
            file.writelines(f"known,{nodes},4,bcast,binomial,{size},{size}\n" for size in SIZES)
    done = real("--data", data, "--only", "fit", "--system", "known", "known/4")
    assert done.returncode == 0 and done.stderr == ""
    assert len(columns(done.stdout, "known ")) == 6
    assert "known/4     left out: " in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "collectives.csv"),
        (("--system", "lumi"), "collectives.csv"),
    ],
)
def test_without_data_it_says_so_in_one_line(tmp_path: Path, words: tuple, said: str) -> None:
    done = real("--data", tmp_path, *words)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_an_unknown_system_is_refused_in_one_line(data: Path) -> None:
    done = real("--data", data, "--system", "lumi")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "real.py: no lumi among known, small\n"


def test_logs_that_are_not_there_are_left_out(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    latency.report(data, measured_systems(data), "hybrid")
    clouds.report(data, "hybrid")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("left out: no osu_latency_*multinode_hybrid*.txt in")
    assert second.startswith("left out: no osu_latency.csv in")


@pytest.fixture
def osu(data: Path) -> Path:
    """The folder with OSU logs of the system `known`, which are named as theirs are."""
    folder = data / "osu" / "craype" / "known"
    folder.mkdir(parents=True)
    for log, name in (
        ("osu_latency.txt", "osu_latency_H_H_multinode_hybrid.txt"),
        ("osu_bibw.txt", "osu_bibw_b_multiple_H_H_multinode_hybrid.txt"),
        ("shm_latency.txt", "osu_latency_H_H_singlenode_hybrid.txt"),
        ("osu_allreduce_n16.txt", "osu_allreduce_i_100_H_H_n16_hybrid.txt"),
    ):
        shutil.copy(LOGS / log, folder / name)
    return data


def test_collectives_are_predicted_from_messages_of_two_ranks(
    osu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    latency.report(osu, measured_systems(osu), "hybrid")
    printed = capsys.readouterr().out
    assert columns(printed, "known   craype     forced, up to 32 nodes")[0] == "100"
    cells, median, _, ratio = columns(printed, "known   craype     mpich's, 8 ranks a node")
    assert int(cells) > 0 and float(median) > 0 and float(ratio) > 0
    latency.report(osu, measured_systems(osu), "software")
    assert "left out" in capsys.readouterr().out


def test_collectives_of_several_ranks_a_node_need_messages_within_one(
    osu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (osu / "osu" / "craype" / "known" / "osu_latency_H_H_singlenode_hybrid.txt").unlink()
    latency.report(osu, measured_systems(osu), "hybrid")
    printed = capsys.readouterr().out
    assert columns(printed, "known   craype     forced, up to 32 nodes")[0] == "100"
    assert "8 ranks a node: left out, no logs of messages within a node" in printed


def test_logs_over_different_layers_are_different_machines(osu: Path) -> None:
    folder = osu / "osu" / "craype" / "known"
    other = osu / "osu" / "ompi" / "known"
    for layer in ("cxi", "lnx"):
        for path in folder.glob("osu_*"):
            name = path.name.replace("_H_H_", f"_H_H_{layer}_")
            other.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, other / name)
    found = latency.logs_of(osu, "hybrid")
    assert [each.name for each in found] == ["craype", "ompi cxi", "ompi lnx"]
    assert [each.library for each in found] == ["mpich", "openmpi", "openmpi"]
    assert {len(each.collectives()) for each in found} == {len(found[0].collectives())}


def test_runs_differ_relative_to_their_mean() -> None:
    cells = [
        Cell(operation="bcast", algorithm="ring", size=8, median=time, run=name)
        for time, name in ((1e-6, "a"), (3e-6, "b"), (1e-6, "c"))
    ]
    assert fit.between_runs(Measurements(cells)) == pytest.approx([1, 0, 1])


@pytest.fixture
def cloud(osu: Path) -> Path:
    """Tables of two clouds: one whose ranks on a node are known, and another."""
    shutil.copytree(osu / "osu" / "craype" / "known", osu / "osu" / "craype" / "lumi")
    folder = osu / "osu" / "cloud"
    folder.mkdir()
    head = "bytes,value,cloud,environment,nodes\n"
    where = ["google,engine,2", "private,cellar,2"]
    sizes = [1, 64, 4096, 65536, 1 << 20]

    def table(values: list[float]) -> str:
        rows = zip(sizes, values, strict=True)
        return head + "".join(
            f"{size},{value},{place}\n" for size, value in rows for place in where
        )

    (folder / "osu_latency.csv").write_text(table([30, 31, 40, 90, 600]))
    (folder / "osu_bw.csv").write_text(table([0.1, 6, 300, 1500, 2000]))
    (folder / "osu_allreduce.csv").write_text(
        head + "64,100,google,engine,2\n64,9,private,cellar,2\n"
    )
    return osu


def test_the_allreduce_of_a_cloud_is_predicted(
    cloud: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clouds.report(cloud, "hybrid")
    printed = capsys.readouterr().out
    nodes, ranks, *_, cells, factor, ratio = columns(printed, "google engine")
    assert (nodes, ranks, cells) == ("2", "112", "1")
    assert float(factor) == pytest.approx(max(float(ratio), 1 / float(ratio)), rel=0.05)
    assert "private cellar: left out, its ranks on a node are unknown" in printed


def test_a_table_of_a_cloud_without_a_column_is_refused(cloud: Path) -> None:
    (cloud / "osu" / "cloud" / "osu_allreduce.csv").write_text("bytes,value,cloud\n64,1,google\n")
    done = real("--data", cloud, "--only", "clouds")
    assert done.returncode == 2
    assert "needs the columns cloud, environment, nodes" in done.stderr
    assert done.stderr.count("\n") == 1
    with pytest.raises(LapwingError):
        clouds.jobs(cloud / "osu" / "cloud" / "osu_allreduce.csv")
