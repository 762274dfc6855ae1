"""The demonstration on a machine that cannot make networks: simulated only, and it says why."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from documents import check
from typed import Lapwing


@pytest.fixture
def without_ip(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with everything but `ip`, which a link of limited rate needs."""
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    tools = tmp_path_factory.mktemp("tools")
    for folder in reversed(os.environ["PATH"].split(os.pathsep)):
        for tool in Path(folder).glob("*"):
            (tools / tool.name).unlink(missing_ok=True)
            (tools / tool.name).symlink_to(tool)
    (tools / "ip").unlink(missing_ok=True)
    return str(tools)


def test_demo(lapwing: Lapwing, tmp_path: Path, without_ip: str) -> None:
    (tmp_path / "lapwing-demo").mkdir()  # which stays as it is
    ended = lapwing("demo", PATH=without_ip)
    shown = ended.table
    assert shown.count("The plan hides") == 3
    assert "net:1gbit is left out: net: needs ip" in shown
    assert "is in lapwing-demo-2." in shown
    assert not os.listdir(tmp_path / "lapwing-demo")
    kept = tmp_path / "lapwing-demo-2"
    document = json.loads((kept / "demo.json").read_text())
    assert [entry["target"] for entry in document["left_out"]] == ["net:1gbit"]
    check("demo", document)
    (network,) = document["networks"]
    assert [result["volume"] for result in network["sweeps"]] == [64 << 10, 1 << 20, 8 << 20]
    for result in network["sweeps"]:
        assert result["hidden"] > result["best"]["hidden"]
        assert result["hidden"] >= result["paper"]["hidden"]
    assert f"A report for a browser: {kept.name}/report.html" in shown
    report = (kept / "report.html").read_text(encoding="utf-8")
    assert "Overlap pays in 3 of 3 workloads" in report
    assert len(os.listdir(kept)) == 6


def test_what_a_demo_leaves_in_the_sources_is_no_change_of_them() -> None:
    sources = Path(__file__).parents[3]
    if shutil.which("git") is None or not (sources / ".git").exists():
        pytest.skip("no git")
    for name in ("lapwing-demo", "lapwing-demo-2"):
        asked = ["git", "-C", str(sources), "check-ignore", "--quiet", f"{name}/demo.json"]
        assert subprocess.run(asked, check=False).returncode == 0
