// If plans differ, all ranks get the same error, before anything is sent.
#include "lapwing/pipeline/agreement/require_same_plan.hpp"

#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "../support/check.hpp"

using lapwing::Messages;
using lapwing::Plan;

namespace {

int rank = 0;
int ranks = 0;

Plan plan_of(const Messages& messages, int window) {
    Plan plan;
    plan.messages = messages;
    plan.window = window;
    return plan;
}

/// The error about the plans; empty if there is none.
std::string said(const Plan& plan) {
    try {
        const Plan taken = lapwing::require_same_plan(plan);
        CHECK(taken.messages == plan.messages);
        CHECK(taken.window == plan.window);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

void expect(const Plan& plan, const std::string& what) {
    const std::string words = said(plan);
    if (words != what) std::fprintf(stderr, "rank %d was told: %s\n", rank, words.c_str());
    CHECK(words == what);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool last = rank == ranks - 1;
    const auto uniform = Messages::uniform(8000, 800, 8);
    Plan plan = plan_of(uniform, 4);
    expect(plan, "");
    // What may differ.
    plan.poll_interval = rank;
    plan.pace = rank;
    expect(plan, "");

    const std::string except_last = ranks == 2   ? "rank 0"
                                    : ranks == 3 ? "ranks 0 and 1"
                                                 : "ranks 0, 1, 2 and 3";
    const std::string name = "rank " + std::to_string(ranks - 1);
    expect(plan_of(uniform, last ? 5 : 4),
           "plans disagree: window is 4 on " + except_last + " but 5 on " + name);
    expect(plan_of(last ? Messages::uniform(8008, 800, 8) : uniform, last ? 5 : 4),
           "plans disagree: volume is 8000 bytes on " + except_last + " but 8008 bytes on " + name);
    expect(plan_of(last ? Messages::uniform(8000, 800, 16) : uniform, 4),
           "plans disagree: grain is 8 bytes on " + except_last + " but 16 bytes on " + name);
    expect(plan_of(last ? Messages::uniform(8000, 400, 8) : uniform, 4),
           "plans disagree: messages is 10 on " + except_last + " but 20 on " + name);
    // As many messages of as many bytes, in another order.
    Messages sizes(8);
    sizes.append(800, 8);
    sizes.append(last ? 1000 : 600);
    sizes.append(last ? 600 : 1000);
    expect(plan_of(sizes, 4), "plans disagree: sizes is 8x800 1x600 1x1000 on " + except_last +
                                  " but 8x800 1x1000 1x600 on " + name);
    if (ranks > 2)
        expect(plan_of(uniform, rank + 1),
               "plans disagree: window is 1 on rank 0 but 2 on rank 1 (differing: " +
                   std::string(ranks == 3 ? "ranks 1 and 2)" : "ranks 1, 2, 3 and 4)"));
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
