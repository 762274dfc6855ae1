"""Writes the reference: pages made of the docstrings of the C++, C, Fortran and Python interfaces.

    build/venv/bin/python docs/reference.py build/site-source/reference

A header's page has what its `///` comments say of each thing, and the thing as it is declared.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import lapwing
from lapwing import mpi

SOURCE = Path(__file__).resolve().parents[1] / "src" / "lapwing"

# In the order of the way of the data.
MODULES = {
    "profile": "What a machine measured like",
    "model": "The cost of one communication",
    "simulate": "The cost of a whole schedule",
    "predict": "What an operation will cost",
    "plan": "How to cut and run a workload",
    "io": "The files",
    "transport": "How bytes move",
    "pipeline": "How computation and communication interleave",
    "compute": "Where simulated and real time differ",
    "fft": "Distributed Fourier transforms",
    "calibrate": "How a machine is measured",
    "observe": "What a program exchanges",
}
_LONGEST = 80  # lines of a type that is shown whole


def described(lines: list[str], comment: str, indent: str = "") -> Iterator[tuple[str, str]]:
    """Each thing with a comment before it: what the comment says, and the declaration.

    comment: what its lines begin with, as a pattern.  indent: what stands before all of them.
    """
    begins = re.compile(f"{indent}(?:{comment}) ?(.*)")
    said: list[str] = []
    for number, line in enumerate(lines):
        if match := begins.fullmatch(line):
            said.append(match[1])
            continue
        if said and line.strip():
            yield "\n".join(said), declaration(lines[number:])
        said = []


def declaration(lines: list[str]) -> str:
    """A declaration that begins here: a type whole, a function up to its body."""
    if re.match(r"(typedef )?(enum|struct)\b|(class|concept)\b", lines[0]):
        end = next((i for i, line in enumerate(lines) if re.match(r"\}.*;", line)), 0)
        if ";" in lines[0] or 0 < end < _LONGEST:
            return "\n".join(lines[: end + 1])
    text = ""
    for line in lines:
        text += line + "\n"
        if line.rstrip().endswith((";", "{", "}")) or not line.strip():
            break
    return re.sub(r"\s*(: [\w(), ]+)?\{[^}]*\}?$", "", text.rstrip(), count=1).rstrip(";") + ";"


def as_text(said: str) -> str:
    """A comment as Markdown: lists and formulas stand for themselves."""
    return re.sub(r"(?m)^(?=- )", "", said).strip()


def section(said: str, code: str, language: str) -> str:
    return f"```{language}\n{code}\n```\n\n{as_text(said)}\n"


def public_headers(module: str) -> list[Path]:
    """The headers in a module's own folder, and those of its subfolders that lapwing.hpp names."""
    everything = (SOURCE / "lapwing.hpp").read_text(encoding="utf-8")
    named = re.findall(rf'#include "lapwing/({module}/.+\.hpp)"', everything)
    return sorted({*(SOURCE / module).glob("*.hpp"), *(SOURCE / name for name in named)})


def cpp(module: str) -> str:
    """The page of a module."""
    parts = [f"# {MODULES[module]}: `lapwing/{module}/`\n"]
    for header in public_headers(module):
        found = list(described(header.read_text(encoding="utf-8").splitlines(), "///"))
        if found:
            parts.append(f"## `lapwing/{header.relative_to(SOURCE)}`\n")
            parts += [section(said, code, "cpp") for said, code in found]
    return "\n".join(parts)


def c() -> str:
    """The page of the C interface."""
    lines = (SOURCE / "c" / "lapwing.h").read_text(encoding="utf-8").splitlines()
    parts = ["# From C: `lapwing.h`\n"]
    for said, code in described(lines, "///"):
        parts.append(f"{said}\n" if code.startswith("#") else section(said, code, "c"))
    return "\n".join(parts)


def fortran() -> str:
    """The page of the Fortran module."""
    lines = (SOURCE / "c" / "lapwing.f90").read_text(encoding="utf-8").splitlines()
    parts = ["# From Fortran: `use lapwing`\n"]
    for said, _ in described(lines, "!>|!!"):
        parts.append(f"{said}\n")
    for number, line in enumerate(lines):
        if not line.startswith("    !>"):
            continue
        rest = lines[number + 1 :]
        while rest[0].startswith("    !!"):
            rest = rest[1:]
        until = "    end type" if rest[0].startswith("    type") else None
        end = next((i for i, text in enumerate(rest) if text == until), 0)
        code = [text[4:] for text in rest[: end + 1] if "private" not in text]
        parts.append(section(line[7:], "\n".join(code), "fortran"))
    return "\n".join(parts)


def python() -> str:
    """The page of the Python package."""
    parts = ["# From Python: `import lapwing`\n", f"{inspect.getdoc(lapwing)}\n"]
    parts += package("lapwing", lapwing, dir(lapwing))
    parts += [f"# `lapwing.mpi`\n\n{inspect.getdoc(mpi)}\n"]
    parts += package("mpi", mpi, mpi.__all__)
    return "\n".join(parts)


def package(called: str, module: ModuleType, names: list[str]) -> Iterator[str]:
    """The functions and classes of a package of Python."""
    for name in names:
        thing = getattr(module, name)
        if not inspect.isfunction(thing) and not inspect.isclass(thing):
            continue
        yield f"## {name}\n"
        if inspect.isfunction(thing):
            yield f"```python\n{called}.{name}{inspect.signature(thing)}\n```\n"
        yield f"{with_list(inspect.getdoc(thing) or '')}\n"
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            yield from (f"- `{member}`: {said}" for member, said in members(thing))
            yield ""


def with_list(said: str) -> str:
    """A docstring whose lines `name: what it means` are entries of a list."""
    return re.sub(r"^(\w+(?:, \w+)*): ", r"- `\1`: ", said, flags=re.MULTILINE)


def members(thing: type) -> Iterator[tuple[str, str]]:
    """Of a class: its methods and properties, and the docstring of each."""
    for name, value in vars(thing).items():
        # The docstring of a default is that of its type.
        own = callable(value) or hasattr(type(value), "__get__")
        said = inspect.getdoc(value) if own else None
        if not name.startswith("_") and said:
            lines = said.splitlines()
            # Of a native function the first line is its signature.
            if re.match(rf"{name}\(", lines[0]):
                name, lines = lines[0], lines[1:]
            yield name, " ".join(line for line in lines if line)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"c": c(), "fortran": fortran(), "python": python()}
    pages |= {f"cpp-{module}": cpp(module) for module in MODULES}
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
