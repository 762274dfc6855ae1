import pytest

from lapwing.launch.failure import explain, is_error

CANCELLED = "slurmstepd-node0: error: *** STEP 1.3 ON node0 CANCELLED AT 2030-01-02T03:04:05{} ***"


@pytest.mark.parametrize(
    ("lines", "status", "says"),
    [
        (["noise", "lapwing-mpi: rank 3: no room", "x"], 1, "rank 3: no room"),
        (
            ["mpirun noticed that process rank 1 with PID 0 on node n exited on signal 9 (Killed)"],
            137,
            "rank 1: died of signal 9 (Killed)",
        ),
        (["lapwing-mpi: rank 1: ended with status 139"], 139, "rank 1: died of SIGSEGV"),
        (
            ["lapwing-mpi: rank 0: ended with status 1", "lapwing-mpi: rank 0: bad size"],
            1,
            "rank 0: bad size",
        ),
        (
            [
                "Abort(876203535) on node 0 (rank 0 in comm 0): Fatal error",
                "lapwing-mpi: rank 0: ended with status 143",
                "lapwing-mpi: rank 1: ended with status 137",
            ],
            15,
            "rank 1: died of SIGKILL",
        ),
        (
            [
                "lapwing-mpi: rank 0: ended with status 134",
                "lapwing-mpi: rank 2: ended with status 137",
            ],
            9,
            "rank 2: died of SIGKILL",
        ),
        (["Abort(3) on node 1 (rank 1 in comm 0): application"], 3, "rank 1: called MPI_Abort(3)"),
        (["lapwing-shmem: rank 1: no room"], 1, "rank 1: no room"),
        (["srun: error: node7: task 5: Killed"], 137, "rank 5: Killed"),
        (["srun: error: node0: tasks 0-2,5: Killed"], 137, "ranks 0-2,5: Killed"),
        (
            [
                "slurmstepd-node1: error: execve(): /x: No such file or directory",
                "srun: error: node1: task 1: Exited with exit code 2",
            ],
            2,
            "cannot start /x: No such file or directory",
        ),
        (
            [
                'The application appears to have been direct launched using "srun",',
                "srun: error: node1: task 1: Exited with exit code 1",
            ],
            1,
            "this MPI does not understand the process management interface that srun offers: "
            "give --launch --mpi=TYPE; srun --mpi=list names the types",
        ),
        (
            [
                "srun: error: node0: task 0: Exited with exit code 1",
                "srun: error: node1: task 1: Terminated",
            ],
            143,
            "rank 0: Exited with exit code 1; if that was in MPI_Init, give --launch --mpi=TYPE; "
            "srun --mpi=list names the types",
        ),
        ([CANCELLED.format("")], 0, "the batch system cancelled it"),
        (
            ["srun: error: node1: task 1: Terminated", CANCELLED.format("")],
            143,
            "the batch system cancelled it",
        ),
        (
            ["srun: error: node1: task 1: Terminated"],
            143,
            "rank 1: Terminated, as when the batch system cancelled it or its time is over",
        ),
        (
            ["srun: error: node1: task 1: Killed", CANCELLED.format("")],
            137,
            "rank 1: Killed",
        ),
        (
            [CANCELLED.format(" DUE TO TIME LIMIT"), "srun: error: node0: task 0: Terminated"],
            15,
            "the batch system ended it: TIME LIMIT",
        ),
        (
            ["srun: unrecognized option '--bogus'", 'Try "srun --help" for more information'],
            255,
            "srun: unrecognized option '--bogus'",
        ),
        (["something odd", "------", ""], 4, "something odd (exit status 4)"),
        ([], 143, "died of SIGTERM"),
        ([], 250, "exit status 250"),
    ],
)
def test_explain(lines: list[str], status: int, says: str) -> None:
    assert explain(lines, status) == says


@pytest.mark.parametrize("reason", ["", " DUE TO TIME LIMIT"])
def test_srun_may_exit_with_0_after_a_cancellation(reason: str) -> None:
    assert is_error(CANCELLED.format(reason))
    assert not is_error("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.")
