import pytest

from lapwing.launch.failure import explain


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
        (["something odd", "------", ""], 4, "something odd (exit status 4)"),
        ([], 143, "died of SIGTERM"),
        ([], 250, "exit status 250"),
    ],
)
def test_explain(lines: list[str], status: int, says: str) -> None:
    assert explain(lines, status) == says
