"""The command `lapwing`: which commands there are, and how each ends."""

import os
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from ..errors import LapwingError, did_you_mean
from .parser import Parser

_INTERRUPTED = 130
_NOBODY_READS = 141  # as after a SIGPIPE

# In the order of the way; each is a module of this package, loaded when it is asked for.
COMMANDS = {
    "calibrate": "measure a network, write its profile",
    "show": "print a profile, or what changed between two",
    "merge": "make one profile of several of the same machine",
    "predict": "what an operation will cost, and with which algorithm",
    "plan": "choose the messages for a workload (needs no network)",
    "validate": "run operations beside what is predicted of them",
    "sweep": "time a stream cut in every way, beside the plan",
    "run": "run a program: a stream, compression, NAS FT",
    "observe": "what a program exchanges, and what overlap would save",
    "simulate": "play a message schedule on a simulated machine",
    "tune": "choose an MPI's algorithms, write the file it reads",
    "doctor": "does this installation overlap at all, and what to do",
    "report": "one page of results: what was found, every figure",
    "plot": "the figures of results as PNG or SVG",
    "demo": "the whole way once, in a table",
    "completion": "print what a shell needs to complete all this",
    "schema": "print the JSON Schema of a document",
}

_DESCRIPTION = """\
Lapwing measures what a network costs, and hides communication behind computation."""

_EPILOG = """\
commands:
{commands}

TARGET, where a program runs:
  mpi[:N]              N ranks of the MPI that is here, or the batch allocation
  sim:CLUSTER[:N]      simulated: elan4, ethernet, hdr, ib4x, ib4x-tapered, ranger, or a
                       .toml file
  net:RATE[:N]         real MPI over a link of that rate on this machine, e.g. net:1gbit

examples:
  lapwing calibrate --on sim:ib4x -o machine.json
  lapwing show machine.json
  lapwing show ranger                                 a published machine, by its name
  lapwing predict bcast machine.json --ranks 2:1048576 --size 1:1MB
  lapwing plan machine.json --volume 8MB --compute 12ms
  lapwing validate --on sim:ib4x machine.json bcast --ranks 2:64
  lapwing sweep --on sim:ib4x machine.json --volume 1MB --ratio 1
  lapwing run stream --on sim:ib4x machine.json --volume 1MB --ratio 1
  lapwing run compress big.tar -o big.tar.bz2 --on mpi:8
  lapwing run ft --class A --schedule pencils --on mpi:2
  lapwing observe machine.json -- mpirun -n 4 ./program
  lapwing report machine.json result.json -o report.html
  lapwing demo

Each command has its own --help, with examples. Sizes are 8, 64KB, 1MB (1 KB is 1024 bytes), times
12ms, 3.5us, 0.2s. Exit status: 0 done, 1 it ran and the answer is no, 2 it was asked wrongly."""


def run(words: list[str]) -> int:
    """Run the command line `words` (without the program's name); return the exit status."""
    # A profile says how it was made; the ranks inherit this.
    os.environ["LAPWING_COMMAND"] = shlex.join(["lapwing", *words])
    try:
        status = _dispatch(words)
        sys.stdout.flush()
        return status
    except LapwingError as error:
        return _fail(str(error), error.exit_status)
    except KeyboardInterrupt:
        return _fail("interrupted", _INTERRUPTED)
    except BrokenPipeError:
        # Nobody reads on; what is still buffered must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NOBODY_READS
    except OSError as error:
        _quiet_output()
        what = f"{error.filename}: " if error.filename else ""
        return _fail(f"{what}{error.strerror or error}", 2)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        return _fail(f"this should not happen: {what}; LAPWING_DEBUG=1 shows where", 2)


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else ""
    if name in ("", "-h", "--help", "help"):
        return _help()
    if name == "--version":
        from importlib.metadata import version

        print(f"lapwing {version('lapwing')}")
        return 0
    if name not in COMMANDS:
        near = did_you_mean(name, list(COMMANDS))
        raise LapwingError(f'unknown command "{name}"{near}; see lapwing --help')
    command, rest = import_module(f".commands.{name}", __package__), words[1:]
    if hasattr(command, "choose"):
        # What it does, and which options it has, depends on what it is to run.
        module, named = command.choose(rest)
        command = import_module(f".commands.{module}", __package__)
        name, rest = " ".join([name, *rest[:named]]), rest[named:]
    arguments = _parser(name, command).parse(rest)
    status: int = command.execute(arguments)
    return status


def parsers() -> dict[str, Sequence[ArgumentParser]]:
    """Of every command the parsers that may read its line."""
    found: dict[str, Sequence[ArgumentParser]] = {}
    for name in COMMANDS:
        command = import_module(f".commands.{name}", __package__)
        modules = [name, *getattr(command, "MODULES", ())]
        found[name] = [
            _parser(name, import_module(f".commands.{module}", __package__)) for module in modules
        ]
    return found


def _parser(name: str, command: ModuleType) -> Parser:
    program = f"lapwing {name}"
    parser = Parser(
        prog=program, description=command.__doc__, epilog="examples:\n" + command.EXAMPLES
    )
    command.add(parser)
    parser.set_defaults(program=program, known_options=parser.options())
    return parser


def _help() -> int:
    listed = "\n".join(f"  {name:<10} {what}" for name, what in COMMANDS.items())
    print(f"usage: lapwing COMMAND ...\n\n{_DESCRIPTION}\n")
    print(_EPILOG.replace("{commands}", listed))
    return 0


def _quiet_output() -> None:
    """Standard output failed, say a disk that is full: keep the exit from failing once more."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    if os.environ.get("LAPWING_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    print(f"lapwing: {LapwingError(message)}", file=sys.stderr)  # folded to one line
    return status
