"""Logs before anybody knows which tool wrote them, and what is refused of any tool."""

from pathlib import Path

import pytest
from logs import complaint, imported, written

from lapwing import LapwingError, import_logs
from lapwing.importing import log

TABLE = "operation,size,median_us\nbcast,8,1\n"


def test_text_of_windows() -> None:
    Path("wide.csv").write_text(TABLE, encoding="utf-16")
    measurements = import_logs(["wide.csv"]).measurements
    assert measurements is not None
    assert len(measurements.cells) == 1


def test_names_in_any_encoding() -> None:
    Path("t.csv").write_bytes(b"operation,size,median_us,host\nbcast,8,1,n\xf6rd\n")
    assert import_logs(["t.csv"]).measurements is not None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "x: empty; the benchmark wrote nothing"),
        (b" \n\r\n\t\n", "x: empty; the benchmark wrote nothing"),
        (b"\x7fELF\x02\x01\0\0", "x: is no text, so no log"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "x: is no text, so no log"),
        (b"{}", "x: of no tool that is known here: there are OSU micro-benchmarks (text); Intel"),
        (b"# nThread 1 nGpus 8\n 8 2 float sum 30.1 0.0\n", "x: of no tool that is known here"),
        (b"size latency\n1 2.0\n", "x: of no tool that is known here"),
        (b"1,2,3\n", "x: of no tool that is known here"),
    ],
)
def test_what_is_no_log(content: bytes, said: str) -> None:
    Path("x").write_bytes(content)
    with pytest.raises(LapwingError) as raised:
        import_logs(["x"])
    assert str(raised.value).startswith(said)


def test_what_cannot_be_read() -> None:
    for path, said in [
        ("gone.txt", "gone.txt: cannot read the log: No such file or directory"),
        (".", ".: cannot read the log: Is a directory"),
        ("a\0b", "cannot read the log: "),
    ]:
        with pytest.raises(LapwingError) as raised:
            import_logs([path])
        assert said in str(raised.value)
    with pytest.raises(LapwingError, match="name a log or more"):
        import_logs([])


def test_too_large_a_file_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_LARGEST", 1 << 20)
    assert complaint("x" * (1 << 20) + "y") == "log.txt: 1 MB, too large for a log: at most 1 MB"


def test_copies_count_once() -> None:
    logs = [written("a.csv", TABLE), written("b.csv", TABLE), "a.csv"]
    found = import_logs(logs)
    assert found.measurements is not None
    assert len(found.measurements.cells) == 1
    assert found.notes == [
        "b.csv: the same as a.csv, counted once",
        "a.csv: the same as a.csv, counted once",
    ]


def test_different_logs_are_runs_of_their_own() -> None:
    logs = [written("a.csv", TABLE), written("b.csv", TABLE.replace("8,1", "8,3"))]
    measurements = import_logs(logs).measurements
    assert measurements is not None
    assert [source.file for source in measurements.sources] == logs
    assert [cell.source for cell in measurements.cells] == [0, 1]
    (typical,) = measurements.typical()
    assert (typical.seconds, typical.low, typical.high) == (2e-6, 1e-6, 3e-6)


def test_one_wrong_log_and_nothing_is_imported() -> None:
    written("a.csv", TABLE)
    written("b.csv", TABLE + "bcast,16,nan\n")
    with pytest.raises(LapwingError, match=r"^b.csv:3: median is nan"):
        import_logs(["a.csv", "b.csv"])
    assert imported(TABLE).measurements is not None
