"""The commands of `lapwing`, one a module, each with EXAMPLES, `add` (options) and `execute`."""

from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from ..parser import Parser

# By what a user wants to do, in the order in which a newcomer needs them; each is a module of this
# package.
GROUPS = {
    "your network": {
        "doctor": "tell whether communication overlaps here, and what to set",
        "calibrate": "measure a network and write its profile",
        "import": "make measurements or a profile of other benchmarks' logs",
        "fit": "fit a machine's parameters to measured collectives",
        "show": "print a profile, or the differences between two",
        "merge": "join profiles of one machine",
    },
    "your program": {
        "observe": "find what a program exchanges and what overlap would save",
        "record": "record every MPI call of a program",
        "convert": "convert another tool's trace to a recording",
        "replay": "replay a recording on another machine",
    },
    "predict and plan": {
        "plan": "choose message sizes and a window for a workload",
        "predict": "predict the time of an operation and its best algorithm",
        "simulate": "simulate a message schedule",
        "tune": "choose an MPI's collective algorithms and write its file",
    },
    "run and compare": {
        "run": "run a program: a stream, compression, a NAS benchmark",
        "sweep": "compare a plan with every message size and window",
        "validate": "compare measured times of operations with predictions",
        "demo": "calibrate, plan and run once, and print a table",
    },
    "results": {
        "report": "write one page of results with their figures",
        "plot": "draw the figures of results as PNG or SVG",
        "schema": "print the JSON Schema of a document",
        "completion": "print the completion script of a shell",
    },
}
COMMANDS = {name: what for group in GROUPS.values() for name, what in group.items()}


def load(name: str) -> ModuleType:
    """The module of a command, or of a program that `run` or `sweep` starts."""
    return import_module(f".{name}", __name__)


def parsers() -> dict[str, Sequence[ArgumentParser]]:
    """For every command, the parsers that may read its line."""
    found: dict[str, Sequence[ArgumentParser]] = {}
    for name in COMMANDS:
        command = load(name)
        modules = [name, *getattr(command, "MODULES", ())]
        found[name] = [parser_of(name, load(module)) for module in modules]
    return found


def parser_of(name: str, command: ModuleType) -> Parser:
    program = f"lapwing {name}"
    parser = Parser(
        prog=program, description=command.__doc__, epilog="examples:\n" + command.EXAMPLES
    )
    command.add(parser)
    parser.set_defaults(program=program, known_options=parser.options())
    return parser
