/* Calls of every kind that a recording has, on four ranks. "dies": the first is killed before the
   end; "waits": all wait to be; "simulated": without what SimGrid does not have. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, value;
static double sent[1000], received[1000], room[10000];

static void messages(void) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size, got;
    MPI_Sendrecv(&value, 1, MPI_INT, right, 5, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
    MPI_Recv(&got, 2, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) {
        MPI_Request requests[4];
        MPI_Status statuses[4];
        MPI_Irecv(received, 1000, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(sent, 1000, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&value, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, statuses);
    }
}

static void probes(void) {
    int flag = 0, got, right = (rank + 1) % size;
    MPI_Message message;
    MPI_Send(&value, 1, MPI_INT, right, 11, MPI_COMM_WORLD);
    while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static void persistent(MPI_Comm half) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int got, other;
    MPI_Comm_rank(half, &other);
    other = 1 - other;
    MPI_Send_init(&value, 1, MPI_INT, other, 9, half, &requests[0]);
    MPI_Recv_init(&got, 1, MPI_INT, other, 9, half, &requests[1]);
    for (int i = 0; i < 2; ++i) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void collectives(MPI_Comm half) {
    int counts[4], theirs[4], all[4], places[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        counts[i] = 2 * rank + i;
        theirs[i] = 2 * i + rank;
        all[i] = i + 1;
    }
    MPI_Alltoallv(sent, counts, places, MPI_DOUBLE, room, theirs, places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    MPI_Gatherv(sent, rank + 1, MPI_DOUBLE, room, all, places, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, room, 10, MPI_DOUBLE, half);
    MPI_Bcast(room, 10, MPI_DOUBLE, 1, half);
    MPI_Reduce_scatter_block(sent, received, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    MPI_Comm half, copy, between;
    MPI_Request request;
    int flag = 0;
    const char* end = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(half, &copy);
    persistent(half);
    collectives(half);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Iallreduce(sent, received, 10, MPI_DOUBLE, MPI_SUM, copy, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (strcmp(end, "simulated")) {
        probes();
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 1, &between);
        MPI_Comm_rank(half, &flag);
        MPI_Sendrecv(&value, 1, MPI_INT, flag, 2, &flag, 1, MPI_INT, MPI_ANY_SOURCE, 2, between,
                     MPI_STATUS_IGNORE);
    }
    if (!strcmp(end, "dies")) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) raise(SIGKILL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!strcmp(end, "waits")) {
        MPI_Barrier(MPI_COMM_WORLD); /* every rank has done all that it does */
        if (rank == 0) printf("waits\n"), fflush(stdout);
        for (;;) sleep(1);
    }
    MPI_Finalize();
    return 0;
}
