"""The commands as functions: a function gives the document that the command prints."""

import pickle
import shutil
from pathlib import Path

import pytest
from documents import check
from typed import COMMAND, Lapwing

import lapwing as package
from lapwing import LapwingError, Launch


@pytest.fixture
def natives(monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(COMMAND.parent))
    monkeypatch.setenv("LAPWING_COMMAND", "")


def test_plan_and_predict(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    profile = package.load_profile(tmp_path / machine)
    words = ["plan", machine, "--volume", "1MB", "--compute", "1.4ms", "--grain", "8"]
    plan = package.plan(profile, volume="1MB", compute="1.4ms", grain=8, transport="any")
    assert plan.document == lapwing(*words, "--json").document
    words = ["predict", machine, "bcast", "--ranks", "2:8", "--size", "8,64KB"]
    words += ["--algorithm", "all", "--model", "model"]
    predicted = package.predict(
        profile,
        "bcast",
        ranks=[2, 4, 8],
        sizes=["8", "64KB"],
        algorithm="all",
        model="model",
    )
    assert predicted.document == lapwing(*words, "--json").document


def test_simulate() -> None:
    result = package.simulate(collective="barrier", ranks=16)
    check("simulate", result.document)


@pytest.mark.usefixtures("natives")
def test_calibrate(lapwing: Lapwing) -> None:
    profile = package.calibrate("sim:ib4x", only=["latency"], quick=True)
    assert pickle.loads(pickle.dumps(profile)) == profile
    words = ["calibrate", "--on", "sim:ib4x", "--only", "latency", "--quick", "--json"]
    printed = lapwing(*words).document
    check("profile", profile.document)
    for document in (printed, ours := profile.document):
        del document["machine"]["command"]
        del document["machine"]["date"]
    assert ours == printed
    with pytest.raises(LapwingError, match="repeat: 0 launches are none"):
        package.calibrate("sim:ib4x", repeat=0)
    with pytest.raises(LapwingError, match='unknown target "sin:ib4x"'):
        package.calibrate("sin:ib4x")


@pytest.mark.usefixtures("natives")
def test_sweep(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    profile = package.load_profile(tmp_path / machine)
    result = package.sweep(profile, on="sim:ib4x", volume="16KB", ratio=1, smallest="2KB")
    words = ["sweep", machine, "--on", "sim:ib4x", "--volume", "16KB", "--ratio", "1"]
    assert result == lapwing(*words, "--smallest", "2KB", "--json").document
    assert result.plan.seconds <= result.blocking.seconds
    several = package.sweep(
        profile, on=Launch.on("sim:ib4x"), volume=["16KB", 32768], compute="20us", plan_only=True
    )
    check("sweeps", several.document)
    assert [each.volume for each in several.sweeps] == [16384, 32768]
    given = package.plan(profile, volume="16KB", compute="20us", grain=8, method="paper")
    followed = package.sweep(profile, on="sim:ib4x", volume="16KB", compute="20us", given=given)
    assert followed.plan.messages == given.messages
    with pytest.raises(LapwingError, match="give ratio or compute, one of the two"):
        package.sweep(profile, on="sim:ib4x", volume="16KB")


@pytest.mark.usefixtures("natives")
def test_validate(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    profile = package.load_profile(tmp_path / machine)
    result = package.validate(profile, ["send"], on="sim:ib4x", sizes=["8", "1KB"])
    words = ["validate", machine, "send", "--on", "sim:ib4x", "--size", "8,1KB", "--json"]
    assert result == lapwing(*words).document
    pytest.importorskip("pandas")
    assert list(result.to_pandas()["size"]) == [8, 1024]


@pytest.mark.usefixtures("natives")
def test_observe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = COMMAND.parent / "example-hello.openmpi"
    if not program.exists():
        pytest.skip("no Open MPI")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # or two mpirun want to make the same folder
    command = ["mpirun.openmpi", "--oversubscribe", "-n", "2", str(program)]
    result = package.observe(command, quiet=True)
    check("observe", result.document)
    assert (result.ranks, result.exit_status) == (2, 0)
    assert result.events is None


def test_fit() -> None:
    pytest.importorskip("scipy")
    machine = package.load_profile("ranger")
    times = package.predict(machine, "bcast", ranks=[4, 8, 16], sizes=[8, 512, 8192, 65536])
    cells = [
        package.Cell(
            operation="bcast",
            algorithm=each.algorithm,
            size=each.size,
            nodes=each.ranks,
            ranks_per_node=1,
            ranks=each.ranks,
            median=each.predicted.seconds,
        )
        for each in times.predictions
    ]
    measured = package.Measurements(cells)
    found = package.fit(machine, [measured])
    check("fit", found.document)
    assert repr(found).startswith("Fit(points=")
    assert "<table>" in found._repr_html_()
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.profile == found.profile
    with pytest.raises(LapwingError, match="a fit needs 8"):
        package.fit(machine, measured, most_nodes=4)
