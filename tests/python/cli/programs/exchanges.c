/* What a test knows beforehand: every exchange has a size of its own. Two ranks. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char out[1 << 20];
static char in[1 << 20];

static void halo(int peer) {
    MPI_Request requests[2];
    MPI_Irecv(in, sizeof in, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 3000, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void overlapped(int peer) {
    MPI_Request requests[2];
    MPI_Send_init(out, 70000, MPI_CHAR, peer, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 70000, MPI_CHAR, peer, 2, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 5; ++i) {
        int index = 0;
        MPI_Startall(2, requests);
        usleep(20000);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        usleep(1000);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void stream(int rank) {
    for (int i = 0; i < 6; ++i) {
        usleep(1000);
        if (rank == 0)
            MPI_Send(out, 500, MPI_CHAR, 1, i, MPI_COMM_WORLD);
        else
            MPI_Recv(in, 500, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void collectives(void) {
    MPI_Request request;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        usleep(1000);
        MPI_Alltoall(out, 40000, MPI_CHAR, in, 40000, MPI_CHAR, MPI_COMM_WORLD);
        usleep(1000);
        MPI_Allreduce(&(double){1}, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Ibcast(in, 9000, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 10, MPI_CHAR, MPI_PROC_NULL, 0, in, 10, MPI_CHAR, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int rank;
    const char* end = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; ++i) {
        usleep(1000);
        halo(1 - rank);
    }
    if (strcmp(end, "dies") == 0 && rank == 1) abort();
    if (strcmp(end, "aborts") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(end, "dies") == 0 || strcmp(end, "aborts") == 0) MPI_Barrier(MPI_COMM_WORLD);
    overlapped(1 - rank);
    stream(rank);
    collectives();
    MPI_Finalize();
    return strcmp(end, "fails") == 0 ? 3 : 0;
}
