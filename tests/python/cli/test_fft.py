"""Transforms as a user times them: in several ways, verified, beside their predictions."""

import shutil

import pytest
from documents import check
from typed import Lapwing, run

CLUSTER = "ib4x"
TIMES = ["schedule", "transport", "tile", "window", "time", "phases", "overhead"]


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A profile with the usual tables and what transforms need."""
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    path = tmp_path_factory.mktemp("profile") / "machine.json"
    parts = ["--only", "tables,protocol,kernels,operations,log3p", "--quick"]
    ended = run(path.parent, "calibrate", "--on", f"sim:{CLUSTER}", *parts, "-o", str(path))
    assert (ended.status, ended.err) == (0, "")
    return str(path)


def test_document(lapwing: Lapwing, profile: str) -> None:
    words = ["run", "fft", profile, "--size", "64x64x128", "--on", f"sim:{CLUSTER}:8", "--json"]
    words += ["--compare", "slabs,slabs:rma,pencils,tiled,exchange:two-sided,auto", "--tile", "1,4"]
    result = lapwing(*words).document
    check("fft", result)
    assert (result["size"], result["ranks"], result["data"]) == ([64, 64, 128], 8, True)
    blocking, *others = result["ways"]
    assert (blocking["schedule"], blocking["overhead_reduction"]) == ("exchange", 0)
    assert [entry["tile"] for entry in others if entry["schedule"] == "tiled"][:2] == [1, 4]
    for entry in result["ways"]:
        assert entry["verified"]
        assert abs(entry["prediction_error"]) < 0.1
        assert entry["time"]["seconds"] >= result["lines"]["seconds"]
    (chosen,) = (entry for entry in result["ways"] if entry.get("auto"))
    best = min(entry["time"]["seconds"] for entry in result["ways"])
    assert chosen["time"]["seconds"] <= 1.02 * best
    # 8 planes of a rank, each with a message to 7 others.
    assert others[0]["messages"] == 8 * 7
    assert lapwing(*words).document == result


def test_real_batches_in_a_grid(lapwing: Lapwing, profile: str) -> None:
    words = ["run", "fft", profile, "--size", "40x48x35", "--on", f"sim:{CLUSTER}:8", "--json"]
    words += ["--compare", "exchange,exchange:two-sided,slabs:rma,pencils,tiled,strips,auto"]
    words += ["--real", "--batch", "2", "--decomposition", "2d"]
    result = lapwing(*words).document
    check("fft", result)
    assert (result["real"], result["batch"], result["grid"]) == (True, 2, [4, 2])
    for entry in result["ways"]:
        assert entry["verified"]
        assert abs(entry["prediction_error"]) < 0.1
    (chosen,) = (entry for entry in result["ways"] if entry.get("auto"))
    assert chosen["time"]["seconds"] <= 1.02 * min(
        entry["time"]["seconds"] for entry in result["ways"]
    )


def test_packings(lapwing: Lapwing, profile: str) -> None:
    words = ["run", "fft", profile, "--size", "32x32x64", "--on", f"sim:{CLUSTER}:4", "--json"]
    words += ["--compare", "exchange,slabs,auto", "--packing", "copy,derived,blocked:2:4"]
    result = lapwing(*words).document
    check("fft", result)
    packed = {entry["packing"]: entry for entry in result["ways"][:3]}
    assert packed.keys() == {"copy", "derived", "blocked"}
    assert (packed["blocked"]["block"], packed["blocked"]["padding"]) == (2, 4)
    for entry in packed.values():
        assert entry["verified"]
        assert abs(entry["prediction_error"]) < 0.1
    # Simulated middleware gathers what a derived type says at no cost.
    times = {name: entry["time"]["seconds"] for name, entry in packed.items()}
    assert times["derived"] < min(times["copy"], times["blocked"])
    assert result["auto"]["packing_by"] == {"log_3P": "derived", "LogGP": "derived"}


@pytest.mark.parametrize(
    "what",
    [
        ["--compare", "exchange,slabs:rma,pencils,tiled", "--tile", "2"],
        ["--compare", "exchange,slabs,tiled", "--real", "--batch", "2", "--decomposition", "2d"],
    ],
)
def test_sizes_without_data(lapwing: Lapwing, what: list[str]) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    words = ["run", "fft", "--size", "32x48x64", "--on", f"sim:{CLUSTER}:4", "--json", *what]
    full, empty = lapwing(*words).document, lapwing(*words, "--no-data").document
    check("fft", empty)
    assert not empty["data"]
    for with_data, without in zip(full["ways"], empty["ways"], strict=True):
        assert [with_data[name] for name in TIMES] == [without[name] for name in TIMES]
        assert "verified" not in without


def test_table(lapwing: Lapwing, profile: str) -> None:
    words = ["run", "fft", profile, "--size", "32", "--schedule", "auto"]
    table = lapwing(*words, "--on", f"sim:{CLUSTER}:4", "--repeat", "2").table
    assert "Transform of 32 x 32 x 32 on 4 ranks" in table
    assert "exchange" in table
    assert "auto: " in table


def test_auto_benchmark(lapwing: Lapwing, profile: str) -> None:
    words = ["run", "ft", profile, "--schedule", "auto", "--on", f"sim:{CLUSTER}:4", "--json"]
    result = lapwing(*words).document
    check("ft", result)
    assert result["verified"]
    assert result["auto"]["schedule"] == result["schedule"]
    assert result["auto"]["predicted"]["seconds"] >= result["auto"]["lines"]["seconds"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "64x64"], "write 256x256x128"),
        (["--size", "64", "--compare", "slab"], "slabs"),
        (["--size", "64", "--compare", "slabs,auto"], "profile"),
        (["--size", "64", "--schedule", "pencils:collective"], "take two-sided or rma"),
        (["--size", "64", "--schedule", "tiled", "--transport", "rma"], "take collective"),
        (["--size", "64", "--no-data"], "no simulated cluster"),
        (["--size", "64", "--packing", "block"], "blocked"),
        (["--size", "11111111111"], "an axis has 1 to 2147483647 elements"),
        (["--size", "64", "--packing", "blocked:0"], "blocked:4:8"),
        (["--size", "64", "--packing", "blocked:99999999999"], "blocked:4:8"),
        (["--size", "64", "--schedule", "slabs", "--packing", "derived"], "compare the exchange"),
        (["--size", "64", "--batch", "0"], "--batch"),
        (["--size", "100000"], "GB of memory"),
        (["--size", "64", "--window", "0"], "--window"),
    ],
)
def test_refusals(lapwing: Lapwing, words: list[str], said: str) -> None:
    assert said in lapwing("run", "fft", *words, "--on", "mpi:2").complaint


def test_profile_without_kernels(lapwing: Lapwing) -> None:
    complaint = lapwing(
        "run", "fft", "ranger", "--size", "64", "--schedule", "auto", "--on", "mpi:2"
    ).complaint
    assert "lapwing calibrate" in complaint
