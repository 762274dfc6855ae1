"""The package as a program imports it."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import lapwing
from lapwing import units


def test_plan(machine: str, tmp_path: Path) -> None:
    profile = lapwing.load_profile(tmp_path / machine)
    latency = profile.loggp.L
    assert latency == pytest.approx(5e-6, rel=0.02)
    assert profile.queue_depth is None
    assert profile.warnings == []
    plan = lapwing.plan(profile, volume=1 << 20, compute=1.4e-3, grain=8)
    assert sum(plan.messages) == 1 << 20
    assert plan.count == len(plan.messages) > 1
    assert plan.limit <= plan.predicted * (1 + 1e-9) <= plan.blocking
    assert json.loads(plan.to_json())["messages"] == plan.messages
    paper = lapwing.plan(profile, volume=1 << 20, compute=1.4e-3, method="paper")
    assert paper.burst >= 1
    produced = lapwing.plan(profile, volume=1 << 20, compute=1.4e-3, direction="produce")
    assert produced.predicted == pytest.approx(plan.predicted, rel=0.05)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"volume": 0}, "volume must be above 0"),
        ({"volume": -1}, "volume must be"),
        ({"volume": 1 << 60}, "2\\^53"),
        ({"volume": 1 << 70}, "2\\^53"),
        ({"grain": 0}, "grain"),
        ({"grain": -8}, "grain"),
        ({"compute": -1.0}, "compute"),
        ({"compute": float("nan")}, "compute"),
        ({"compute": float("inf")}, "compute"),
        ({"pattern": "helo"}, 'unknown pattern "helo": it is stream'),
        ({"direction": "up"}, "fetch, produce or both"),
        ({"method": "best"}, "lapwing, paper, paper-size"),
    ],
)
def test_impossible_workloads(machine: str, tmp_path: Path, wrong: dict, says: str) -> None:
    profile = lapwing.load_profile(tmp_path / machine)
    with pytest.raises(ValueError, match=says):
        lapwing.plan(profile, **{"volume": 8192, "compute": 1e-3, "grain": 8} | wrong)


def test_profiles_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(lapwing.LapwingError, match=r"nothing\.json: cannot read the profile"):
        lapwing.load_profile(tmp_path / "nothing.json")
    (tmp_path / "empty.json").write_text("")
    with pytest.raises(lapwing.LapwingError, match=r"empty\.json: profile: not a JSON document"):
        lapwing.load_profile(tmp_path / "empty.json")


def test_sizes_and_times_as_text() -> None:
    profile = lapwing.load_profile("ranger")
    plan = lapwing.plan(profile, volume="8MB", compute="12ms", grain="8B")
    same = lapwing.plan(profile, volume=8 << 20, compute=0.012, grain=8)
    assert plan.to_json() == same.to_json()
    with pytest.raises(ValueError, match='"8XB" is not a size'):
        lapwing.plan(profile, volume="8XB", compute="12ms")
    with pytest.raises(ValueError, match='"12" has no unit'):
        lapwing.plan(profile, volume="8MB", compute="12")
    several = lapwing.predict(profile, "bcast", ranks=16, sizes=["8", "64KB", 1 << 20])
    numbers = lapwing.predict(profile, "bcast", ranks=16, sizes=[8, 1 << 16, 1 << 20])
    assert several == numbers
    assert (
        lapwing.predict(profile, "bcast", ranks=16, sizes="8").seconds.item()
        == (several.seconds[0, 0])
    )
    one = lapwing.simulate(collective="alltoall", ranks=4, size="1KB", profile=profile)
    assert one.finish_ns == (
        lapwing.simulate(collective="alltoall", ranks=4, size=1024, profile=profile).finish_ns
    )
    with pytest.raises(lapwing.LapwingError, match="size: "):
        lapwing.simulate(collective="alltoall", ranks=4, size="much")


def test_version() -> None:
    assert lapwing.__version__ == version("lapwing")


def test_import_loads_little() -> None:
    code = "import lapwing, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert not {"rich", "argparse", "subprocess", "difflib"} & set(loaded.split())


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8", 8),
        ("8B", 8),
        ("0.5KB", 512),
        ("64KB", 65536),
        ("64KiB", 65536),
        ("1MB", 1 << 20),
        ("1MiB", 1 << 20),
        ("1.5 MB", 3 << 19),
        ("1.7MB", 1782579),
        ("2GB", 2 << 30),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert units.size(text) == size


def test_times() -> None:
    read = [units.seconds(text) for text in ("12ms", "3.5us", "0.2s", "0")]
    assert read == [0.012, 3.5e-6, 0.2, 0]


def test_shown() -> None:
    sizes = [1, 360, 1023, 1024, 1130, 131 * 1024, 8 << 20, 3 << 30]
    shown = [units.show_size(size) for size in sizes]
    assert shown == ["1 B", "360 B", "1023 B", "1 KB", "1.1 KB", "131 KB", "8 MB", "3 GB"]
    times = [0, 1e-9, 1.5e-6, 999.9e-6, 12e-3, 0.2, 100.0]
    shown = [units.show_seconds(time) for time in times]
    assert shown == ["0 s", "1 ns", "1.5 us", "1 ms", "12 ms", "200 ms", "100 s"]
    shares = [units.show_share(share) for share in (0.97, 1, 0, -0.001, -12345.0)]
    assert shares == ["97 %", "100 %", "0 %", "0 %", "-1e+06 %"]
