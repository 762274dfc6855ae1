// Rank 1 sends a megabyte of numbers; rank 0 adds them up while they arrive. In C: the plan is
// Lapwing's, the loop is the program's own.
#include <lapwing.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { elements = 1 << 17 };

static void require(lapwing_status status) {
    if (status == LAPWING_OK) return;
    fprintf(stderr, "example-plan_c: %s\n", lapwing_error_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void* room(size_t count, size_t size) {
    void* memory = calloc(count, size);
    if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

static void feed(const double* data, const lapwing_plan* plan) {
    for (lapwing_message m = {0}; lapwing_plan_next(plan, &m);)
        MPI_Send((const char*)data + m.offset, (int)m.size, MPI_BYTE, 0, (int)m.index,
                 MPI_COMM_WORLD);
}

// Keeps as many messages in flight as the plan says: they travel while one is added up.
static double add(double* data, const lapwing_plan* plan) {
    lapwing_summary summary;
    require(lapwing_plan_summary(plan, &summary));
    const int window = summary.window;
    MPI_Request* requests = room((size_t)window, sizeof(MPI_Request));
    lapwing_message next = {0};
    lapwing_message arrived = {0};
    int64_t initiated = 0;
    double sum = 0;
    while (lapwing_plan_next(plan, &arrived)) {
        while (initiated < summary.count && initiated < arrived.index + window) {
            lapwing_plan_next(plan, &next);
            MPI_Irecv((char*)data + next.offset, (int)next.size, MPI_BYTE, 1, (int)next.index,
                      MPI_COMM_WORLD, &requests[initiated++ % window]);
        }
        MPI_Wait(&requests[arrived.index % window], MPI_STATUS_IGNORE);
        const double* piece = data + arrived.offset / (int64_t)sizeof(double);
        for (int64_t i = 0; i < arrived.size / (int64_t)sizeof(double); ++i) sum += piece[i];
    }
    free(requests);
    return sum;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2 || ranks != 2) {
        if (rank == 0) fprintf(stderr, "usage, on two ranks: example-plan_c PROFILE\n");
        MPI_Finalize();
        return 2;
    }

    lapwing_profile* machine = NULL;
    require(lapwing_profile_load(argv[1], &machine));
    const lapwing_workload workload = {
        .volume = elements * sizeof(double), .compute = 1.4e-3, .grain = sizeof(double)};
    lapwing_plan* plan = NULL;
    require(lapwing_plan_make(machine, &workload, LAPWING_OURS, &plan));

    double* data = room(elements, sizeof(double));
    double sum = elements / 2.0;
    if (rank == 1) {
        for (int i = 0; i < elements; ++i) data[i] = 0.5;
        feed(data, plan);
    } else if (rank == 0) {
        lapwing_summary summary;
        require(lapwing_plan_summary(plan, &summary));
        sum = add(data, plan);
        printf("sum %.0f, received in %lld messages, %d in flight\n", sum, (long long)summary.count,
               summary.window);
        printf("%.2f ms predicted, %.2f ms without overlap\n", 1e3 * summary.predicted,
               1e3 * summary.blocking);
    }
    free(data);
    lapwing_plan_free(plan);
    lapwing_profile_free(machine);
    MPI_Finalize();
    return sum == elements / 2.0 ? 0 : 1;
}
