"""`lapwing validate` as a user runs it: its times are right, and shown beside predictions."""

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from documents import check
from rich.console import Console
from typed import COMMAND, Lapwing

from lapwing import _core
from lapwing.launch import Launch, parse
from lapwing.launch.algorithms import algorithms, force
from lapwing.measure.operations import time_operations
from lapwing.tables.validate import validate_tables
from lapwing.testbed import load_cluster
from lapwing.validation.cases import OPERATIONS
from lapwing.validation.validate import summarise

ON = ["validate", "--on", "sim:ib4x", "machine.json"]


@pytest.mark.parametrize("mpi", ["simgrid", "openmpi", "mpich"])
def test_what_is_forced_can_be_predicted(mpi: str) -> None:
    assert set(OPERATIONS) == {*_core.predicted_operations()} - {"gatherv", "scatterv"}
    for operation in OPERATIONS:
        known = _core.predicted_algorithms(operation)
        assert algorithms(mpi, operation)
        for algorithm in algorithms(mpi, operation):
            assert algorithm in known
            forced = force(mpi, operation, algorithm, 8)
            assert forced is not None
            assert forced.settings or operation == "send"


def test_every_operation_with_every_algorithm(lapwing: Lapwing, machine: str) -> None:
    words = [*ON, "--ranks", "4", "--size", "512KB", "--json"]
    document = lapwing(*words).document
    check("validate", document)
    ran = {(result["operation"], result["algorithm"]) for result in document["results"]}
    named = {(entry["operation"], entry["algorithm"]) for entry in document["left_out"]}
    assert ran | named == {(o, a) for o in OPERATIONS for a in algorithms("simgrid", o)}
    assert named == {("bcast", "chain"), ("bcast", "pipelined")}
    for result in document["results"]:
        measured, predicted = result["measured"]["seconds"], result["predicted"]["seconds"]
        assert result["difference"]["seconds"] == pytest.approx(predicted - measured)
        assert result["error"] == pytest.approx(predicted / measured - 1)
        assert result["ranks"] == (2 if result["operation"] == "send" else 4)
    assert document["summary"]["cells"] == len(document["results"])


def test_what_is_timed_is_what_the_cluster_takes(lapwing: Lapwing, machine: str) -> None:
    cluster = load_cluster("ib4x")
    empty = cluster.send_overhead.base + cluster.latency + cluster.receive_overhead.base

    def one(operation: str, algorithm: str) -> dict:
        words = [operation, "--algorithm", algorithm, "--ranks", "7", "--size", "8192"]
        (result,) = lapwing(*ON, *words, "--json").document["results"]
        assert abs(result["error"]) < 5e-3
        return result

    barrier = one("barrier", "dissemination")
    assert barrier["size"] == 0
    assert barrier["measured"]["seconds"] == pytest.approx(3 * empty, rel=1e-4)
    chain = one("bcast", "chain")
    message = empty + chain["size"] / cluster.bandwidth
    assert chain["measured"]["seconds"] == pytest.approx(6 * message, rel=1e-4)


def test_table(lapwing: Lapwing, machine: str) -> None:
    words = [*ON, "bcast", "--algorithm", "scatter-ring", "--ranks", "2,3,4", "--size", "2,8KB"]
    shown = lapwing(*words).table
    assert "bcast, scatter-ring: measured (predicted) by the number of ranks" in shown
    assert "left out: bcast scatter-ring, 2 B: a rank's part is empty, on 3, 4 ranks" in shown
    assert "predictions: mean error" in shown
    assert "worst" in shown


def test_what_the_simulator_fails_at_is_left_out(lapwing: Lapwing, machine: str) -> None:
    words = [*ON, "reduce", "--algorithm", "scatter-gather", "--ranks", "3,4", "--size", "2"]
    shown = lapwing(*words).table
    why = "the simulator fails at fewer elements than ranks, unless a power of two"
    assert f"left out: reduce scatter-gather, 2 B: {why}, on 3 ranks" in " ".join(shown.split())
    assert "1 predictions" in shown


def test_choice_of_another_mpi(lapwing: Lapwing, machine: str) -> None:
    words = [*ON, "bcast", "--algorithm", "mpich", "--size", "8", "--ranks", "4", "--json"]
    (result,) = lapwing(*words).document["results"]
    assert result["algorithm"] == "mpich"
    assert abs(result["error"]) < 1e-3  # a binomial tree


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_real_mpi(lapwing: Lapwing, machine: str, mpi: str) -> None:
    if shutil.which(f"mpirun.{mpi}") is None:
        pytest.skip(f"no {mpi}")
    words = ["validate", "--on", "mpi:2", "--mpi", mpi, machine, "allreduce", "--size", "8"]
    words += ["--wait", "1s"]
    document = lapwing(*words, "--algorithm", "recursive-doubling", "--json").document
    check("validate", document)
    assert document["mpi"] == mpi
    (result,) = document["results"]
    assert result["measured"]["seconds"] > 0
    own = lapwing(*words, "--algorithm", "mpi", "--json").document
    assert [result["algorithm"] for result in own["results"]] == ["mpi"]


