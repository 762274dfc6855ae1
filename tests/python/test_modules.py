"""The modules of the library and of the Python package import one way, down to their folders."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "lapwing"
PACKAGE = ROOT / "python" / "lapwing"

# Modules of src/lapwing that need no MPI, lowest first: each includes itself and those before it.
PURE = [
    "profile",
    "model",
    "simulate",
    "predict",
    "plan",
    "tuner",
    "gather",
    "record",
    "replay",
    "io",
]
# Modules that move bytes, lowest first, and the pure ones that each of them may include besides.
MOVING: dict[str, list[str]] = {
    "compute": [],
    "transport": [],
    "forecast": PURE,
    "pipeline": PURE,
    "calibrate": PURE,
    "fft": PURE,
}

# The folders of each module, lowest first, and those of a folder that has folders itself. A folder
# includes itself and what stands before it. Files at the top include everything; one that folders
# need is listed as folders are.
FOLDERS: dict[str, list[str]] = {
    "model": ["network.hpp", "collectives"],
    "simulate": ["engine", "links", "costs", "program", "recurrence", "collectives"],
    "simulate/collectives": [
        "parts.hpp",
        "collective.hpp",
        "powers.hpp",
        "cores.hpp",
        "folded.hpp",
        "trees",
        "bine",
        "allgather",
        "allreduce_barrier",
        "alltoall",
        "bcast",
        "gather_scatter",
        "reduce",
        "reduce_scatter",
    ],
    "plan": [
        "messages.hpp",
        "workload.hpp",
        "candidate.hpp",
        "plan_types.hpp",
        "names.hpp",
        "search_options.hpp",
        "costs",
        "evaluate",
        "candidates",
        "search",
        "explain",
        "robust.hpp",
        "transports.hpp",
        "iancu2007",
    ],
    "transport": [
        "failure",
        "mpi",
        "arena.hpp",
        "operation.hpp",
        "tag.hpp",
        "transport.hpp",
        "streams.hpp",
        "stream_list.hpp",
        "message_operation.hpp",
        "two_sided",
        "collective",
        "partitioned",
        "rma",
        "shmem",
        "ucx",
    ],
    "replay": ["extrapolate"],
    "pipeline": ["agreement", "trace", "window", "collectives"],
    "calibrate": ["statistics", "ranks", "environment", "sampling", "benchmarks", "parts"],
    "fft": [
        "lines",
        "options.hpp",
        "phases.hpp",
        "distribution",
        "transform_problem.hpp",
        "transpose",
        "drivers",
        "puts",
        "channels",
        "forecast.hpp",
        "simulated",
    ],
}
# Modules whose folders are being laid out, not checked yet.
UNSETTLED: set[str] = set()

# What the Python package consists of, lowest first: sub-packages, and modules at its top.
PYTHON = [
    "errors",
    "_core",
    "units",
    "schema",
    "results",
    "measurements",
    "machines",
    "planning",
    "prediction",
    "profiles",
    "importing",
    "fitting",
    "testbed",
    "launch",
    "measure",
    "validation",
    "transforms",
    "nas",
    "tuning",
    "observing",
    "traces",
    "doctor",
    "figures",
    "tables",
    "reporting",
    "fft",
    "mpi",
    "__init__",
    "cli",
    "__main__",
]

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


@cache
def headers(file: Path) -> list[str]:
    """The headers that a file includes, as it names them."""
    return INCLUDE.findall(file.read_text(encoding="utf-8"))


@cache
def sources() -> list[Path]:
    return sorted(f for f in SOURCE.rglob("*") if f.suffix in (".c", ".h", ".cpp", ".hpp"))


def own(file: Path) -> Iterator[Path]:
    """The files of src/lapwing that a file includes."""
    for header in headers(file):
        for base in (SOURCE.parent, file.parent):
            path = (base / header).resolve()
            if path.is_file() and path.is_relative_to(SOURCE):
                yield path
                break


def module_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0]


def level_of(file: Path, parent: str) -> str | None:
    """The folder of `parent` that a file is in, its name if it is at the top, None if outside."""
    folder = SOURCE / parent
    return file.relative_to(folder).parts[0] if file.is_relative_to(folder) else None


def arrow(file: Path, included: Path | str) -> str:
    name = included if isinstance(included, str) else included.relative_to(SOURCE)
    return f"{file.relative_to(SOURCE)} -> {name}"


def files_of(modules: list[str]) -> list[Path]:
    return [file for file in sources() if module_of(file) in modules]


def test_modules_are_there() -> None:
    assert all((SOURCE / module).is_dir() for module in [*PURE, *MOVING])


def test_pure_modules_know_no_mpi() -> None:
    assert not [
        arrow(file, header)
        for file in files_of(PURE)
        for header in headers(file)
        if header in ("mpi.h", "shmem.h") or header.startswith("smpi/")
    ]


def test_pure_modules_include_one_way() -> None:
    assert not [
        arrow(file, included)
        for position, module in enumerate(PURE)
        for file in files_of([module])
        for included in own(file)
        if module_of(included) not in PURE[: position + 1]
    ]


def test_modules_that_move_bytes_include_one_way() -> None:
    before: set[str] = set()
    offenders = []
    for module, pure in MOVING.items():
        offenders += [
            arrow(file, included)
            for file in files_of([module])
            for included in own(file)
            if module_of(included) not in {module, *before, *pure}
        ]
        before.add(module)
    assert not offenders


def test_only_io_knows_json() -> None:
    assert not [
        arrow(file, header)
        for file in files_of(PURE[:-1])
        for header in headers(file)
        if header.startswith("nlohmann/")
    ]


def test_only_fft_knows_fftw() -> None:
    others = [file for file in sources() if module_of(file) != "fft"]
    assert not [arrow(file, "fftw3.h") for file in others if "fftw3.h" in headers(file)]
    assert not [
        arrow(file, included)
        for file in others
        for included in own(file)
        if module_of(included) == "fft"
    ]


def test_every_folder_has_its_place() -> None:
    parents = {folder.parent for file in sources() for folder in file.parents if folder != SOURCE}
    for parent in sorted(each for each in parents if each.is_relative_to(SOURCE)):
        name = parent.relative_to(SOURCE).as_posix()
        folders = {each.name for each in parent.iterdir() if each.is_dir()}
        if parent != SOURCE and name not in UNSETTLED:
            assert folders <= set(FOLDERS.get(name, [])), name


@pytest.mark.parametrize("parent", sorted(FOLDERS.keys() - UNSETTLED))
def test_folders_include_one_way(parent: str) -> None:
    order = FOLDERS[parent]
    assert not [
        arrow(file, included)
        for file in sources()
        if (level := level_of(file, parent)) in order
        for included in own(file)
        if (other := level_of(included, parent)) is not None
        and other not in order[: order.index(level) + 1]
    ]


def circle(arrows: Mapping[str, list[str]]) -> list[str]:
    """A way along arrows that comes back to its start; empty if there is none."""
    done: set[str] = set()
    for start in arrows:
        way: list[str] = []
        pending = [(start, iter(arrows[start]))]
        while pending:
            here, onward = pending[-1]
            if here not in way:
                way.append(here)
            following = next((each for each in onward if each not in done), None)
            if following is None:
                done.add(here)
                way.pop()
                pending.pop()
            elif following in way:
                return [*way[way.index(following) :], following]
            else:
                pending.append((following, iter(arrows.get(following, []))))
    return []


def test_a_circle_is_found() -> None:
    assert circle({"a": ["b", "c"], "b": ["c"], "c": []}) == []
    assert circle({"a": ["b"], "b": ["c", "d"], "c": [], "d": ["b"]}) == ["b", "d", "b"]
    assert circle({"a": ["a"]}) == ["a", "a"]


def test_no_files_include_each_other() -> None:
    names = {file: str(file.relative_to(SOURCE)) for file in sources()}
    assert not circle({name: [names[each] for each in own(file)] for file, name in names.items()})


def python_name(file: Path) -> str:
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)


def python_modules() -> dict[str, Path]:
    return {python_name(file): file for file in sorted(PACKAGE.glob("**/*.py"))}


def imported(name: str, file: Path) -> Iterator[str]:
    """The modules of the package that a module imports, at its top or in functions."""
    known = python_modules()

    def module(path: list[str]) -> str:
        found = ".".join(path)
        return found if found in known else f"{found}.__init__"

    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for each in node.names:
                if each.name.split(".")[0] == "lapwing":
                    yield module(each.name.split("."))
        if not isinstance(node, ast.ImportFrom):
            continue
        base = name.split(".")[: -node.level] if node.level else []
        base += node.module.split(".") if node.module else []
        if base[0] != "lapwing":
            continue
        for each in node.names:
            below = [*base, each.name]
            if base == ["lapwing"] and each.name == "_core":
                yield "lapwing._core"
            elif ".".join(below) in known or f"{'.'.join(below)}.__init__" in known:
                yield module(below)
            else:
                yield module(base) if base != ["lapwing", "_core"] else "lapwing._core"


def test_python_packages_import_one_way() -> None:
    assert {name.split(".")[1] for name in python_modules()} <= set(PYTHON)
    assert not [
        f"{name} -> {used}"
        for name, file in python_modules().items()
        for used in imported(name, file)
        if PYTHON.index(used.split(".")[1]) > PYTHON.index(name.split(".")[1])
    ]


def test_no_python_modules_import_each_other() -> None:
    modules = python_modules()
    arrows = {name: list(imported(name, file)) for name, file in modules.items()}
    assert not circle(arrows)
