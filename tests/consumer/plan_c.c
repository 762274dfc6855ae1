// Plans a stream with a machine's parameters written down by hand, in C.
#include <lapwing.h>
#include <stdio.h>

int main(void) {
    lapwing_profile* machine = NULL;
    lapwing_plan* plan = NULL;
    const lapwing_workload workload = {.volume = 1 << 20, .compute = 1.4e-3, .grain = 8};
    if (lapwing_profile_loggp(5e-6, 1.5e-6, 1.5e-6, 1.5e-6, 1 / 750e6, &machine) != LAPWING_OK ||
        lapwing_plan_make(machine, &workload, LAPWING_OURS, &plan) != LAPWING_OK) {
        fprintf(stderr, "%s\n", lapwing_error_message());
        return 1;
    }
    int64_t sum = 0;
    for (lapwing_message m = {0}; lapwing_plan_next(plan, &m);) sum += m.size;
    lapwing_summary summary;
    if (lapwing_plan_summary(plan, &summary) != LAPWING_OK) return 1;
    printf("%lld messages, %.3g ms instead of %.3g ms\n", (long long)summary.count,
           1e3 * summary.predicted, 1e3 * summary.blocking);
    lapwing_plan_free(plan);
    lapwing_profile_free(machine);
    return sum == workload.volume && summary.predicted < summary.blocking ? 0 : 1;
}
