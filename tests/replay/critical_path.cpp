#include "lapwing/replay/critical_path.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/replay/longest_path.hpp"
#include "lapwing/replay/recorded_calls.hpp"
#include "replay/random_exchanges.hpp"
#include "replay/recorded_program.hpp"

using namespace lapwing;
using record::Kind;
using replay::Parameter;
using tests::RecordedProgram;

namespace {

/// `count` call sites, which all ranks number alike.
replay::Options with_sites(std::uint32_t count, std::size_t ranks) {
    std::vector<std::uint32_t> all(count);
    for (std::uint32_t site = 0; site < count; ++site) all[site] = site;
    return {
        .sites = {.count = count, .of_ranks = std::vector<std::vector<std::uint32_t>>(ranks, all)}};
}

replay::CriticalPath path_of(const record::Recording& recording, const replay::Options& options) {
    replay::RecordedCalls calls(recording, options);
    return replay::critical_path(calls, replay::LogGOPSPathCosts(tests::few_costs),
                                 options.sites.count + 1);
}

}  // namespace

TEST_CASE("critical path: its computation, and what each call site has of it") {
    RecordedProgram program(2);
    program.add(0, {.kind = Kind::send, .computed = 3000, .site = 0, .sent = {1, 0, 101}});
    program.add(1, {.kind = Kind::receive, .computed = 10, .site = 1, .received = {0, 0, 101}});
    program.add(1, {.kind = Kind::send, .computed = 40, .site = 1, .sent = {0, 0, 1}});
    program.add(0, {.kind = Kind::receive, .computed = 70, .site = 0, .received = {1, 0, 1}});
    for (std::size_t rank = 0; rank < 2; ++rank) program.add(rank, {.kind = Kind::finish});
    const auto path = path_of(program.recording(), with_sites(2, 2));
    CHECK(path.time == 3000 + 500 + 2200 + 500 + 40 + 500 + 2000 + 500);
    CHECK(path.computed == 3040);
    REQUIRE(path.sites.size() == 3);
    CHECK(path.sites[0].flight == 2200);
    CHECK(path.sites[0].overhead == 1000);
    CHECK(path.sites[0].gaps == 100);
    CHECK(path.sites[1].flight == 2000);
    CHECK(path.sites[1].overheads == 2);
    CHECK(path.sites[1].latencies == 1);
    CHECK(path.sites[2].overhead == 0);
}

TEST_CASE("critical path: messages of an unknown site count, too") {
    RecordedProgram program(2);
    program.add(0, {.kind = Kind::send, .site = 7, .sent = {1, 0, 1}});
    program.add(1, {.kind = Kind::receive, .site = 7, .received = {0, 0, 1}});
    for (std::size_t rank = 0; rank < 2; ++rank) program.add(rank, {.kind = Kind::finish});
    const auto path = path_of(program.recording(), with_sites(2, 1));
    CHECK(path.sites[2].latencies == 1);
    CHECK(path.sites[2].overhead + path.sites[2].flight == path.time);
}

TEST_CASE("critical path: is the longest path, and its counts are the slopes of its sites") {
    constexpr std::uint32_t sites = 3;
    const replay::LogGOPSPathCosts costs(tests::few_costs);
    for (unsigned seed = 0; seed < 60; ++seed) {
        INFO("seed " << seed);
        const auto program = tests::random_exchanges(seed, sites);
        const auto recording = program.recording();
        const auto options = with_sites(sites, program.ranks());
        const auto path = path_of(recording, options);
        double sum = path.computed;
        for (std::uint32_t site = 0; site < sites; ++site) {
            const auto slope = [&](Parameter parameter) {
                replay::RecordedCalls calls(recording, options);
                const auto line = replay::longest_path(calls, costs, {parameter, site}, 0.0, true);
                CHECK(line.value == Approx(path.time).epsilon(1e-12));
                return line.slope;
            };
            const replay::PathShare& share = path.sites[site];
            CHECK(share.latencies == slope(Parameter::latency));
            CHECK(share.gaps == slope(Parameter::gap));
            CHECK(share.overheads == slope(Parameter::overhead));
            sum += share.overhead + share.flight;
        }
        CHECK(sum == Approx(path.time).epsilon(1e-12));
    }
}
