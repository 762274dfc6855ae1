#include "lapwing/plan/costs/workload_costs.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "lapwing/model/progress_overhead.hpp"
#include "lapwing/plan/plan.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::Pattern;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::Workload;

namespace {

/// Whose system takes `share` of a processor that computes while messages come and go.
Profile machine(double share) {
    Profile profile = lapwing::test::infiniband();
    profile.progress.O_both = share * profile.loggp.G;
    return profile;
}

Workload exchange(double G) {
    return {.volume = 1 << 20,
            .compute = G * (1 << 20),
            .grain = 8,
            .pattern = Pattern::alltoall,
            .direction = Direction::fetch,
            .ranks = 2};
}

/// Seconds that the system takes of the computation.
double taken(const Profile& profile, const Workload& workload) {
    const auto costs =
        workload_costs(profile, complete(workload), lapwing::MessageTransport::two_sided);
    return costs.computing.workload.compute - costs.idle.workload.compute;
}

}  // namespace

TEST_CASE("the rank that computes loses what its own traffic takes", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const double G = profile.loggp.G;
    profile.progress.O_s = 0.1 * G;
    profile.progress.O_r = 0.2 * G;
    profile.progress.O_both = 0.4 * G;
    Workload stream{.volume = 1 << 20, .compute = 1, .grain = 8};
    const double bytes = 1 << 20;
    const auto seconds = [&](const Workload& workload) { return taken(profile, workload); };
    CHECK(seconds(stream) == Approx(0.2 * G * bytes));
    stream.direction = Direction::produce;
    CHECK(seconds(stream) == Approx(0.1 * G * bytes));
    stream.direction = Direction::both;
    CHECK(seconds(stream) == Approx(0.4 * G * bytes));
}

TEST_CASE("a rank that moves the data of all others shares its queue among them", "[plan]") {
    using lapwing::MessageTransport;
    Profile profile = lapwing::test::infiniband();
    lapwing::OperationCosts get;
    get.name = "rget";
    get.transport = "rma";
    get.sizes = {8, 1 << 20};
    get.bursts = {1};
    get.latency = get.asymptotic = {1e-6, 1e-3};
    get.overhead = {{1e-6}, {1e-6}};
    get.bandwidth = {1e6, 1e9};
    profile.operations.push_back(get);
    Workload workload{.volume = 1 << 20,
                      .compute = 1e-3,
                      .grain = 8,
                      .pattern = Pattern::congested,
                      .direction = Direction::fetch,
                      .ranks = 5};
    const auto in_flight = [&](MessageTransport transport) {
        return workload_costs(profile, complete(workload), transport).computing.max_in_flight;
    };
    CHECK(in_flight(MessageTransport::two_sided) > 1 << 20);
    profile.queue_depth = 32;
    CHECK(in_flight(MessageTransport::two_sided) == 31 / 4);
    CHECK(in_flight(MessageTransport::get) == 31);  // each of the others gets its own
    workload.direction = Direction::produce;
    CHECK(in_flight(MessageTransport::two_sided) == 31);
    CHECK(in_flight(MessageTransport::get) == 31 / 4);
    workload.ranks = 100;
    CHECK(in_flight(MessageTransport::get) == 1);
}

TEST_CASE("a plan is that for as much longer a computation", "[plan]") {
    const Profile free = lapwing::test::infiniband();
    const Profile busy = machine(0.2);
    const Workload workload = exchange(free.loggp.G);
    Workload longer = workload;
    longer.compute += taken(busy, workload);
    CHECK(longer.compute > workload.compute);
    const Plan made = plan(busy, workload);
    const Plan same = plan(free, longer);
    CHECK(made.messages.count() > 1);
    CHECK(made.predicted == Approx(same.predicted));
    CHECK(made.messages == same.messages);
    CHECK(made.workload.compute == workload.compute);
    CHECK(made.blocking == Approx(plan(free, workload).blocking).epsilon(0.01));
    CHECK(made.predicted > plan(free, workload).predicted);
    CHECK(made.limit <= made.predicted);
}

TEST_CASE("where messages take all they could hide behind, nothing is overlapped", "[plan]") {
    const Profile busy = machine(1);
    const Workload workload = exchange(busy.loggp.G);
    const Plan made = plan(busy, workload);
    CHECK(made.messages.count() == 1);
    CHECK(made.predicted == made.blocking);
    CHECK(made.limit <= made.predicted);
    CHECK(made.bound == lapwing::Bound::progress);
    CHECK(made.poll_interval == 0);
    CHECK(std::string(made.poll_reason) == "messages take the processor from the computation");
    CHECK(made.runner_up.predicted >= made.predicted);
}
