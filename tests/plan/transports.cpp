#include "lapwing/plan/transports.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "lapwing/plan/costs/one_sided.hpp"
#include "lapwing/plan/sensitivity.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::MessageTransport;
using lapwing::Pattern;
using lapwing::Profile;
using lapwing::Workload;

namespace {

/// Processors that take so many seconds for each byte at either end of a message, and a network
/// interface that moves data by itself.
Profile copying(double sending, double receiving) {
    Profile profile = lapwing::test::infiniband();
    const double fixed = profile.loggp.o_s;
    profile.overhead.bursts = {1};
    for (const std::uint64_t size : {8U, 65536U, 1U << 20U}) {
        const auto bytes = static_cast<double>(size);
        profile.overhead.sizes.push_back(size);
        profile.overhead.send.push_back({fixed + sending * bytes});
        profile.overhead.receive.push_back(fixed + receiving * bytes);
    }
    for (const char* name : {"rput", "rget"}) {
        lapwing::OperationCosts operation;
        operation.name = name;
        operation.transport = "rma";
        operation.bursts = {1};
        operation.gap = 1e-6;
        for (const std::uint64_t size : profile.overhead.sizes) {
            const double wire = profile.loggp.G * static_cast<double>(size);
            operation.sizes.push_back(size);
            operation.latency.push_back(12e-6 + wire);
            operation.overhead.push_back({1e-6});
            operation.asymptotic.push_back(1e-6);
            operation.bandwidth.push_back(static_cast<double>(size) / (1e-6 + wire));
        }
        profile.operations.push_back(operation);
    }
    return profile;
}

Workload megabyte(Direction direction, Pattern pattern = Pattern::stream) {
    Workload workload{.volume = 1 << 20, .compute = 1.4e-3, .grain = 8};
    workload.direction = direction;
    workload.pattern = pattern;
    workload.ranks = pattern == Pattern::stream ? 2 : 5;
    workload.transport = MessageTransport::any;
    return workload;
}

std::string chosen(const Profile& profile, const Workload& workload) {
    return std::string(lapwing::plan(profile, workload).transport);
}

}  // namespace

TEST_CASE("who computes is spared what the other side can do", "[plan]") {
    const Profile slow_to_receive = copying(0, 0.5e-9);
    const Profile slow_to_send = copying(0.5e-9, 0);
    CHECK(chosen(slow_to_receive, megabyte(Direction::fetch)) == "put");
    CHECK(chosen(slow_to_send, megabyte(Direction::produce)) == "get");
    // Processors that have nothing to do with the bytes are not spared anything.
    const auto free = lapwing::plan(copying(0, 0), megabyte(Direction::fetch));
    CHECK(free.transport == "two-sided");
    CHECK(free.transport_reason == "one-sided messages would take longer");

    const auto put = lapwing::plan(slow_to_receive, megabyte(Direction::fetch));
    Workload two_sided = megabyte(Direction::fetch);
    two_sided.transport = MessageTransport::two_sided;
    const auto usual = lapwing::plan(slow_to_receive, two_sided);
    CHECK(put.predicted < 0.95 * usual.predicted);
    CHECK(put.blocking == usual.blocking);
    CHECK(put.runner_up.predicted <= usual.predicted);
    CHECK(usual.transport_reason == "as the workload says");
}

TEST_CASE("one origin for each target: where several meet nothing was measured", "[plan]") {
    const Profile profile = copying(0, 0.5e-9);
    // One rank that gets from four spares itself nothing: it is who initiates.
    CHECK(chosen(profile, megabyte(Direction::fetch, Pattern::multi)) == "two-sided");
    CHECK(chosen(copying(0.5e-9, 0), megabyte(Direction::produce, Pattern::multi)) == "two-sided");
    for (const auto pattern : {Pattern::alltoall, Pattern::congested, Pattern::halo}) {
        const auto plan = lapwing::plan(profile, megabyte(Direction::fetch, pattern));
        CHECK(plan.transport == "two-sided");
        CHECK(plan.transport_reason == "what others would cost here was not measured");
    }
    Workload loose = megabyte(Direction::fetch);
    loose.dependence = lapwing::Dependence::loose;
    CHECK(chosen(profile, loose) == "two-sided");
    CHECK(chosen(profile, megabyte(Direction::fetch, Pattern::collective)) == "collective");
}

