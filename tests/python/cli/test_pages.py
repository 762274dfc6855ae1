"""Trying what the README and docs/ show: commands, sessions, fragments and links."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from documents import DATA
from pages import (
    IN_TEXT,
    PAGES,
    ROOT,
    Block,
    as_said,
    blocks,
    commands,
    lapwing_commands,
    session,
)
from typed import COMMAND, environment

from lapwing.cli import main
from lapwing.cli.commands import COMMANDS, load, parser_of
from lapwing.errors import LapwingError
from lapwing.testbed import load_cluster

DOCS = ROOT / "docs"
# A calibration of sim:ib4x:8, two nodes of four ranks, with every part.
MACHINE = DATA / "ib4x.json"
LOGS = ROOT / "tests" / "data" / "logs"
TRACES = ROOT / "tests" / "data" / "traces"
GOAL = ROOT / "tests" / "data" / "goal" / "dissemination-16.goal"
ALL = [block for page in PAGES for block in blocks(page)]
# Blocks in which nothing is run: output of commands, pictures, forms.
LANGUAGES = {"", "indented", "console", "sh", "c", "cpp", "fortran", "python", "toml"}

_SCRIPT = r"(?<![\w/])(?:bench|scripts|docs|tests)/[\w/]+\.py|scripts/[\w-]+"

# Commands that need neither ranks nor a network.
OFFLINE = ["plan", "predict", "show", "merge", "simulate", "tune", "schema"]
# Commands that take longer than a second are only read; others like them are run elsewhere.
LONG = {
    "predict machine.json alltoall --ranks 256 --size 1:1MB --algorithm all --plot alltoall.svg",
    "predict machine.json bcast --ranks 2:1048576 --size 1:1MB",
    "simulate --collective alltoall --algorithm linear --ranks 4096 --size 1KB",
}


def pages(language: str) -> list[Block]:
    return [block for block in ALL if block.language == language]


def parse(line: str) -> None:
    """Read a command line as the command does, and do nothing."""
    name, *rest = shlex.split(line)
    if name in ("--help", "--version"):
        return
    command = load(name)
    if hasattr(command, "choose"):
        module, named = command.choose(rest)
        command, rest = load(module), rest[named:]
    parser_of(name, command).parse(rest)


def whole(line: str) -> bool:
    """Whether a line is a whole command: no mere name, and no form to fill in."""
    return " " in line and not any(hole in line for hole in ("…", "...", "[", "TARGET", "NAME"))


def test_what_is_not_run_is_still_there() -> None:
    assert {line for page in PAGES for _, line in lapwing_commands(page)} >= LONG


def test_blocks_are_of_a_kind_that_is_tried() -> None:
    assert len(ALL) > 40
    assert {block.language for block in ALL} <= LANGUAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_read_as_they_stand(page: Path) -> None:
    wrong = []
    for where, asked in lapwing_commands(page):
        line = asked.replace("--on TARGET", "--on sim:ib4x")
        name = line.split()[0]
        if name not in COMMANDS and name not in ("--help", "--version"):
            wrong.append(f"{where}: no command {name}")
        elif whole(line):
            try:
                parse(line)
            except LapwingError as error:
                # In the text, options are named without what belongs to them.
                if not (IN_TEXT in where and str(error).startswith(("missing", "one of"))):
                    wrong.append(f"{where}: {line}: {error}")
    assert not wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_offline_commands_end_well(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = {
        line
        for where, line in lapwing_commands(page)
        if whole(line)
        and line.split()[0] in OFFLINE
        and "--verify" not in line
        # What it reads is made by the session that it stands in.
        and "--measured" not in line
        # An option named in the text is no command to run.
        and (page.name == "papers.md" or IN_TEXT not in where)
    }
    monkeypatch.setenv("COLUMNS", "80")
    for number, line in enumerate(sorted(asked - LONG)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        words = shlex.split(line)
        for word in words:
            if word.endswith(".json") and words[words.index(word) - 1] != "-o":
                shutil.copy(MACHINE, word)
            if word.endswith(".goal"):
                shutil.copy(GOAL, word)
            if word.endswith(".bin"):
                shutil.copy(GOAL.with_name("mixed.bin"), word)
        status = main.run(words)
        assert (status, capsys.readouterr().err) == (0, ""), line


def sessions() -> list[ParameterSet]:
    """The pages with sessions to run; those with real ranks do not run beside other tests."""
    found = []
    for page in PAGES:
        shown = [b for b in blocks(page) if b.language == "console" and "not run" not in b.marks]
        alone = any("mpiexec" in block.text for block in shown)
        if shown:
            marks = [pytest.mark.alone] if alone else []
            found.append(pytest.param(shown, id=page.name, marks=marks))
    return found


@pytest.mark.parametrize("shown", sessions())
def test_sessions_print_what_they_say(
    shown: list[Block], profile_of: Callable[[str], Path], tmp_path: Path
) -> None:
    shutil.copy(profile_of("ib4x"), tmp_path / "machine.json")
    shutil.copytree(LOGS, tmp_path, dirs_exist_ok=True)
    shutil.copytree(TRACES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "build").symlink_to(ROOT / "build")
    variables = environment(COLUMNS="80")
    variables["PATH"] = f"{COMMAND.parent}:{variables['PATH']}"
    for block in shown:
        for command, said in session(block):
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env=variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=60,
            )
            # Tables end in spaces, pages do not.
            lines = (done.stdout + done.stderr).splitlines(keepends=True)
            printed = "".join(line.rstrip() + "\n" for line in lines)
            assert as_said(said, printed), f"{block.name}: {command} printed:\n{printed}"


def test_sessions_are_called_so() -> None:
    assert not [block.name for block in pages("") if block.text.startswith("$ ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_stands_beside_figures_is_there(page: Path) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    missing = []
    for where, line in commands(page):
        words = line.split()
        if words[:1] == ["make"] and len(words) > 1 and words[1] not in targets:
            missing.append(f"{where}: make {words[1]}")
        for script in re.findall(
            r"(?<![\w/])(?:bench|scripts|docs)/[\w/]+\.py|scripts/[\w-]+", line
        ):
            if not (ROOT / script).is_file():
                missing.append(f"{where}: {script}")
                continue
            source = (ROOT / script).read_text()
            asked = line.partition(script)[2].partition(" -- ")[0]
            for option in re.findall(r"(?<=\s)--[a-z-]+", asked):
                if f'"{option}"' not in source and script.startswith("bench"):
                    missing.append(f"{where}: {script} {option}")
        for example in re.findall(r"build/bin/example-(\w+)", line):
            if example != "NAME" and not (ROOT / "examples" / example).is_dir():
                missing.append(f"{where}: example {example}")
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"<!--.*?-->|`[^`]*`", "", page.read_text(encoding="utf-8"))
    dead = [
        link
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)", text)
        if not link.startswith(("http", "reference/")) and not (page.parent / link).exists()
    ]
    assert not dead


def test_every_command_has_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    headings = "\n".join(re.findall(r"^##? .*$", text, re.MULTILINE))
    assert not [name for name in COMMANDS if f"lapwing {name}" not in headings]


def test_every_page_is_in_the_site(tmp_path: Path) -> None:
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text()))
    subprocess.run([sys.executable, str(DOCS / "reference.py"), str(tmp_path)], check=True)
    made = {"reference/" + page.name for page in tmp_path.glob("*.md")}
    made |= {page.name for page in DOCS.glob("*.md")}
    made |= {"index.md", "contributing.md", "changelog.md", "notebook.md"}
    assert listed == made


def test_the_reference_says_what_docstrings_say(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(DOCS / "reference.py"), str(tmp_path)], check=True)
    for page, said in [
        ("cpp-model", "Equation 5: template E, computation and communication of similar length."),
        ("cpp-pipeline", "void feed(T& transport, int peer, std::span<const Element> data"),
        ("c", "What keeps a plan from being faster."),
        ("fortran", "type, bind(c), public :: lapwing_workload"),
        ("python", "Raises ValueError if the workload is impossible; the message says why."),
    ]:
        assert said in (tmp_path / f"{page}.md").read_text(encoding="utf-8")


def test_the_citation_has_the_version() -> None:
    said = re.search(r"lapwing\s+VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert said
    assert f"\nversion: {said[1]}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {said[1]}" in (ROOT / "CHANGELOG.md").read_text()


def hoisted(text: str) -> tuple[str, str]:
    """The lines of a fragment that belong outside a function, and the rest."""
    outside = re.compile(r'^#include [<"].*$', re.MULTILINE)
    return "\n".join(outside.findall(text)), outside.sub("", text)


def compiles(command: list[str], source: Path, text: str) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"no {command[0]}")
    source.write_text(text)
    done = subprocess.run(
        [*command, "-fsyntax-only", str(source)],
        cwd=source.parent,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def mpi_flags() -> list[str]:
    """The compiler flags of an MPI's headers."""
    for name in ("ompi-c", "mpich"):
        asked = subprocess.run(["pkg-config", "--cflags", name], capture_output=True, text=True)
        if asked.returncode == 0:
            return asked.stdout.split()
    pytest.skip("no MPI")


