"""Running a user's program with the observing library preloaded."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..errors import LapwingError
from ..launch.find_mpi import first_meant
from ..launch.installed_mpi import LIBRARIES, family_of
from ..launch.library_path import loading
from ..launch.native import find_interfaces, find_observer
from ..launch.program import find_program, mpi_of, uses_interfaces
from ..launch.run import build_real, build_simulated, environment_of
from ..launch.target import Target

_LAUNCHERS = {"mpirun", "mpiexec", "orterun", "oshrun", "prun"}
_BATCH = {"srun", "salloc"}
# Options with which ranks may run on other machines, which see the working directory.
_ELSEWHERE = {"-H", "-host", "--host", "-hosts", "-f", "-hostfile", "--hostfile", "-machinefile"}

_ASIDE = "statically linked MPI: only a program that loads its MPI as a library can be observed"


def run_preloaded(
    command: Sequence[str],
    tables: Path,
    *,
    target: Target | None = None,
    mpi: str | None = None,
    launch_options: Sequence[str] = (),
    quiet: bool = False,
    events: bool = False,
    record: int = 0,
    sums: bool = True,
) -> int:
    """Run `command` to its end, and return its exit status; 128 + signal number after a signal.

    command: a launcher's line, `mpirun -n 4 program`; with a `target`, the program alone, which is
    started there.  tables: an empty directory that the ranks write their tables to.  mpi: the MPI
    by its family or a path; None, found out.  launch_options: for the target's launcher, unchanged.
    quiet: standard output of the program goes to standard error.  events: ranks record what they do
    when.  record: they record every call, in so many bytes a rank at most.  sums: they sum up
    exchanges as well.  Raises LapwingError if the program cannot be started.
    """
    words, asked = list(command), {"LAPWING_OBSERVE": str(tables)}
    if events:
        asked["LAPWING_OBSERVE_EVENTS"] = "1"
    if record:
        asked["LAPWING_OBSERVE_RECORD"] = str(record)
        if sums:
            asked["LAPWING_OBSERVE_SUMS"] = "1"
    if target is None:
        words, added = _own_launcher(words, mpi, list(asked))
        environment = {**os.environ, **asked, **added}
    else:
        words, environment = _on_target(words, target, tables, mpi, list(launch_options))
        environment.update(asked)
    try:
        # Ctrl-C in the terminal reaches the program too; it ends, and its tables are read.
        process = subprocess.Popen(words, env=environment, stdout=sys.stderr if quiet else None)
    except OSError as error:
        raise LapwingError(f"cannot start {words[0]}: {error.strerror}") from None
    return _wait(process)


def unseen(command: Sequence[str], target: Target | None, status: int) -> LapwingError:
    """The error that says why no rank recorded anything."""
    program = command[0] if target else find_program(list(command))
    linked = mpi_of(program) if program else None
    if linked == "static":
        error = LapwingError(f"{program}: {_ASIDE}")
    elif status != 0:
        error = LapwingError(
            f"{command[0]}: ended with status {status}, before any rank had initialized MPI"
        )
    else:
        what = program or command[0]
        error = LapwingError(f"{what}: ran, but no rank initialized an MPI that can be observed")
    error.exit_status = status or 1
    return error


def ranks_elsewhere(command: Sequence[str]) -> bool:
    """Whether the command line of a launcher may start ranks on other machines."""
    batch = "SLURM_JOB_ID" in os.environ or Path(command[0]).name in _BATCH
    return batch or not _ELSEWHERE.isdisjoint(command)


def _own_launcher(
    words: list[str], mpi: str | None, asked: list[str]
) -> tuple[list[str], dict[str, str]]:
    """The user's command line, and the environment variables to set for it besides `asked`."""
    if shutil.which(words[0]) is None:
        raise LapwingError(f"{words[0]}: no such command")
    if Path(words[0]).name == "smpirun":
        return words, {"LD_PRELOAD": preload("smpi")}
    known = _interface_of(words, mpi)
    added = {"LD_PRELOAD": preload(known)}
    if known == "openmpi" and Path(words[0]).name.partition(".")[0] in _LAUNCHERS:
        # mpirun does not pass other variables to other hosts unless it is told to.
        passed = [word for name in ["LD_PRELOAD", *asked] for word in ("-x", name)]
        words = [words[0], *passed, *words[1:]]
    return words, added


def _interface_of(words: list[str], meant: str | None) -> str:
    """The binary interface of the program on a launcher's command line."""
    program = find_program(words) or shutil.which(words[0])
    linked = mpi_of(program) if program else None
    if linked in LIBRARIES:
        return linked
    if meant is not None:
        return _interface_meant(meant)
    for word in words:
        if Path(word).name.partition(".")[0] in _LAUNCHERS and (path := shutil.which(word)):
            known = family_of(path)[0]
            if known != "any":
                return _interface_meant(path)
    raise _unknown(words[0])


def _interface_meant(meant: str) -> str:
    # Programs of an MPI that has several mostly have the one that is older.
    return first_meant(meant).interfaces[-1]


def _unknown(command: str) -> LapwingError:
    return LapwingError(
        f"{command}: which MPI the program uses cannot be told: say --mpi openmpi or --mpi mpich"
    )


def _on_target(
    words: list[str], target: Target, tables: Path, mpi: str | None, options: list[str]
) -> tuple[list[str], dict[str, str]]:
    """The command that starts a program on a target, and its environment."""
    path = shutil.which(words[0])
    if path is None:
        raise LapwingError(f"{words[0]}: no such program")
    path = os.path.abspath(path)
    settings: dict[str, str] = {}
    if target.kind == "sim":
        job = build_simulated(target, path, words[1:], str(tables), options)
        settings["LD_PRELOAD"] = simulated_preload(uses_interfaces(path))
    else:
        linked = mpi_of(path)
        if linked not in LIBRARIES and mpi is None:
            raise _unknown(words[0])
        known = linked if linked in LIBRARIES else _interface_meant(str(mpi))
        here = first_meant(mpi, known)
        # For the ranks alone, not for their launcher.
        before = loading(here, known, path, str(tables)) or ["env"]
        before = [*before, f"LD_PRELOAD={preload(known)}"]
        job = build_real(target, [*before, path, *words[1:]], here, options)
    environment = environment_of(target, job, str(tables))
    return job.command, {**environment, **settings}


def preload(interface: str, *others: str) -> str:
    """The value of LD_PRELOAD: the observing library first, then `others` and the caller's."""
    before = os.environ.get("LD_PRELOAD")
    return ":".join([find_observer(interface), *others, *([before] if before else [])])


def simulated_preload(interfaces: bool) -> str:
    """The same for simulated ranks. interfaces: whether their program is linked with Lapwing's.

    A preloaded library comes before the program's own ones, so this one must be preloaded, too.
    """
    return preload("smpi", *([find_interfaces()] if interfaces else []))


def _wait(process: "subprocess.Popen[bytes]") -> int:
    def pass_on(number: int, frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)

    def ignore(number: int, frame: object) -> None:
        pass

    before = {
        signal.SIGTERM: signal.signal(signal.SIGTERM, pass_on),
        signal.SIGHUP: signal.signal(signal.SIGHUP, pass_on),
        signal.SIGINT: signal.signal(signal.SIGINT, ignore),
    }
    try:
        status = process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return status if status >= 0 else 128 - status
