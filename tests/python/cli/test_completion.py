"""What shells complete."""

import shutil
import subprocess
from pathlib import Path

import pytest
from typed import Lapwing

from lapwing.cli.main import COMMANDS, parsers
from lapwing.completion import script


@pytest.fixture
def bash(lapwing: Lapwing, tmp_path: Path) -> Path:
    path = tmp_path / "lapwing.bash"
    path.write_text(lapwing("completion", "bash").out)
    return path


def completed(script: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    if shutil.which("bash") is None:
        pytest.skip("no bash")
    line = " ".join(f"'{word}'" for word in words)
    command = f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _lapwing; "
    command += 'printf "%s\\n" "${COMPREPLY[@]}"'
    said = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert said.stderr == ""
    return set(said.stdout.split())


def test_bash(bash: Path) -> None:
    assert completed(bash, "lapwing", "") == {*COMMANDS, "--help", "--version"}
    assert completed(bash, "lapwing", "re") == {"report"}
    assert {"--volume", "--compute", "--help"} <= completed(bash, "lapwing", "plan", "--")
    assert completed(bash, "lapwing", "plan", "--pattern", "all") == {"alltoall"}
    assert completed(bash, "lapwing", "run", "comp") == {"compress"}
    assert "--schedule" in completed(bash, "lapwing", "run", "ft", "--sche")
    assert "--tiles" in completed(bash, "lapwing", "sweep", "--t")
    assert completed(bash, "lapwing", "show", "machine") == set()  # a file, which bash knows


def test_other_shells(lapwing: Lapwing) -> None:
    assert "bashcompinit" in script("zsh", COMMANDS, parsers())
    fish = script("fish", COMMANDS, parsers())
    for name in COMMANDS:
        assert f"-a {name} " in fish
    assert "-l volume" in fish
    assert "bash" in lapwing("completion", "csh").complaint