def test_fragments_of_cpp_compile(tmp_path: Path) -> None:
    # All fragments in one file, because their headers take longest.
    text = "#include <lapwing/lapwing.hpp>\n"
    for number, block in enumerate(pages("cpp")):
        includes, inside = hoisted(block.text)
        text += f'{includes}\n#line {block.line} "{block.page.name}"\n'
        if inside.lstrip().startswith(("namespace", "int main")):
            text += inside.replace("int main(", f"int main_{number}(")
        else:
            text += f"void fragment_{number}() {{ {block.marks.get('given', '')}\n{inside}}}\n"
    command = ["c++", "-std=c++20", f"-I{ROOT / 'src'}", *mpi_flags()]
    compiles(command, tmp_path / "fragments.cpp", text)


def test_the_stencil_is_the_example() -> None:
    shown = next(block.text for block in pages("cpp") if block.page.name == "examples.md")
    assert (ROOT / "examples" / "stencil" / "stencil.cpp").read_text().endswith(shown)
    assert len([line for line in shown.splitlines() if line.strip()]) <= 25


def test_skeletons_are_those_that_are_tested() -> None:
    shown = next(block.text for block in pages("cpp") if block.page.name == "CONTRIBUTING.md")
    assert (
        (ROOT / "tests" / "simulate" / "collectives" / "skeleton.hpp").read_text().endswith(shown)
    )


