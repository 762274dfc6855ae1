// The costs of collectives that two ranks show, measured too briefly to be good: they have the form
// that they must have, and work that a simulated rank is not charged for costs exactly nothing.
#include "lapwing/calibrate/parts/collective_costs.hpp"

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <optional>

#include "../support/check.hpp"
#include "lapwing/calibrate/benchmarks/local_work.hpp"
#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/parts/node_copy.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

void measure(lapwing::TwoSided& transport, double longest,
             const std::optional<lapwing::Protocol>& protocol = {}) {
    const bool first = transport.rank() == 0;
    lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
    lapwing::Profile profile;
    profile.loggp.G = 1e-9;
    profile.protocol = protocol;
    lapwing::NoiseCounts noise;
    int reports = 0;
    lapwing::EnvironmentMonitor environment(pair);
    const auto status = [&](double share, const std::string& next) {
        CHECK(share >= 0);
        CHECK(share <= 1);
        CHECK(!next.empty());
        ++reports;
    };
    lapwing::Context context{
        pair,
        MPI_COMM_WORLD,
        {pair, environment, noise, {.accuracy = 1, .budget = 0.02, .least = 3}, status},
        longest};
    measure_collective_costs(context, 1 << 20, profile);
    CHECK(profile.collectives.has_value() == first);
    CHECK((reports > 0) == first);
    CHECK((noise.samples > 0) == first);
    if (!first) return;
    validate(profile);
    const auto& costs = *profile.collectives;
    CHECK(lapwing::profile_from_json(to_json(profile)).collectives->combine == costs.combine);
    for (const double cost : {costs.combine, costs.copy, costs.pack, costs.fresh}) {
        CHECK(std::isfinite(cost));
        CHECK(cost >= 0);
        if (lapwing::simulated_time) CHECK(cost == 0);
    }
    // A simulated rank is not charged for copies of unexpected messages.
    for (const double cost : {costs.unexpected, costs.unexpected_per_byte}) {
        CHECK(std::isfinite(cost));
        CHECK(cost >= 0);
        if (lapwing::simulated_time) CHECK(cost == 0);
    }
    if (protocol && protocol->eager == 0) {
        CHECK(costs.unexpected == 0);
        CHECK(costs.unexpected_per_byte == 0);
    }
    for (const double cost : {costs.exchange, costs.exchange_per_byte}) {
        CHECK(std::isfinite(cost));
        CHECK(cost >= 0);
    }
    CHECK(costs.skew == 0);
    CHECK(costs.low == costs.high);
}

void benchmarks(lapwing::TwoSided& transport) {
    const bool first = transport.rank() == 0;
    lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
    lapwing::LocalWorkBenchmarks work(pair);
    for (const double seconds : {work.combine(), work.copy(), work.pack_blocks(), work.pack_whole(),
                                 work.touch_fresh(), work.touch_kept()}) {
        CHECK(seconds >= 0);
        if (lapwing::simulated_time) CHECK(seconds == 0);
    }
    lapwing::PairBenchmarks messages(pair, 4096);
    lapwing::Series each;
    messages.exchanges(4096, 5, each);
    each.close();
    CHECK((each.median() > 0) == first);
    using Posted = lapwing::PairBenchmarks::Posted;
    for (const std::uint64_t size : {0, 8, 2048})
        for (const Posted posted : {Posted::before, Posted::after}) {
            lapwing::Series arrivals;
            messages.arrivals(size, posted, 5, arrivals);
            arrivals.close();
            CHECK((arrivals.median() > 0) == first);
        }
}

/// `together`: whether both ranks are on one node.
void all_of_a_node(int rank, bool together) {
    lapwing::Profile profile;
    profile.collectives.emplace();
    const lapwing::Nodes nodes({0, together ? 0 : 1});
    measure_node_copy(MPI_COMM_WORLD, nodes, profile);
    const double cost = profile.collectives->node_copy;
    CHECK(std::isfinite(cost));
    CHECK(cost >= 0);
    if (!together || rank != 0 || lapwing::simulated_time) CHECK(cost == 0);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        benchmarks(transport);
        all_of_a_node(transport.rank(), true);
        all_of_a_node(transport.rank(), false);
        measure(transport, 1);
        lapwing::Protocol protocol;
        measure(transport, 1, protocol);  // no message waits for its receive
        for (const std::uint64_t eager : {0, 4, 2048}) {
            protocol.eager = eager;
            measure(transport, 1, protocol);
        }
        measure(transport, 0);  // the wire is too slow for any message but the shortest
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
