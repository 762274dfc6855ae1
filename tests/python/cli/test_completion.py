"""The completion of shells."""

import os
import pty
import select
import shutil
import subprocess
from pathlib import Path

import pytest
from typed import Lapwing, environment

from lapwing.cli.commands import COMMANDS, parsers
from lapwing.cli.shell_completion import script


@pytest.fixture
def bash(lapwing: Lapwing, tmp_path: Path) -> Path:
    path = tmp_path / "lapwing.bash"
    path.write_text(lapwing("completion", "bash").out)
    return path


def completed(script: Path, *words: str) -> set[str]:
    """The completions that bash offers for the last of the words."""
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
    assert completed(bash, "lapwing", "repo") == {"report"}
    assert {"--volume", "--compute", "--help"} <= completed(bash, "lapwing", "plan", "--")
    assert completed(bash, "lapwing", "plan", "--pattern", "all") == {"alltoall"}
    assert completed(bash, "lapwing", "run", "comp") == {"compress"}
    assert "--schedule" in completed(bash, "lapwing", "run", "ft", "--sche")
    assert completed(bash, "lapwing", "run", "ft", "--schedule", "p") == {"pencils"}
    assert "--tiles" in completed(bash, "lapwing", "sweep", "--t")
    assert completed(bash, "lapwing", "show", "machine") == set()  # a file, which bash knows


def test_fish(tmp_path: Path) -> None:
    (tmp_path / "lapwing.fish").write_text(text := script("fish", COMMANDS, parsers()))
    for name in COMMANDS:
        assert f"-a {name} " in text
    if shutil.which("fish") is None:
        pytest.skip("no fish")

    def completed(line: str) -> set[str]:
        asked = f"source lapwing.fish; complete -C '{line}'"
        said = subprocess.run(
            ["fish", "--no-config", "-c", asked], cwd=tmp_path, capture_output=True, text=True
        )
        assert (said.returncode, said.stderr) == (0, "")
        return {line.partition("\t")[0] for line in said.stdout.splitlines()}

    assert completed("lapwing ") == set(COMMANDS)
    assert completed("lapwing -") >= {"--help", "--version"}
    assert completed("lapwing repo") == {"report"}
    assert completed("lapwing plan --vol") == {"--volume"}
    assert completed("lapwing plan --pattern all") == {"alltoall"}
    assert completed("lapwing run comp") == {"compress"}
    assert completed("lapwing run ft --schedule p") == {"pencils"}
    assert completed("lapwing show lapwing.f") == {"lapwing.fish"}


def test_zsh(tmp_path: Path) -> None:
    (tmp_path / "lapwing.zsh").write_text(script("zsh", COMMANDS, parsers()))
    if shutil.which("zsh") is None:
        pytest.skip("no zsh")
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(tmp_path)
        os.execvpe("zsh", ["zsh", "-f", "-i"], environment(TERM="dumb", HOME=str(tmp_path)))
    try:
        os.write(terminal, b"source ./lapwing.zsh; echo it is rea''dy\n")
        drawn_until(terminal, "it is ready")
        for typed, completed in [
            ("lapwing repo", "lapwing report "),
            ("lapwing plan --vol", "lapwing plan --volume "),
            ("lapwing plan --pattern all", "lapwing plan --pattern alltoall "),
            ("lapwing show lapwing.z", "lapwing show lapwing.zsh "),
        ]:
            os.write(terminal, f"{typed}\t".encode())
            drawn_until(terminal, completed)
            os.write(terminal, b"\x15")  # deletes the line
    finally:
        os.close(terminal)
        os.waitpid(process, 0)


def drawn_until(terminal: int, text: str) -> None:
    """Read what a shell draws until `text` appears."""
    drawn = ""
    while text not in drawn:
        assert select.select([terminal], [], [], 60)[0], drawn
        drawn += os.read(terminal, 4096).decode()


def test_unknown_shell(lapwing: Lapwing) -> None:
    assert "bash" in lapwing("completion", "csh").complaint