def test_fragments_of_c_compile(tmp_path: Path) -> None:
    for block in pages("c"):
        includes, inside = hoisted(block.text)
        begin = f"#include <stdio.h>\n{includes}\n{block.marks.get('given', '')}\n"
        text = f"{begin}void fragment(void) {{\n{inside}}}\n"
        command = ["cc", "-std=c11", f"-I{ROOT / 'src' / 'lapwing' / 'c'}"]
        compiles(command, tmp_path / "fragment.c", text)


def test_fragments_of_fortran_compile(tmp_path: Path) -> None:
    module = str(ROOT / "src" / "lapwing" / "c" / "lapwing.f90")
    for block in pages("fortran"):
        lines = block.text.splitlines()
        uses = ["use, intrinsic :: iso_c_binding", *(x for x in lines if x.startswith("use "))]
        inside = [line for line in lines if not line.startswith("use ")]
        text = ["program fragment", *uses, "implicit none", *inside, "end program", ""]
        compiles(["gfortran", module], tmp_path / "fragment.f90", "\n".join(text))


@pytest.mark.parametrize("block", pages("python"), ids=lambda block: block.name)
def test_fragments_of_python_run(block: Block, tmp_path: Path) -> None:
    shutil.copy(MACHINE, tmp_path / "machine.json")
    shutil.copytree(LOGS, tmp_path, dirs_exist_ok=True)
    shutil.copy(GOAL, tmp_path / "schedule.goal")
    if "not run" in block.marks:
        compile(block.text, block.name, "exec")
        return
    run_python(block.marks.get("given", "") + "\n" + block.text, tmp_path)


