"""The network of limited rate, without MPI: its rates, and the environment of a rank."""

import os
import subprocess
from pathlib import Path

import pytest

from lapwing.errors import LapwingError
from lapwing.testbed.namespace import burst, in_network, on_rank, parse_rate, require_network

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def entry() -> list[str]:
    try:
        return require_network()
    except LapwingError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("text", "rate"),
    [("1gbit", 10**9), ("400mbit", 4 * 10**8), ("2.5Gbit", 25 * 10**8), ("1000kbit", 10**6)],
)
def test_rate(text: str, rate: int) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize(
    "text", ["", "1", "gbit", "1 gbit", "1gb", "-1gbit", "0mbit", "nangbit", "41gbit", "1e3mbit"]
)
def test_wrong_rate(text: str) -> None:
    with pytest.raises(LapwingError, match="rate"):
        parse_rate(text)


def test_burst_holds_a_frame() -> None:
    assert burst(10**6) > 9014
    assert burst(4 * 10**8) == 11514
    assert burst(10**9) == 15264


def test_rank_is_at_home(entry: list[str]) -> None:
    look = "ip -o -4 addr show dev eth0; cat /sys/class/net/eth0/mtu; tc qdisc show dev eth0"
    done = subprocess.run(
        in_network(entry, 3, 4 * 10**8, on_rank(["sh", "-c", look], [0])),
        env={**os.environ, "PMI_RANK": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "10.77.0.3/24" in done.stdout
    assert "\n9000\n" in done.stdout
    # The kernel stores it in ticks of 64 ns.
    assert "rate 400Mbit burst 11500b" in done.stdout


def test_status_is_passed_on(entry: list[str]) -> None:
    command = in_network(entry, 1, 10**9, ["sh", "-c", "exit 7"])
    assert subprocess.run(command, check=False).returncode == 7


def test_what_is_lacking_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LapwingError, match=r"needs ip, .* install iproute2"):
        require_network()


def test_no_privilege_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "unshare"
    fake.write_text(
        "#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(LapwingError, match=r"^net: no privilege .* run as root"):
        require_network()
