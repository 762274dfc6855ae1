"""Running a native program on a target, from the first process to the last."""

import contextlib
import math
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

from ..errors import LapwingError, RunFailed
from . import guardian
from .failure import explain, is_error
from .installed_mpi import InstalledMpi
from .job import Job
from .library_path import loading
from .mpi import mpi_job
from .native import SHMEM, choose, find_shmem, find_simulated, physical_cores
from .program import uses_interfaces
from .shmem import shmem_launcher
from .target import Target
from .temporary import Temporary, temporary

_PROGRESS = re.compile(r"@ ([0-9.]+(?:[eE][+-]?[0-9]+)?)(?: (.*))?")
_MEMORY = "/dev/shm"
_OURS = ("LAPWING_KERNELS", "LAPWING_NO_DATA")
_KEPT_LINES = 1000
_LONGEST_LINE = 1 << 20  # bytes
# Seconds that a launcher has to end after a rank has reported that it failed. Open MPI's launcher
# sometimes waits for ever for ranks that are gone.
_AFTER_FAILURE = 5.0


def run(
    target: Target,
    arguments: Sequence[str],
    *,
    mpi: str | None = None,
    launch_options: Sequence[str] = (),
    settings: Mapping[str, str | None] | None = None,
    on_progress: Callable[[float, str], None] | None = None,
    timeout: float | None = None,
    program: str = "lapwing-mpi",
) -> None:
    """Run a native program with `arguments` on `target`; return when all its ranks are done.

    mpi: the MPI by its family or a path, as for `mpis_meant`; None, the first that there is.
    launch_options: for the launcher, unchanged.
    settings: environment variables, set after all others; a value of None unsets the variable.
    on_progress: called with the fraction done (0 to 1) and a short text.
    timeout: seconds after which the run is stopped and has failed.
    program: "lapwing-mpi", or "lapwing-shmem", which does not run in simulated time.

    Raises RunFailed if the run fails. No process and no file of the run outlives this call or this
    process.
    """
    with contextlib.ExitStack() as tidy:
        directories = [tidy.enter_context(temporary())]
        directory = directories[0].path
        job = build(
            target,
            list(arguments),
            directory,
            mpi=mpi,
            options=list(launch_options),
            program=program,
        )
        environment = environment_of(target, job, directory)
        for name, value in (settings or {}).items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        # Open MPI leaves its shared memory behind if it is killed. In a directory of ours it is
        # removed. Other hosts, of an allocation or named by the options, do not have it.
        alone = target.kind == "mpi" and job.command[0] != "srun" and not launch_options
        if alone and os.access(_MEMORY, os.W_OK):
            directories.append(tidy.enter_context(temporary(_MEMORY)))
            environment["OMPI_MCA_btl_vader_backing_directory"] = directories[-1].path
            environment["OMPI_MCA_btl_sm_backing_directory"] = directories[-1].path
        _follow(target, job.command, environment, directories, on_progress, timeout)


def build(
    target: Target,
    arguments: list[str],
    directory: str,
    *,
    mpi: str | None,
    options: list[str],
    program: str = "lapwing-mpi",
) -> Job:
    """The job that runs a native program on `target`; its files go to `directory`."""
    if target.kind == "sim":
        if program == SHMEM:
            raise LapwingError(f"{target.text}: there is no OpenSHMEM in simulated time")
        return build_simulated(target, None, arguments, directory, options)
    if program == SHMEM:
        return build_real(target, [find_shmem(), *arguments], shmem_launcher(), options)
    here, native = choose(mpi)
    before = loading(here, native.interface, native.path, directory)
    return build_real(target, [*before, native.path, *arguments], here, options)


def build_simulated(
    target: Target,
    module: str | None,
    arguments: list[str],
    directory: str,
    options: list[str],
) -> Job:
    """The job that runs `module` on a simulated target; None, the native program."""
    from ..testbed.platform import hostfile, platform_xml
    from .sim import sim_job

    assert target.cluster is not None
    if shutil.which("smpirun") is None:
        raise LapwingError("sim: smpirun is not on the PATH: install libsimgrid-dev")
    platform, hosts = Path(directory, "platform.xml"), Path(directory, "hosts")
    platform.write_text(platform_xml(target.cluster, target.ppn or 1))
    hosts.write_text(hostfile(target.cluster, target.ranks, target.ppn or 1))
    return sim_job(
        module or find_simulated(),
        arguments,
        target.ranks,
        cluster=target.cluster,
        platform=str(platform),
        hostfile=str(hosts),
        options=options,
        interfaces=module is None or uses_interfaces(module),
    )


def build_real(target: Target, command: list[str], mpi: InstalledMpi, options: list[str]) -> Job:
    """The job that runs a program of `mpi` with its arguments on a real target."""
    launcher = mpi.launcher
    if shutil.which(name := os.path.basename(launcher)) == launcher:
        launcher = name  # or Open MPI takes the path for that of its installation on all hosts
    if target.kind == "mpi" and "SLURM_JOB_ID" in os.environ:
        launcher = "srun"
        if shutil.which(launcher) is None:
            raise LapwingError(
                "SLURM_JOB_ID is set but srun is not on the PATH: "
                "load the batch system, or unset SLURM_JOB_ID to run on this machine"
            )
    if target.kind == "mpi":
        return mpi_job(
            command,
            target.ranks,
            ppn=target.ppn,
            family=mpi.family,
            launcher=launcher,
            options=options,
            cores=physical_cores(),
            as_root=os.geteuid() == 0,
        )
    from ..testbed.namespace import require_network
    from .net import net_job

    assert target.rate is not None
    return net_job(
        command,
        target.ranks,
        family=mpi.family,
        launcher=launcher,
        options=options,
        version=mpi.version,
        rate=target.rate,
        entry=require_network(),
        processors=sorted(os.sched_getaffinity(0)),
    )


