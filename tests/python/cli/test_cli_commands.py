"""The table and the JSON of every command, as a user runs it."""

import ast
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import jsonschema
import pytest
from documents import check
from typed import Lapwing

from lapwing.errors import LapwingError
from lapwing.schema import NAMES, schema
from lapwing.testbed.namespace import require_network

STREAM = ["--volume", "64KB", "--ratio", "1"]


def test_help_teaches(lapwing: Lapwing) -> None:
    ended = lapwing("--help")
    assert ended.status == 0
    assert "examples:" in ended.out
    assert lapwing("-h").out == lapwing().out == ended.out
    commands = ["calibrate", "show", "merge", "plan", "validate", "sweep", "run", "doctor", "demo"]
    commands += ["schema", "import"]
    for command in commands:
        assert f"\n  {command} " in ended.out
        own = lapwing(command, "--help")
        assert own.status == 0
        assert f"examples:\n  lapwing {command}" in own.out
    assert lapwing("--version").out.startswith("lapwing ")


@pytest.mark.parametrize("name", NAMES)
def test_schema(lapwing: Lapwing, name: str) -> None:
    document = lapwing("schema", name).document
    jsonschema.Draft202012Validator.check_schema(document)
    assert document == schema(name)


def test_calibrate(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    shown = lapwing("calibrate", "--on", "sim:ib4x", "--quick", "-o", "new.json").table
    assert "The profile is in new.json." in shown
    assert "LogGP" in shown
    document = json.loads((tmp_path / "new.json").read_text())
    check("profile", document)
    assert document["machine"]["target"] == "sim:ib4x"
    command = "lapwing calibrate --on sim:ib4x --quick -o new.json"
    assert document["machine"]["command"] == command
    assert sorted(os.listdir(tmp_path)) == ["machine.json", "new.json"]


def test_calibrate_json(lapwing: Lapwing, tmp_path: Path) -> None:
    document = lapwing("calibrate", "--on", "sim:hdr", "--quick", "--json").document
    check("profile", document)
    assert document["queue_depth"] is None
    assert document["queue_depth_reason"]
    assert not os.listdir(tmp_path)


def test_calibrate_in_several_launches(lapwing: Lapwing, tmp_path: Path) -> None:
    words = ["calibrate", "--on", "sim:hdr", "--only", "loggp", "--json"]
    once, thrice = (lapwing(*words, *more).document for more in ([], ["--repeat", "3"]))
    check("profile", thrice)
    assert thrice["machine"]["launches"] == "3"
    # All launches of the simulator measure the same.
    assert {**thrice, "machine": None} == {**once, "machine": None}


def test_calibrate_overwrites_when_told(lapwing: Lapwing, tmp_path: Path) -> None:
    (tmp_path / "machine.json").write_text("mine")
    words = ["calibrate", "--on", "sim:ib4x", "--quick"]
    assert "machine.json: exists already" in lapwing(*words).complaint
    assert (tmp_path / "machine.json").read_text() == "mine"
    assert lapwing(*words, "--force").status == 0
    check("profile", json.loads((tmp_path / "machine.json").read_text()))


def test_show(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    shown = lapwing("show", machine).table
    for word in ("sim:ib4x", "1.5 us", "750 MB/s", "o_s(S, b)", "none: initiating", "serialising"):
        assert word in shown
    document = lapwing("show", machine, "--json").document
    check("profile", document)
    assert document == json.loads((tmp_path / machine).read_text())


def test_show_queue_and_warnings(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    document = json.loads((tmp_path / machine).read_text())
    document |= {"queue_depth": 12, "warnings": ["busy \x1b[31m[red]"], "nic": "sharing"}
    document["machine"]["hosts"] = "[bold]\x1b]0;title\x07"
    (tmp_path / "other.json").write_text(json.dumps(document))
    shown = lapwing("show", "other.json").table
    assert "12 messages" in shown
    assert "warning: busy ?[31m[red]" in shown
    assert "[bold]?]0;title?" in shown
    assert "\x1b" not in shown


def test_help(lapwing: Lapwing) -> None:
    assert lapwing("help").out == lapwing("--help").out
    assert lapwing("help", "plan").out == lapwing("plan", "--help").out
    assert lapwing("help", "run", "ft").out == lapwing("run", "ft", "--help").out
    assert lapwing("--version").out == f"lapwing {version('lapwing')}\n"


def test_plan(lapwing: Lapwing, machine: str) -> None:
    words = ["plan", machine, "--volume", "8MB", "--compute", "12ms"]
    shown = lapwing(*words).table
    for word in ("messages", "growing by", "in flight", "predicted", "limit", "blocking", "saved"):
        assert word in shown
    document = lapwing(*words, "--json").document
    check("plan", document)
    assert sum(document["messages"]) == 8 << 20
    assert document["window"] >= 1
    assert document["limit"]["seconds"] <= document["predicted"]["seconds"] * (1 + 1e-9)
    # The unit does not change the document.
    same = ["plan", machine, "--volume", str(8 << 20), "--compute", "0.012s", "--json"]
    assert lapwing(*same).document == document
    same[3] = "8MiB"
    assert lapwing(*same).document == document


@pytest.mark.parametrize("volume", ["8", "64KB", "1MB", "1000000", "1.7MB"])
@pytest.mark.parametrize("compute", ["0s", "3.5us", "12ms"])
@pytest.mark.parametrize("direction", ["fetch", "produce"])
def test_plans(lapwing: Lapwing, machine: str, volume: str, compute: str, direction: str) -> None:
    words = ["plan", machine, "--volume", volume, "--compute", compute, "--direction", direction]
    document = lapwing(*words, "--grain", "8", "--json").document
    check("plan", document)
    assert sum(document["messages"]) == document["volume"]
    assert all(size % 8 == 0 for size in document["messages"][:-1])
    assert "message" in lapwing(*words).table


def test_plan_by_the_paper(lapwing: Lapwing, machine: str) -> None:
    words = ["plan", machine, "--volume", "1MB", "--compute", "1.4ms", "--method", "paper"]
    document = lapwing(*words, "--json").document
    check("plan", document)
    assert document["method"] == "paper"
    assert document["burst"] >= 1
    assert len(set(document["messages"])) == 1
    assert "in bursts of" in lapwing(*words).table


def test_off_line_commands_load_no_large_library(machine: str, tmp_path: Path) -> None:
    words = ["plan", machine, "--volume", "8MB", "--compute", "12ms"]
    script = (
        "import sys; from lapwing.cli import main; main.run(sys.argv[1:]); "
        "print(sorted(module for module in sys.modules if '.' not in module))"
    )
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = ast.literal_eval(done.stdout.splitlines()[-1])
    assert "lapwing" in loaded
    large = {"matplotlib", "mpi4py", "pandas", "scipy", "vl_convert", "xarray"}
    assert not large & set(loaded)


def test_sweep(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    words = ["sweep", "--on", "sim:ib4x", machine, "--pattern", "stream", *STREAM]
    shown = lapwing(*words, "-o", "result.json").table
    for word in ("b=64", "64 KB", "*", "p the paper", "equal sizes", "The plan hides"):
        assert word in shown
    assert "The result is in result.json." in shown
    kept = json.loads((tmp_path / "result.json").read_text())
    assert kept.pop("provenance")["target"] == "sim:ib4x"
    document = lapwing(*words, "--json").document
    assert document == kept  # simulated times are reproducible
    check("sweep", document)
    for key in ("volume", "ratio", "hidden", "loss", "efficiency", "best", "paper"):
        assert key in document
    for run in ("blocking", "computation", "communication", "limit"):
        assert document[run]["seconds"] > 0
    for cell in [*document["cells"], document["best"], document["paper"]]:
        assert {"template", "message", "burst", "seconds"} <= set(cell)
    assert {"messages", "window", "seconds"} <= set(document["plan"])
    assert document["plan"]["predicted"]["seconds"] > 0
    assert min(cell["seconds"] for cell in document["cells"]) == document["best"]["seconds"]
    assert sorted(os.listdir(tmp_path)) == ["machine.json", "result.json"]


def test_sweep_plan_only(lapwing: Lapwing, machine: str) -> None:
    words = ["sweep", "--on", "sim:ib4x", machine, *STREAM, "--plan-only"]
    document = lapwing(*words, "--json").document
    check("sweep", document)
    assert document["cells"] == []
    assert "best" not in document
    assert "The plan hides" in lapwing(*words).table


def test_sweep_of_nothing_to_hide(lapwing: Lapwing, machine: str) -> None:
    words = ["sweep", "--on", "sim:ib4x", machine, "--volume", "8KB", "--ratio", "0"]
    document = lapwing(*words, "--json").document
    check("sweep", document)
    assert document["hidden"] is None
    assert "nothing to hide" in lapwing(*words).table


def test_sweep_with_a_profile_of_another_place(lapwing: Lapwing, machine: str) -> None:
    shown = lapwing("sweep", "--on", "sim:hdr", machine, *STREAM).table
    assert "measured on sim:ib4x, not on sim:hdr" in shown


def test_run(lapwing: Lapwing, machine: str) -> None:
    words = ["run", "stream", "--on", "sim:ib4x", machine, "--volume", "1MB", "--compute", "1ms"]
    document = lapwing(*words, "--json").document
    check("sweep", document)
    assert document["computation"]["seconds"] == pytest.approx(1e-3, rel=1e-6)
    assert document["hidden"] > 0.9
    assert "The plan hides" in lapwing(*words).table


@pytest.mark.alone
def test_real_ranks(lapwing: Lapwing, tmp_path: Path) -> None:
    # Each part under one MPI, since the code is the same; test_shmem.py measures operations.
    others = "latency,protocol,plogp,log3p,kernels,collectives,patterns"
    for mpi, launcher, parts in (
        ("openmpi", "mpirun.openmpi", others),
        ("mpich", "mpiexec.mpich", "tables"),
    ):
        if not any(Path(folder, launcher).exists() for folder in os.environ["PATH"].split(":")):
            pytest.skip(f"no {launcher}")
        words = ["calibrate", "--on", "mpi:2", "--mpi", mpi, "--quick", "-o", f"{mpi}.json"]
        words += ["--only", parts]
        assert lapwing(*words, "--wait", "1s").status == 0
        document = json.loads((tmp_path / f"{mpi}.json").read_text())
        check("profile", document)
        assert document["loggp"]["G"] > 0
        words = ["run", "stream", "--on", "mpi:2", "--mpi", mpi, f"{mpi}.json", *STREAM, "--json"]
        ended = lapwing(*words)
        assert ended.status in (0, 1)  # whether the plan pays here does not matter
        check("sweep", json.loads(ended.out))


@pytest.mark.alone
@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_shaped_link(lapwing: Lapwing, machine: str, mpi: str) -> None:
    if shutil.which("mpirun.openmpi" if mpi == "openmpi" else "mpiexec.mpich") is None:
        pytest.skip(f"no {mpi}")
    try:
        require_network()
    except LapwingError as error:
        pytest.skip(str(error))
    # Messages large enough for a rendezvous. Rank 0 ends last.
    words = ["run", "stream", "--on", "net:1gbit", "--mpi", mpi, machine, "--volume", "4MB"]
    document = lapwing(*words, "--ratio", "1", "--json").document
    check("sweep", document)
    assert document["limit"]["seconds"] > 0


def test_names_with_a_blank(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "my machine.json").write_text((tmp_path / machine).read_text())
    words = ["run", "stream", "--on", "sim:ib4x", "a b/my machine.json", *STREAM]
    assert lapwing(*words, "-o", "a b/my result.json").status == 0
    assert (tmp_path / "a b" / "my result.json").exists()
