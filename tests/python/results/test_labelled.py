"""Results: one line, a table, equality, pickling and data frames."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from documents import DATA

import lapwing
from lapwing.results.flatten import at, flatten, units
from lapwing.results.labelled import Document

MACHINE = lapwing.load_profile(DATA / "ib4x.json")
SWEEP = Document(
    lapwing="sweep",
    pattern="stream",
    volume=1 << 20,
    blocking={"seconds": 2.8e-3, "error": 0.01},
    hidden=0.99,
    cells=[
        {"message": size, "burst": burst, "window": None, "template": "E", "seconds": 1e-6 * size}
        for size in (256, 512)
        for burst in (1, 2)
    ],
)
OBSERVED = Document(
    lapwing="observe",
    ranks=2,
    time={"seconds": 1.5},
    calls=[
        {"routine": "MPI_Send", "function": "swap", "file": "a.c", "line": 3}
        | {"module": "a", "offset": 1}
    ],
    exchanges=[
        {
            "call": 0,
            "operation": "messages",
            "count": 3,
            "peers": 1,
            "sent": 8,
            "received": 8,
            "initiating": {"seconds": 0.1},
            "waiting": {"seconds": 0.2},
            "saved": {"seconds": 0.1, "low": 0.0, "high": 0.2},
            "saved_in_all": {"seconds": 0.3, "low": 0.0, "high": 0.6},
            "verdict": "worth it",
        }
    ],
)


def results() -> dict[str, Any]:
    """A result of each kind that needs neither ranks nor a network."""
    return {
        "plan": lapwing.plan(MACHINE, volume="1MB", compute="1.4ms", grain=8),
        "profile": MACHINE,
        "sensitivity": lapwing.sensitivity(MACHINE, volume="1MB", compute="1.4ms"),
        "predict": lapwing.predict(MACHINE, "bcast", ranks=[2, 16], sizes=["8", "64KB"]),
        "simulate": lapwing.simulate(collective="barrier", ranks=4),
        "sweep": SWEEP,
        "observe": OBSERVED,
    }


@pytest.mark.parametrize("kind", results())
def test_every_result_is_shown_compared_and_pickled(kind: str) -> None:
    result, other = results()[kind], results()["plan" if kind != "plan" else "profile"]
    assert len(repr(result).splitlines()) == 1
    assert repr(result).startswith(("Plan", "Profile", "Sens", "Pred", "Sim", "Sweep", "Observ"))
    assert "<table>" in result._repr_html_()
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result)
    assert again == result == copy.deepcopy(result)
    assert result != other
    assert result != 3
    assert repr(again) == repr(result)
    assert result.document["lapwing"] == kind


@pytest.mark.parametrize("pattern", ["multi", "congested", "alltoall", "halo", "buckets"])
def test_plans_of_all_patterns_are_pickled_whole(pattern: str) -> None:
    more: dict[str, Any] = {"peers": 2} if pattern == "halo" else {"ranks": 4}
    plan = lapwing.plan(MACHINE, volume="1MB", compute="1ms", grain=8, pattern=pattern, **more)
    assert pickle.loads(pickle.dumps(plan)).to_json() == plan.to_json()


def test_natives_that_are_equal_have_the_same_hash() -> None:
    again = pickle.loads(pickle.dumps(MACHINE))
    assert len({MACHINE, again}) == 1
    assert lapwing.plan(MACHINE, volume="1MB", compute="2ms") != results()["plan"]


def test_fields_are_attributes() -> None:
    assert SWEEP.blocking.seconds == SWEEP["blocking"]["seconds"] == 2.8e-3
    assert SWEEP.cells[1].burst == 2
    assert {"cells", "hidden", "to_pandas"} <= set(dir(SWEEP))
    with pytest.raises(AttributeError, match="there is no hiden: there are lapwing, pattern"):
        _ = SWEEP.hiden


def test_a_line_has_units() -> None:
    assert repr(SWEEP) == (
        "Sweep(pattern='stream', volume=1048576, blocking=2.8 ms, hidden=0.99, 4 rows)"
    )


def test_text_of_files_is_escaped() -> None:
    html = Document(lapwing="predict", operation="<b>", predictions=[])._repr_html_()
    assert "&lt;b&gt;" in html


def test_long_tables_are_cut() -> None:
    plan = lapwing.plan(MACHINE, volume="1MB", compute="1.4ms", grain=8)
    assert "and 2 more rows: to_pandas() has all" in plan._repr_html_()


def test_flat_rows() -> None:
    entry = {"size": 8, "predicted": {"seconds": 1.0, "low": 0.5}, "list": [1], "at": {"x": 2}}
    assert flatten(entry) == {"size": 8, "predicted": 1.0, "predicted.low": 0.5, "at.x": 2}
    assert flatten({"plan": {"lapwing": "plan", "seconds": 2.0, "window": 3}}) == {"plan": 2.0}
    assert units(entry) == {"predicted": "s", "predicted.low": "s"}
    assert (at(entry, "at.x"), at(entry, "at.y"), at(entry, "size.z")) == (2, None, None)


def test_pandas() -> None:
    pytest.importorskip("pandas")
    frame = results()["predict"].to_pandas()
    assert list(frame["ranks"]) == [2, 2, 16, 16]
    assert frame.attrs["operation"] == "bcast"
    assert frame.attrs["units"]["predicted"] == "s"
    assert OBSERVED.to_pandas()["call"][0] == "MPI_Send in swap (a.c:3)"
    assert list(results()["plan"].to_pandas()["size"]) == results()["plan"].messages
    assert set(MACHINE.to_pandas()) == {"size", "burst", "send", "receive"}


def test_xarray() -> None:
    pytest.importorskip("xarray")
    predicted = results()["predict"]
    grid = predicted.to_xarray()
    assert grid["predicted"].dims == ("ranks", "size")
    assert grid["predicted"].values.tolist() == predicted.seconds.tolist()
    assert grid["predicted"].attrs["units"] == "s"
    every = lapwing.predict(MACHINE, "bcast", ranks=[4], sizes=[8, 64], algorithm="all")
    assert every.to_xarray()["predicted"].dims == ("algorithm", "ranks", "size")
    assert every.seconds.shape == (len(every.to_xarray()["algorithm"]), 1, 2)
    assert SWEEP.to_xarray()["seconds"].sel(message=512, burst=2) == pytest.approx(512e-6)
    assert MACHINE.to_xarray()["send"].dims == ("size", "burst")
    with pytest.raises(lapwing.LapwingError, match="this Observation is no grid: to_pandas"):
        OBSERVED.to_xarray()


@pytest.mark.parametrize("module", ["pandas", "xarray"])
def test_without_it_there_is_one_line(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(lapwing.LapwingError) as error:
        getattr(results()["plan"], f"to_{module}")()
    assert f"to_{module}() needs {module} (" in str(error.value)
    assert str(error.value).endswith(f'pip install "lapwing[{module}]"')


def test_malformed_plans_are_refused() -> None:
    with pytest.raises(ValueError, match="plan: not a JSON document"):
        lapwing.Plan.from_json("")


def test_all_names_are_there_and_loaded_when_they_are_asked_for() -> None:
    assert all(getattr(lapwing, name) is not None for name in dir(lapwing))
    commands = ["calibrate", "sweep", "plan", "predict", "fit", "validate", "observe", "replay"]
    assert all(callable(getattr(lapwing, name)) for name in [*commands, "simulate"])
    with pytest.raises(AttributeError, match="has no attribute 'calibrat'"):
        _ = lapwing.calibrat
    code = "import lapwing, sys; print(*(m for m in sys.modules if m.startswith('lapwing')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert loaded.split() == ["lapwing"]


def test_help_fits_one_screen() -> None:
    import pydoc

    shown = pydoc.plain(pydoc.render_doc(lapwing)).splitlines()
    assert len(shown) <= 66
    assert max(map(len, shown)) <= 104
    # What there is to know comes before the list of modules.
    assert "PACKAGE CONTENTS" in shown[:30]


def test_measurements_are_kept(tmp_path: Path) -> None:
    """A profile in a file is the profile that was written."""
    (tmp_path / "machine.json").write_text(MACHINE.to_json())
    assert lapwing.load_profile(tmp_path / "machine.json") == MACHINE
