"""The commands of `lapwing`, one a module, each with EXAMPLES, `add` (options) and `execute`."""

from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from ..parser import Parser

# In the order in which a user needs them; each is a module of this package.
COMMANDS = {
    "calibrate": "measure a network, write its profile",
    "import": "read the logs of other benchmarks",
    "fit": "fit a machine's costs to measured collectives",
    "show": "print a profile, or what changed between two",
    "merge": "make one profile of several of the same machine",
    "predict": "what an operation will cost, and with which algorithm",
    "plan": "choose the messages for a workload (needs no network)",
    "validate": "run operations beside what is predicted of them",
    "sweep": "time a stream cut in every way, beside the plan",
    "run": "run a program: a stream, compression, a NAS benchmark",
    "observe": "what a program exchanges, and what overlap would save",
    "record": "every call of a program, to be played elsewhere",
    "convert": "make a recording of another tool's trace",
    "simulate": "play a message schedule on a simulated machine",
    "replay": "play a recorded program on another machine",
    "tune": "choose an MPI's algorithms, write the file it reads",
    "doctor": "does this installation overlap at all, and what to do",
    "report": "one page of results: what was found, every figure",
    "plot": "the figures of results as PNG or SVG",
    "demo": "the whole way once, in a table",
    "completion": "print what a shell needs to complete all this",
    "schema": "print the JSON Schema of a document",
}


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