TEST_CASE("a transport that the program has is kept", "[plan]") {
    Workload workload = megabyte(Direction::fetch);
    workload.transport = MessageTransport::get;
    const Profile profile = copying(0, 0);
    const auto plan = lapwing::plan(profile, workload);
    CHECK(plan.transport == "get");
    CHECK(plan.transport_reason == "as the workload says");
    // The first byte is there when it was offered, asked for and brought.
    CHECK(plan.blocking - workload.compute >
          3 * profile.loggp.L + profile.loggp.G * static_cast<double>(workload.volume));
    CHECK(lapwing::plan(profile, workload, lapwing::Method::paper).transport == "get");
    CHECK(lapwing::sensitivity(profile, workload).over.worst >= 0);

    CHECK_THROWS_WITH(lapwing::plan(lapwing::test::infiniband(), workload),
                      Catch::Contains("what a get message costs"));
    CHECK_FALSE(is_measured(lapwing::test::infiniband(), MessageTransport::put));
    workload = megabyte(Direction::fetch, Pattern::buckets);
    workload.transport = MessageTransport::put;
    CHECK_THROWS_WITH(lapwing::plan(profile, workload), Catch::Contains("transport of its own"));
}

TEST_CASE("UCX, OpenSHMEM and partitions are planned by what their own operations cost", "[plan]") {
    struct Way {
        MessageTransport transport;
        const char *name, *folder, *operation;
    };
    const Way ways[] = {
        {MessageTransport::ucx_put, "ucx-put", "ucx", "put"},
        {MessageTransport::ucx_get, "ucx-get", "ucx", "get"},
        {MessageTransport::shmem, "shmem", "shmem", "put_nbi"},
        {MessageTransport::partitioned, "partitioned", "partitioned", "pready"},
    };
    for (const Way& way : ways) {
        const Workload workload = [&] {
            Workload each = lapwing::complete(megabyte(Direction::fetch));
            each.transport = way.transport;
            return each;
        }();
        Profile profile = copying(0, 0);
        for (auto& operation : profile.operations) {
            const bool moves = (operation.name == "rput") == is_put(way.transport);
            operation.transport = moves ? way.folder : "other";
            operation.name = way.operation;
        }
        const auto plan = lapwing::plan(profile, workload);
        CHECK(plan.transport == way.name);
        const auto costs = one_sided_costs(profile, workload, way.transport);
        // Behind the data of a put comes that of a counter; a partition needs none. A get costs its
        // receiver alone, and waits for it.
        const double round_trip = 11e-6 + 8 * profile.loggp.G;
        const bool puts = is_put(way.transport);
        const bool counts = way.transport != MessageTransport::partitioned;
        CHECK(costs.loggp.o_s == Approx(puts ? (counts ? 2e-6 : 1e-6) : 0));
        CHECK(costs.loggp.o_r == Approx(puts ? 0 : 1e-6));
        if (counts) {
            CHECK(costs.loggp.L == Approx(puts ? round_trip / 2 : round_trip));
        } else {
            CHECK(costs.loggp.L == Approx(profile.loggp.L));
        }
        CHECK(costs.one_sided.pulled != puts);
        CHECK(costs.protocol->eager.has_value() != puts);
        // Only MPI's are chosen.
        CHECK(chosen(profile, megabyte(Direction::fetch)) == "two-sided");
        CHECK_THROWS_WITH(lapwing::plan(copying(0, 0), workload),
                          Catch::Contains(std::string("what a ") + way.name + " message costs"));
    }
}

TEST_CASE("partitions go one way", "[plan]") {
    for (const auto pattern : {Pattern::alltoall, Pattern::halo}) {
        Workload workload = megabyte(Direction::fetch, pattern);
        workload.ranks = 9;
        workload.peers = pattern == Pattern::halo ? 2 : 0;
        workload.transport = MessageTransport::partitioned;
        CHECK_THROWS_WITH(lapwing::complete(workload), Catch::Contains("sends both ways"));
    }
    Workload workload = megabyte(Direction::both);
    workload.transport = MessageTransport::partitioned;
    CHECK_THROWS_WITH(lapwing::complete(workload), Catch::Contains("sends both ways"));
}

TEST_CASE("nothing is chosen of what was not measured", "[plan]") {
    const auto plan = lapwing::plan(lapwing::test::infiniband(), megabyte(Direction::fetch));
    CHECK(plan.transport == "two-sided");
    CHECK(plan.transport_reason == "what others would cost here was not measured");
    const auto paper =
        lapwing::plan(copying(0, 0.5e-9), megabyte(Direction::fetch), lapwing::Method::paper);
    CHECK(paper.transport == "two-sided");
}
