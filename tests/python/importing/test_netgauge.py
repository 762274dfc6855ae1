"""Logs of Netgauge's pattern loggp: the file that it writes, and what it prints."""

import json

import pytest
from logs import complaint, imported

HEADER = (
    "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
    '# to get o: plot "./loggp.out" using 1:(($5-$3)/($2-1)-$3)\n'
    '# to get g,G: plot "./loggp.out" using 1:($4-$3)/($2-1)\n'
)


def row(size: int, o_s: float = 0.4, fit: str = "1.000000 0.000500") -> str:
    """A line as of L = 2 us, g = 1 us, G = 0.5 ns/B."""
    trip, gap = 4 + 0.001 * size, 1 + 0.0005 * size
    return f"{size} 11 {trip:f} {trip + 10 * gap:f} 70.0 2.000500 {o_s:f} 0.600000 {fit} 0.01\n"


FILE = HEADER + row(1, fit="-nan -nan") + row(1025) + row(2049)


def test_the_file() -> None:
    profile = imported(FILE).profile
    assert profile is not None
    document = json.loads(profile.to_json())
    assert document["loggp"] == pytest.approx(
        {"L": 1e-6, "o_s": 4e-7, "o_r": 6e-7, "g": 1.0005e-6, "G": 5e-10}, rel=1e-3
    )
    assert document["latency"]["half_round_trip"] == pytest.approx(
        [2.0005e-6, 2.5125e-6, 3.0245e-6]
    )
    assert document["overhead"]["sizes"] == [1, 1025, 2049]
    assert document["bandwidth"]["unidirectional"][2] == pytest.approx(2049 / 2.0245e-6)


def test_fits_over_changes_of_protocol_do_not_count() -> None:
    profile = imported(FILE.replace("1.000000 0.000500", "-0.9 0.002")).profile
    assert profile is not None
    assert profile.loggp.g == pytest.approx(1e-6, rel=0.01)
    assert pytest.approx(2e9) == 1 / profile.loggp.G


def test_what_it_prints() -> None:
    line = " L=2.000500  s={}  o_s=0.4  o_r=0.6  g={}  G={} (12 GiB/s) lsqu(g,G)=0.1 \n"
    text = "Testing 1 bytes 10 times:\n" + line.format(1, "nan", "nan")
    text += "Testing 1025 bytes 10 times:\n" + line.format(1025, 1.0, 0.0005)
    text += "we detected a protocol change at 1025 bytes:\n"
    found = imported(text)
    assert found.profile is not None
    assert json.loads(found.profile.to_json())["loggp"] == pytest.approx(
        {"L": 1e-6, "o_s": 4e-7, "o_r": 6e-7, "g": 1e-6, "G": 5e-10}
    )
    assert found.notes == ["log.txt: Netgauge saw a change of protocol at 1025 bytes"]


def test_overheads_below_zero_are_left_out() -> None:
    found = imported(HEADER + row(1) + row(1025, o_s=-0.2))
    assert found.notes == ["log.txt: left out 1 values that came out as 0 or less"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEADER, "log.txt: holds nothing to import"),
        (HEADER + "1 11 4.0 1", "log.txt:4: cut short: 4 words under 11 columns"),
        (HEADER + row(1).replace("4.001000", "0.0"), "log.txt:4: PRTT is 0.0"),
        (HEADER + row(1).replace("4.001000", "nan"), "log.txt:4: PRTT is nan"),
        (" L=2.0  s=1  o_s=1 o_r=1 g=1 G=1\n L=2.0  s=1 ", "log.txt:2: cut short: not all of L"),
    ],
)
def test_a_log_that_cannot_be(text: str, said: str) -> None:
    assert complaint(text).startswith(said)
