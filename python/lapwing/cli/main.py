"""The command `lapwing`: finding the command that is meant, running it, and how it ends."""

import os
import shlex
import sys

from ..errors import LapwingError, did_you_mean
from ..results.provenance import begin
from .commands import COMMANDS, GROUPS, load, parser_of
from .output import print_text
from .standard_streams import drop_output, open_closed, say, to_output

_INTERRUPTED = 130
# The status after a SIGPIPE: in a pipe into `head`, Lapwing is as any other program of the shell.
_NOBODY_READS = 141

_DESCRIPTION = """\
Lapwing measures what a network costs, and hides communication behind computation."""

_EPILOG = """\
{commands}

TARGET, where a program runs:
  mpi[:N]              N ranks of the installed MPI, or the batch allocation
  sim:CLUSTER[:N]      simulated: elan4, ethernet, hdr, ib4x, ib4x-tapered, ranger, or a
                       .toml file
  net:RATE[:N]         real MPI over a link of that rate on this machine, e.g. net:1gbit

examples:
  lapwing calibrate --on sim:ib4x -o machine.json
  lapwing show machine.json
  lapwing show ranger                                 a published machine, by its name
  lapwing predict machine.json bcast --ranks 2:1048576 --size 1:1MB
  lapwing plan machine.json --volume 8MB --compute 12ms
  lapwing validate --on sim:ib4x machine.json bcast --ranks 2:64
  lapwing sweep --on sim:ib4x machine.json --volume 1MB --ratio 1
  lapwing run stream --on sim:ib4x machine.json --volume 1MB --ratio 1
  lapwing run compress big.tar -o big.tar.bz2 --on mpi:8
  lapwing run ft --class A --schedule pencils --on mpi:2
  lapwing observe machine.json -- mpirun -n 4 ./program
  lapwing report machine.json result.json -o report.html
  lapwing demo

`lapwing help COMMAND` explains a command, with examples. Sizes are 8, 64KB, 1.7MB (1 KB is 1024
bytes), times 12ms, 3.5us, 0.2s. Exit status: 0 done, 1 it ran and the answer is no, 2 wrong
options or input."""


def run(words: list[str]) -> int:
    """Run the command line `words` (without the program's name); return the exit status."""
    open_closed()
    # Ranks inherit this variable, and profiles record it.
    os.environ["LAPWING_COMMAND"] = shlex.join(["lapwing", *words])
    try:
        try:
            return _dispatch(words)
        finally:  # --help leaves by SystemExit
            with to_output():
                sys.stdout.flush()
    except LapwingError as error:
        return _fail(str(error), error.exit_status)
    except KeyboardInterrupt:
        return _fail("interrupted", _INTERRUPTED)
    except BrokenPipeError:
        drop_output()
        return _NOBODY_READS
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        return _fail(f"{what}{error.strerror or error}", 2)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        return _fail(f"this should not happen: {what}; LAPWING_DEBUG=1 shows where", 2)


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else ""
    if name == "help" and len(words) > 1:  # `lapwing help plan` is `lapwing plan --help`
        return _dispatch([*words[1:], "--help"])
    if name in ("", "-h", "--help", "help"):
        return _help()
    if name == "--version":
        from lapwing import __version__

        print_text(f"lapwing {__version__}")
        return 0
    if name not in COMMANDS:
        near = did_you_mean(name, list(COMMANDS))
        raise LapwingError(f'unknown command "{name}"{near}; see lapwing --help')
    command, rest = load(name), words[1:]
    if hasattr(command, "choose"):
        # The program that is to run has options of its own.
        module, named = command.choose(rest)
        command = load(module)
        name, rest = " ".join([name, *rest[:named]]), rest[named:]
    arguments = parser_of(name, command).parse(rest)
    begin(os.environ["LAPWING_COMMAND"], getattr(arguments, "on", None))
    status: int = command.execute(arguments)
    return status


def _help() -> int:
    listed = "\n\n".join(
        f"{group}:\n" + "\n".join(f"  {name:<10} {what}" for name, what in names.items())
        for group, names in GROUPS.items()
    )
    epilogue = _EPILOG.replace("{commands}", listed)
    print_text(f"usage: lapwing COMMAND ...\n\n{_DESCRIPTION}\n\n{epilogue}")
    return 0


def _fail(message: str, status: int) -> int:
    drop_output()
    if os.environ.get("LAPWING_DEBUG") == "1":
        import traceback

        say(traceback.format_exc().rstrip())
    say(f"lapwing: {LapwingError(message)}")  # makes the message one line
    return status
