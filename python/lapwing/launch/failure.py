"""The reason of a failed run in one line, from the standard error of program and launcher."""

import re
import signal
from collections.abc import Iterable

# Messages of the native programs; the library writes "lapwing" if a pipeline fails.
_OWN = re.compile(r"lapwing(?:-(?:mpi|net|shmem))?: (.+)")
_RANK = re.compile(r"lapwing(?:-(?:mpi|shmem))?: rank \d+: ")
_ENDED = re.compile(r"(rank \d+): ended with status (\d+)")
# The end of a job or of its time. srun sometimes exits with 0 after it.
_CANCELLED = re.compile(r"slurmstepd-\S+: error: \*\*\* (?:JOB|STEP) \S+ ON \S+ CANCELLED")

# How launchers report a rank that died, and what we say instead.
_INTERFACE = "give --launch --mpi=TYPE; srun --mpi=list names the types"
_LAUNCHERS = [
    (
        re.compile(r"process rank (\d+) with PID .* exited on (signal \d+ \([^)]+\))"),
        r"rank \1: died of \2",
    ),
    (re.compile(r"MPI_ABORT was invoked on rank (\d+)"), r"rank \1: called MPI_Abort"),
    (re.compile(r"Process name: \[\[.*\],(\d+)\]"), r"rank \1: ended without finishing"),
    (re.compile(r"slurmstepd-\S+: error: execve\(\): (.+)"), r"cannot start \1"),
    (
        re.compile(r'direct launched using "srun"'),
        "this MPI does not understand the process management interface that srun offers: "
        + _INTERFACE,
    ),
    (re.compile(r"CANCELLED AT \S+ DUE TO (.+?) \*\*\*"), r"the batch system ended it: \1"),
    # What MPI_Init said is lost if srun ends the step sooner.
    (
        re.compile(r"srun: error: .*?task(s?) ([\d,-]+): (Exited with exit code \d+)"),
        r"rank\1 \2: \3; if that was in MPI_Init, " + _INTERFACE,
    ),
    # A task that got a SIGTERM is a consequence of a cancellation.
    (re.compile(r"srun: error: .*?task(s?) ([\d,-]+): (?!Terminated)(.+)"), r"rank\1 \2: \3"),
    (_CANCELLED, "the batch system cancelled it"),
    # srun sometimes ends before it has passed on that the job was cancelled.
    (
        re.compile(r"srun: error: .*?task(s?) ([\d,-]+): (Terminated)"),
        r"rank\1 \2: \3, as when the batch system cancelled it or its time is over",
    ),
    (re.compile(r"srun: (unrecognized option .+)"), r"srun: \1"),
]
_ABORT = re.compile(r"Abort\((-?\d+)\) on node (\d+)")
_TOLD_TO_END = str(128 + signal.SIGTERM)
_ABORTED = str(128 + signal.SIGABRT)


def is_error(line: str) -> bool:
    """Whether this line says that the run failed: a rank of itself, or the batch system.

    SMPI exits with 0 after an MPI_Abort.
    """
    return _RANK.match(line) is not None or _CANCELLED.match(line) is not None


def explain(lines: Iterable[str], status: int) -> str:
    """The program's own message if there is one, else the launcher's, else the last line.

    status: exit status of the launcher; 128 + signal number if a signal ended it.
    """
    said = [line.strip() for line in lines]
    own = [match[1] for line in said if (match := _OWN.search(line))]
    # The program's own message says more than its wrapper's.
    for message in own:
        if not _ENDED.match(message):
            return message
    for pattern, words in _LAUNCHERS:
        for line in said:
            if match := pattern.search(line):
                return match.expand(words)
    ended = [match for message in own if (match := _ENDED.match(message))]
    aborts = [match for line in said if (match := _ABORT.search(line))]
    # A rank that was killed by a signal is the cause. A rank that aborted may only have missed it,
    # and one that got a SIGTERM is a consequence.
    killed = [match for match in ended if int(match[2]) > 128 and match[2] != _TOLD_TO_END]
    if killed:
        cause = min(killed, key=lambda match: match[2] == _ABORTED)
        return f"{cause[1]}: {_ending(int(cause[2]))}"
    if aborts:
        return aborts[0].expand(r"rank \2: called MPI_Abort(\1)")
    if ended:
        first = min(ended, key=lambda match: match[2] == _TOLD_TO_END)
        return f"{first[1]}: {_ending(int(first[2]))}"
    # Lines with words, not empty lines or rules.
    worth = [line for line in said if re.search(r"[A-Za-z]{2}", line)]
    return f"{worth[-1]} ({_ending(status)})" if worth else _ending(status)


def _ending(status: int) -> str:
    if status > 128:
        try:
            return f"died of {signal.Signals(status - 128).name}"
        except ValueError:
            pass
    return f"exit status {status}"