def test_processors_that_do_not_come_to_where_they_should_be_are_told(
    lapwing: Lapwing, machine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(COMMAND.parent))
    if not any(shutil.which(f"mpirun.{mpi}") for mpi in ("openmpi", "mpich")):
        pytest.skip("no MPI")
    launch = Launch(parse("mpi:2"), timeout=60)

    def timed(**values: float) -> tuple[str, list[bool | None]]:
        sizes = {"send": [8, 64]}
        wanted = {name: {"value": value, "tolerance": 1.4} for name, value in values.items()}
        found = time_operations(launch, sizes, seconds=0.01, wanted=wanted, wait=0.1)
        alike = [one.get("same_environment") for one in found["measurements"]]
        return " ".join(found["warnings"]), alike

    # None of these takes a second on any machine.
    for name in ("cache_line_seconds", "core_throughput_seconds", "syscall_seconds"):
        told, alike = timed(**{name: 1})
        assert "processors were not as far from each other as in the profile" in told
        assert "not as undisturbed (in 2 of 2" in told
        assert alike == [False, False]
    told, alike = timed()
    assert "processors were not" not in told
    assert alike == [None, None]


def test_what_was_measured_in_another_environment_is_marked() -> None:
    def result(size: int, error: float = -0.5, **more: bool) -> dict[str, Any]:
        return {
            "operation": "send",
            "algorithm": "send",
            "ranks": 2,
            "size": size,
            "measured": {"seconds": 2e-6, "error": 0.01, **more},
            "predicted": {"seconds": 2e-6 * (1 + error)},
            "difference": {"seconds": 2e-6 * error},
            "error": error,
            "measured_range": True,
        }

    def shown(*results: dict[str, Any]) -> str:
        console = Console(width=120, file=io.StringIO())
        document = {"results": results, "left_out": [], "warnings": []}
        console.print(*validate_tables({**document, "summary": summarise(results)}))
        assert isinstance(console.file, io.StringIO)
        return " ".join(console.file.getvalue().split())

    alike = [result(8, 0.01, same_environment=True), result(32, -0.02, same_environment=True)]
    mixed = shown(*alike, result(64, same_environment=False))
    assert mixed.count("~") == 2
    assert "~ 1 measured in another environment than the profile" in mixed
    every = "3 predictions: mean error 17.67 %, median 2.00 %, worst -50.00 %"
    those = "2 in the profile's environment: mean error 1.50 %, median 1.50 %, worst -2.00 %"
    assert every in mixed
    assert those in mixed
    assert "~" not in shown(result(8))
    for alone in (alike, [result(64, same_environment=False)]):
        assert "same_environment" not in summarise(alone)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["bcst"], 'unknown operation "bcst" (did you mean "bcast"?)'),
        (["bcast", "--algorithm", "binomal"], '(did you mean "binomial"?)'),
        (["bcast", "--algorithm", "mpi"], "write mvapich2, mpich or openmpi"),
        (["--ranks", "1"], "it takes 2 to communicate"),
        (["--ranks", "2:128"], "128 ranks, but cluster ib4x has 64 hosts"),
        (["--ranks", "8:2"], "write the smaller one first"),
        (["alltoall", "--stride", "64"], "alltoall is never strided"),
        (["alltoall", "--size", "2GB"], "GB"),
        (["bcast", "--algorithm", "chain", "--size", "16KB"], "more than a segment of 8 KB"),
        (["alltoall", "--size", "1MB", "--ranks", "64", "--algorithm", "ring"], "2 GB"),
    ],
)
def test_refusals(lapwing: Lapwing, machine: str, words: list[str], complaint: str) -> None:
    assert complaint in lapwing(*ON, *words).complaint


def test_an_operation_before_the_profile(lapwing: Lapwing) -> None:
    words = ["validate", "--on", "sim:ib4x", "bcast", "ranger"]
    assert "the profile comes first: lapwing validate ranger bcast" in lapwing(*words).complaint


def test_nothing_is_left_behind(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    assert lapwing(*ON, "barrier", "--algorithm", "tree").status == 0
    assert sorted(tmp_path.iterdir()) == before