def environment_of(target: Target, job: Job, directory: str) -> dict[str, str]:
    """The environment of a job's launcher; temporary files go to `directory`."""
    # These variables are for simulated time alone. The job sets them; those that the caller has in
    # the environment do not count.
    inherited = {name: value for name, value in os.environ.items() if name not in _OURS}
    if target.kind == "net":  # or mpirun would look for the nodes of the allocation
        inherited = {n: v for n, v in inherited.items() if not n.startswith("SLURM_")}
    if job.command[0] != "srun":  # other hosts do not have the directory
        inherited["TMPDIR"] = directory
    return {**inherited, "LAPWING_TARGET": target.text, **job.environment}


def _follow(
    target: Target,
    command: list[str],
    environment: dict[str, str],
    directories: list[Temporary],
    on_progress: Callable[[float, str], None] | None,
    timeout: float | None,
) -> None:
    deadline = _Deadline(timeout)
    errors: deque[str] = deque(maxlen=_KEPT_LINES)
    with tempfile.TemporaryFile() as output, _terminable():
        try:
            with _guarded(command, environment, directories, output) as process:
                for line in _lines(process, deadline):
                    if is_error(line):
                        deadline.within(_AFTER_FAILURE)
                    progress = _PROGRESS.fullmatch(line)
                    fraction = _number(progress[1]) if progress else None
                    if progress is None or fraction is None:
                        errors.append(line)
                    elif on_progress:
                        on_progress(fraction, progress[2] or "")
                returned = process.wait(deadline.left())
        except (TimeoutError, subprocess.TimeoutExpired):
            _debug(errors, output.fileno())
            if any(map(is_error, errors)):
                raise RunFailed(f"{target.text}: {explain(errors, 1)}") from None
            raise RunFailed(f"{target.text}: not done after {timeout:g} s, stopped") from None
        status = returned if returned >= 0 else 128 - returned
        if status != 0 or any(map(is_error, errors)):
            _debug(errors, output.fileno())
            raise RunFailed(f"{target.text}: {explain(errors, status)}")


@contextlib.contextmanager
def _guarded(
    command: list[str], environment: dict[str, str], directories: list[Temporary], output: object
) -> Iterator["subprocess.Popen[bytes]"]:
    """The command under its guardian, until the end of the block, however that ends."""
    paths = os.pathsep.join(each.path for each in directories)
    guarding = [sys.executable, "-I", "-S", guardian.__file__, paths]
    process = subprocess.Popen(
        [*guarding, *command],
        stdin=subprocess.PIPE,  # the guardian ends the run when it closes
        stdout=output,  # type: ignore[call-overload]
        stderr=subprocess.PIPE,
        env={**environment, guardian.MARK: paths},
        pass_fds=[each.lock for each in directories],
        # Ctrl-C in the terminal reaches this process alone, which ends the run in order.
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        with process.stderr:
            yield process
    finally:
        process.stdin.close()
        process.wait()  # until the guardian has removed everything
        if process.returncode < 0:  # it was killed
            guardian.end_run(paths)


class _Deadline:
    """The moment at which a run must be over; infinite, until one is set."""

    def __init__(self, seconds: float | None) -> None:
        self._moment = math.inf if seconds is None else time.monotonic() + seconds

    def within(self, seconds: float) -> None:
        """Bring the deadline forward to `seconds` from now, unless it is earlier."""
        self._moment = min(self._moment, time.monotonic() + seconds)

    def left(self) -> float | None:
        """Seconds until the deadline; None if there is none."""
        return None if self._moment == math.inf else max(0.0, self._moment - time.monotonic())


def _lines(process: "subprocess.Popen[bytes]", deadline: _Deadline) -> Iterator[str]:
    """Lines of standard error until it closes, or until the process has ended and said all.

    Raises TimeoutError when `deadline` passes.
    """
    assert process.stderr is not None
    stream = process.stderr.fileno()
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    with _descriptor(process) as ended:
        if ended is not None:
            poll.register(ended, select.POLLIN)
        yield from _lines_of(stream, poll, deadline)


def _lines_of(stream: int, poll: "select.poll", deadline: _Deadline) -> Iterator[str]:
    pending = b""
    while True:
        left = deadline.left()
        ready = [file for file, _ in poll.poll(None if left is None else left * 1e3)]
        if not ready:
            raise TimeoutError
        # Others may hold the pipe open after the process has ended.
        chunk = os.read(stream, 65536) if stream in ready else b""
        *whole, pending = (pending + chunk).split(b"\n")
        if not chunk or len(pending) > _LONGEST_LINE:
            whole, pending = [*whole, pending], b""
        for line in whole:
            yield line.decode("utf-8", "replace").rstrip("\r")
        if not chunk:
            return


@contextlib.contextmanager
def _descriptor(process: "subprocess.Popen[bytes]") -> Iterator[int | None]:
    """A descriptor that can be read when a process has ended; None on a kernel before 5.3."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _number(text: str) -> float | None:
    try:
        return min(float(text), 1.0)
    except ValueError:
        return None


def _debug(errors: deque[str], output: int) -> None:
    """Print the output that is not shown otherwise, if LAPWING_DEBUG=1 asks for it."""
    if os.environ.get("LAPWING_DEBUG") != "1":
        return
    size = os.fstat(output).st_size
    kept = os.pread(output, 1 << 20, max(0, size - (1 << 20))).decode("utf-8", "replace")
    for line in (*kept.splitlines(), *errors):
        print(line, file=sys.stderr)


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Turn a SIGTERM into an orderly exit with status 143, unless it is handled already."""
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    ):
        yield
        return

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