def test_the_notebook_shows_what_its_cells_do(tmp_path: Path) -> None:
    notebook = DOCS / "notebook.ipynb"
    kept = json.loads(notebook.read_text(encoding="utf-8"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "build").symlink_to(ROOT / "build")
    copy = Path(shutil.copy(notebook, tmp_path / "docs"))
    words = [sys.executable, str(DOCS / "notebook.py"), "--execute", copy]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    made = json.loads(copy.read_text(encoding="utf-8"))
    pictures = 0
    for document in (kept, made):
        for output in (out for cell in document["cells"] for out in cell.get("outputs", [])):
            # Its lines depend on the version of the drawing library.
            picture = output.get("data", {}).pop("image/svg+xml", [])
            pictures += "".join(picture).startswith("<svg")
    assert pictures == 6
    assert made == kept, f"docs/notebook.py --execute docs/notebook.ipynb makes it anew: {made}"


def run_python(program: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize("block", pages("toml"), ids=lambda block: block.name)
def test_parts_of_a_cluster_are_read(block: Block, tmp_path: Path) -> None:
    whole_file = ROOT / "python" / "lapwing" / "testbed" / "clusters" / "ib4x.toml"
    before = "" if "name =" in block.text else whole_file.read_text()
    (tmp_path / "mine.toml").write_text(before + block.text)
    assert load_cluster(str(tmp_path / "mine.toml")) != load_cluster("ib4x")


def test_what_the_papers_page_names_is_in_the_code() -> None:
    named = re.findall(
        r"`((?:src|apps|python|tools|bench|tests)/[\w./-]+)`(?:: ((?:`\w+`(?:, )?)+))?",
        (DOCS / "papers.md").read_text(encoding="utf-8"),
    )
    assert len(named) > 40
    missing = [path for path, _ in named if not (ROOT / path).is_file()]
    for path, names in named:
        if path not in missing:
            text = (ROOT / path).read_text(encoding="utf-8")
            found = re.findall(r"\w+", names)
            missing += [f"{path}: {name}" for name in found if not re.search(rf"\b{name}\b", text)]
    assert not missing


def test_the_papers_page_has_every_equation_table_and_figure() -> None:
    text = (DOCS / "papers.md").read_text(encoding="utf-8")
    papers = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    counts = {  # as the papers number them
        "Iancu": (11, 12, 2),
        "Hoefler": (0, 5, 0),
        "Bell": (0, 10, 1),
        "Cameron": (7, 13, 1),
        "March": (4, 7, 4),
    }
    for author, numbers in counts.items():
        page = next(paper for paper in papers if paper.startswith(author))
        for kind, most in zip(("equation", "figure", "table"), numbers, strict=True):
            first = {row.split("|")[1].strip() for row in page.splitlines() if row.startswith("| ")}
            found = {int(n) for cell in first if cell.startswith(kind) for n in expanded(cell)}
            assert found == set(range(1, most + 1)), f"{author}: {kind}"


def expanded(cell: str) -> list[str]:
    """The numbers in `equations 1, 3 to 5`."""
    found: list[str] = []
    for low, high in re.findall(r"(\d+)(?: to (\d+))?", cell):
        found += map(str, range(int(low), int(high or low) + 1))
    return found
