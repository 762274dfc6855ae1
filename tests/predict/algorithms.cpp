#include "lapwing/predict/algorithms.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "lapwing/model/cameron2007.hpp"
#include "lapwing/model/collectives/bcast.hpp"
#include "lapwing/model/collectives/gather.hpp"
#include "lapwing/model/collectives/reduce.hpp"
#include "lapwing/model/collectives/scatter.hpp"
#include "lapwing/predict/network.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "support/machine.hpp"

using namespace lapwing;

// Closed forms are compared with the event engine, which simulates the schedules without them.
namespace {

/// A machine whose overheads and wire times all differ, so that none can be mistaken for another.
Profile machine() {
    Profile profile;
    profile.loggp = {.L = 4.1e-6, .o_s = 1.2e-6, .o_r = 1.7e-6, .g = 1.7e-6, .G = 1.1e-9};
    return profile;
}

double engine(const simulate::MeasuredMachine& machine, const std::string& operation,
              const std::string& algorithm, std::uint64_t ranks, std::uint64_t size) {
    const auto collective = simulate::make_collective({.operation = operation,
                                                       .algorithm = algorithm,
                                                       .ranks = static_cast<simulate::Rank>(ranks),
                                                       .size = size});
    return static_cast<double>(simulate::simulate(*collective, machine).finish) * 1e-12;
}

using Bounds = std::map<std::string, double>;

/// Relative errors of closed forms that are approximations, for ranks that are no power of two: if
/// two messages go to one rank, the engine decides by which is first. Closed forms take blocks that
/// differ by a byte as equal: 1e-3 of the time.
const Bounds eager{
    {"barrier recursive-doubling", 0.25},
    {"barrier tree", 0.03},
    {"bcast pipelined", 1e-3},
    {"bcast scatter-ring", 1e-3},
    {"bcast scatter-recursive-doubling", 0.3},
    {"allgather recursive-doubling", 0.2},
    {"allreduce recursive-doubling", 0.25},
    {"allreduce rabenseifner", 0.25},
    {"allreduce reduce-bcast", 0.03},
    {"reduce binomial", 0.06},
    {"reduce scatter-gather", 0.2},
    {"reduce_scatter recursive-halving", 0.2},
    {"reduce_scatter reduce-scatter", 0.08},
    {"gather binomial", 0.06},
    {"gatherv binomial", 0.06},
    {"bcast pipelined-binary", 1e-3},
    {"allgather gather-bcast", 0.03},
    {"allgather bine", 0.2},
    {"allgather bine-two-blocks", 0.2},
    {"allgather bine-block-by-block", 0.2},
    {"allreduce allgather-reduce", 0.2},
    {"allreduce bine", 0.25},
    {"allreduce bine-scatter-allgather", 0.25},
    {"allreduce bine-segmented", 0.03},
    {"reduce pipelined", 1e-3},
    {"reduce bine-scatter-gather", 0.2},
    {"reduce_scatter recursive-doubling", 0.45},
    {"reduce_scatter butterfly", 0.25},
    {"reduce_scatter bine", 0.2},
    {"reduce_scatter bine-send", 0.2},
    {"reduce_scatter bine-block-by-block", 0.2},
    {"gather bine", 0.16},
    {"scatter bine", 0.16},
};
/// The same where messages wait for their receives: their order is that of the receives.
const Bounds waiting{
    {"bcast scatter-recursive-doubling", 0.1},
    {"allgather recursive-doubling", 0.1},
    {"allgather bine", 0.05},
    {"allgather bine-two-blocks", 0.05},
    {"allgather bine-send", 0.05},
    {"allgather bine-block-by-block", 0.05},
    {"allreduce allgather-reduce", 0.1},
    {"reduce_scatter recursive-doubling", 0.17},
    {"reduce_scatter butterfly", 0.13},
    {"reduce_scatter bine", 0.05},
    {"reduce_scatter bine-send", 0.05},
    {"reduce_scatter bine-block-by-block", 0.05},
    {"gather bine", 0.16},
    {"scatter bine", 0.16},
};

/// The same for any number of ranks, with incast: messages that meet at a receiver delay those
/// behind.
const Bounds incast{
    {"alltoall linear", 0.12},
    {"alltoall staggered", 0.12},
    {"alltoall linear-sync", 0.12},
    {"alltoall k-bruck", 0.3},
    {"bcast pipelined-split-binary", 0.15},
    {"bcast split-binary", 0.04},
    {"bcast bine-scatter-allgather", 0.25},
    {"allgather k-bruck", 0.25},
    {"allgather bine-send", 0.15},
    {"reduce pipelined-binary", 0.17},
};
const Bounds incast_waiting{
    {"alltoall linear", 0.12},
    {"alltoall staggered", 0.12},
    {"alltoall linear-sync", 0.12},
    {"alltoall k-bruck", 0.3},
    {"bcast pipelined-split-binary", 0.25},
    {"bcast split-binary", 0.25},
    {"allgather k-bruck", 0.33},
    {"reduce pipelined-binary", 0.1},
};

/// The same on shared interfaces, where the lead of a message is an approximation too.
const Bounds shared{
    {"barrier tree", 0.03},
    {"bcast binomial", 0.07},
    {"bcast grouped", 0.03},
    {"bcast pipelined-split-binary", 0.26},
    {"bcast split-binary", 0.25},
    {"bcast scatter-ring", 0.08},
    {"bcast scatter-recursive-doubling", 0.09},
    {"alltoall linear", 0.01},
    {"alltoall staggered", 0.01},
    {"allgather recursive-doubling", 0.1},
    {"allreduce reduce-bcast", 0.03},
    {"reduce_scatter recursive-halving", 0.13},
    {"reduce_scatter reduce-scatter", 0.03},
    {"scatter binomial", 0.07},
    {"scatter binomial-nearest-first", 0.06},
    {"scatterv binomial", 0.07},
    {"scatterv binomial-nearest-first", 0.06},
    {"bcast pipelined-binary", 0.15},
    {"bcast bine", 0.08},
    {"bcast bine-scatter-allgather", 0.09},
    {"alltoall linear-sync", 0.01},
    {"alltoall k-bruck", 0.17},
    {"allgather sparbit", 0.01},
    {"allgather k-bruck", 0.25},
    {"allgather gather-bcast", 0.05},
    {"allgather bine", 0.07},
    {"allgather bine-two-blocks", 0.07},
    {"allgather bine-send", 0.07},
    {"allgather bine-block-by-block", 0.07},
    {"allreduce allgather-reduce", 0.1},
    {"reduce pipelined", 0.22},
    {"reduce pipelined-binary", 0.21},
    {"reduce chains", 0.12},
    {"reduce binary", 0.01},
    {"reduce in-order-binary", 0.01},
    {"reduce k-nomial", 0.02},
    {"reduce bine", 0.06},
    {"reduce_scatter recursive-doubling", 0.2},
    {"reduce_scatter butterfly", 0.23},
    {"reduce_scatter bine", 0.07},
    {"reduce_scatter bine-send", 0.07},
    {"reduce_scatter bine-block-by-block", 0.07},
    {"gather bine", 0.16},
    {"scatter bine", 0.23},
};

/// Checks the closed forms of all algorithms on a machine against the engine, within these relative
/// errors, or within `usual`.
void compare(const Profile& profile, const Bounds& any, const Bounds& no_powers, double usual) {
    const auto network = measured_network(profile, 1);
    const simulate::MeasuredMachine measured(profile, 1);
    for (const auto& operation : simulate::collective_operations()) {
        for (const auto& name : simulate::collective_algorithms(operation)) {
            const Algorithm* const algorithm = find_algorithm(operation, name);
            REQUIRE(algorithm != nullptr);
            for (const std::uint64_t ranks : {2U, 3U, 4U, 7U, 8U, 13U, 16U, 24U, 31U, 32U}) {
                double bound = usual;
                if (const auto found = any.find(operation + " " + name); found != any.end())
                    bound = found->second;
                else if (no_powers.contains(operation + " " + name))
                    bound =
                        std::has_single_bit(ranks) ? 1e-3 : no_powers.at(operation + " " + name);
                for (const std::uint64_t size : {1U, 500U, 100000U}) {
                    const double expected = engine(measured, operation, name, ranks, size);
                    const double seconds = algorithm->seconds(network, ranks, size);
                    INFO(operation << " " << name << ", " << ranks << " ranks, " << size);
                    CHECK(seconds == Approx(expected).epsilon(bound));
                }
            }
        }
    }
}

Profile waiting_machine() {
    auto profile = machine();
    profile.protocol.emplace().eager = 0;
    return profile;
}

}  // namespace

TEST_CASE("closed forms end when the engine does", "[predict]") {
    compare(machine(), incast, eager, 1e-6);
}

TEST_CASE("closed forms know which messages are unexpected where a rank asks for one by one",
          "[predict]") {
    for (const Nic nic : {Nic::serialising, Nic::sharing}) {
        Profile free = machine();
        free.nic = nic;
        Profile profile = free;
        profile.collectives.emplace();
        profile.collectives->unexpected = 1e-6;
        profile.collectives->unexpected_per_byte = 1e-9;
        const simulate::MeasuredMachine measured(profile, 1);
        const simulate::MeasuredMachine without(free, 1);
        const auto network = measured_network(profile, 1);
        for (const auto& [operation, name] :
             std::vector<std::pair<std::string, std::string>>{{"gather", "linear"},
                                                              {"gather", "k-nomial"},
                                                              {"gather", "binomial"},
                                                              {"gatherv", "linear"},
                                                              {"reduce", "linear"},
                                                              {"reduce", "binomial"},
                                                              {"barrier", "linear"},
                                                              {"barrier", "dissemination"},
                                                              {"allgather", "ring"},
                                                              {"bcast", "binomial"}})
            for (const std::uint64_t ranks : {2U, 4U, 13U, 16U}) {
                const double expected = engine(measured, operation, name, ranks, 500);
                const double seconds =
                    find_algorithm(operation, name)->seconds(network, ranks, 500);
                INFO(operation << " " << name << ", " << ranks << " ranks");
                CHECK(seconds == Approx(expected).epsilon(nic == Nic::sharing ? 0.08 : 1e-6));
                CHECK(expected >= engine(without, operation, name, ranks, 500));
                if (name == "linear" && operation == "gather")
                    CHECK(expected - engine(without, operation, name, ranks, 500) ==
                          Approx(1.5e-6 * static_cast<double>(ranks - 2)));
            }
    }
}

TEST_CASE("closed forms end when the engine does where messages wait", "[predict]") {
    compare(waiting_machine(), incast_waiting, waiting, 1e-3);
}

TEST_CASE("closed forms end when the engine does where messages share interfaces", "[predict]") {
    auto profile = waiting_machine();
    profile.nic = Nic::sharing;
    compare(profile, shared, {}, 1e-3);
}

TEST_CASE("a burst comes apart on a shared interface as it is passed on", "[predict]") {
    auto profile = machine();
    profile.nic = Nic::sharing;
    const simulate::MeasuredMachine measured(profile, 1);
    const auto network = measured_network(profile, 1);
    for (const std::uint64_t ranks : {2U, 3U, 7U, 16U, 40U, 100U}) {
        for (const std::uint64_t size : {20000U, 100000U, 800000U}) {
            for (const char* const name : {"pipelined", "pipelined-split-binary"}) {
                INFO(name << ", " << ranks << " ranks, " << size);
                CHECK(find_algorithm("bcast", name)->seconds(network, ranks, size) ==
                      Approx(engine(measured, "bcast", name, ranks, size)).epsilon(0.22));
            }
        }
    }
}

TEST_CASE("closed forms with a radix end when the engine does, whatever it is", "[predict]") {
    for (const auto& profile : {machine(), waiting_machine()}) {
        const auto network = measured_network(profile, 1);
        const simulate::MeasuredMachine measured(profile, 1);
        const auto check = [&](const char* operation, const char* name, std::uint64_t ranks,
                               std::uint32_t radix, auto form) {
            for (const std::uint64_t size : {1U, 500U, 100000U}) {
                const auto made =
                    simulate::make_collective({.operation = operation,
                                               .algorithm = name,
                                               .ranks = static_cast<simulate::Rank>(ranks),
                                               .size = size,
                                               .radix = radix});
                const auto played = simulate::simulate(*made, measured).finish;
                INFO(operation << " " << name << ", " << ranks << " ranks, radix " << radix << ", "
                               << size);
                CHECK(form(network, ranks, size, radix, model::any_time) ==
                      Approx(static_cast<double>(played) * 1e-12).epsilon(1e-6));
            }
        };
        for (const std::uint32_t radix : {2U, 3U, 5U, 8U, 50U}) {
            for (const std::uint64_t ranks : {2U, 3U, 5U, 9U, 25U, 26U, 31U, 40U}) {
                check("bcast", "k-nomial", ranks, radix, model::bcast::k_nomial);
                check("reduce", "k-nomial", ranks, radix, model::reduce::k_nomial);
                check("scatter", "k-nomial", ranks, radix, model::scatter::k_nomial);
                check("gather", "k-nomial", ranks, radix, model::gather::k_nomial);
                const auto chains = [](const auto& form) {
                    return [form](const model::Network& on, std::uint64_t p, std::uint64_t m,
                                  std::uint64_t count, double) { return form(on, p, m, count); };
                };
                check("bcast", "chains", ranks, radix, chains(model::bcast::chains));
                check("reduce", "chains", ranks, radix, chains(model::reduce::chains));
            }
        }
    }
}

TEST_CASE("the schedule of a broadcast in groups takes what Cameron prints", "[predict]") {
    // Titan, strided: figure 4. The terms that LogGP has besides log_3P's three are 0 here.
    constexpr model::Log3PTerms message{.o_mw = 29e-6, .l_mw = 420e-6, .o_net = 131e-6};
    constexpr double half = (message.o_mw + message.l_mw) / 2;
    Profile profile;
    profile.loggp = {.L = message.o_net, .o_s = half, .o_r = half, .g = 0, .G = 0};
    const auto network = measured_network(profile, 1);
    for (const std::uint32_t ranks : {8U, 16U, 32U, 64U}) {
        for (std::uint32_t group = 1; group <= ranks; group *= 2) {
            const auto made = simulate::make_collective({.operation = "bcast",
                                                         .algorithm = "grouped",
                                                         .ranks = ranks,
                                                         .size = 16384,
                                                         .group = group});
            const auto played =
                simulate::simulate(*made, simulate::MeasuredMachine(profile, 1)).finish;
            const double printed = model::cameron2007::grouped(message, ranks, group);
            INFO(ranks << " ranks in groups of " << group);
            CHECK(static_cast<double>(played) * 1e-12 == Approx(printed));
            CHECK(model::bcast::grouped(network, ranks, 16384, group) == Approx(printed));
        }
    }
}

TEST_CASE("with several ranks a node closed forms are near the engine", "[predict]") {
    auto profile = machine();
    profile.pairs = test::full_profile().pairs;
    const auto network = measured_network(profile, 4);
    const simulate::MeasuredMachine measured(profile, 4);
    // Powers of two. Each factor is the largest deviation of these.
    for (const auto& operation : simulate::collective_operations()) {
        for (const auto& name : simulate::collective_algorithms(operation)) {
            for (const std::uint64_t ranks : {16U, 32U}) {
                const double expected = engine(measured, operation, name, ranks, 100000);
                const double seconds =
                    find_algorithm(operation, name)->seconds(network, ranks, 100000);
                INFO(operation << " " << name << ", " << ranks << " ranks");
                CHECK(seconds / expected < 2.2);
                CHECK(seconds / expected > 1 / 2.2);
            }
        }
    }
}

TEST_CASE("every algorithm knows its largest message and how many there are", "[predict]") {
    for (const auto& operation : simulate::collective_operations()) {
        for (const auto& name : simulate::collective_algorithms(operation)) {
            for (const std::uint64_t ranks : {8U, 11U}) {
                const std::uint64_t size = 50000;
                const auto collective =
                    simulate::make_collective({.operation = operation,
                                               .algorithm = name,
                                               .ranks = static_cast<simulate::Rank>(ranks),
                                               .size = size});
                std::uint64_t largest = 0;
                double messages = 0;
                for (simulate::Rank rank = 0; rank < ranks; ++rank)
                    for (std::uint32_t step = 0; step < collective->steps(rank); ++step)
                        for (std::uint32_t i = 0; i < collective->step(rank, step).sends; ++i) {
                            largest = std::max(largest, collective->send(rank, step, i).bytes);
                            ++messages;
                        }
                const Algorithm* const algorithm = find_algorithm(operation, name);
                INFO(operation << " " << name << ", " << ranks << " ranks");
                CHECK(algorithm->largest(ranks, size) >= largest);
                CHECK(algorithm->largest(ranks, size) <= 2 * largest);
                CHECK(algorithm->messages(ranks, size) >= messages);
                CHECK(algorithm->messages(ranks, size) <= 4 * messages + 4);
            }
        }
    }
}

TEST_CASE("a million processes cost nothing to predict, and grow as their algorithms do",
          "[predict]") {
    const auto network = measured_network(machine(), 1);
    constexpr std::uint64_t million = 1 << 20;
    const auto at = [&](const char* operation, const char* name, std::uint64_t ranks) {
        return find_algorithm(operation, name)->seconds(network, ranks, 8);
    };
    CHECK(at("barrier", "dissemination", million) ==
          Approx(2 * at("barrier", "dissemination", 1024)));
    CHECK(at("bcast", "binomial", million) == Approx(20 * at("bcast", "binomial", 2)));
    CHECK(at("bcast", "chain", million) == Approx((million - 1) * at("bcast", "chain", 2)));
    for (const auto& operation : simulate::collective_operations())
        for (const auto& name : simulate::collective_algorithms(operation))
            CHECK(at(operation.c_str(), name.c_str(), million - 3) > 0);
}

TEST_CASE("a result above the cutoff may be any number above it, any other is exact", "[predict]") {
    auto sharing = waiting_machine();
    sharing.nic = Nic::sharing;
    for (auto profile : {machine(), waiting_machine(), sharing}) {
        profile.pairs = test::full_profile().pairs;
        for (const std::uint64_t ranks_per_node : {1U, 4U}) {
            const auto network = measured_network(profile, ranks_per_node);
            for (const auto& operation : simulate::collective_operations()) {
                for (const auto& name : simulate::collective_algorithms(operation)) {
                    const Algorithm* const algorithm = find_algorithm(operation, name);
                    for (const std::uint64_t ranks : {2U, 3U, 8U, 13U, 100U, 511U, 1000U}) {
                        for (const std::uint64_t size : {1U, 500U, 100001U}) {
                            INFO(operation << " " << name << ", " << ranks << " ranks, " << size);
                            const double seconds = algorithm->seconds(network, ranks, size);
                            CHECK(algorithm->seconds(network, ranks, size, seconds) == seconds);
                            for (const double part : {0.3, 0.7, 0.999})
                                CHECK(algorithm->seconds(network, ranks, size, part * seconds) >
                                      part * seconds);
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("with one rank a node the distance between the ranks of a tree does not matter",
          "[predict]") {
    // Trees of neighbouring ranks have a shorter computation.
    const auto network = measured_network(waiting_machine(), 1);
    for (const std::uint64_t ranks : {1U, 2U, 3U, 8U, 13U, 100U, 511U, 1000U}) {
        const auto bytes = [&](std::uint64_t n) { return 1000003 * n / ranks; };
        INFO(ranks << " ranks");
        CHECK(model::down_binomial(network, ranks, bytes) ==
              Approx(model::down_binomial(network, ranks, bytes, 3)).epsilon(1e-12));
    }
}

TEST_CASE("shares are what a division says, in any order", "[predict]") {
    for (const std::uint64_t count : {1U, 2U, 7U, 1000U}) {
        for (const std::uint64_t size : {0U, 1U, 6U, 999U, 1000003U}) {
            model::Shares shares(size, count);
            for (const std::uint64_t parts : {1U, 2U, 4U, 8U, 16U, 3U, 6U, 1U, 512U, 1024U})
                CHECK(shares(parts) == model::share(size * parts, count));
        }
    }
}

TEST_CASE("an unknown algorithm has no closed form", "[predict]") {
    CHECK(find_algorithm("bcast", "bruck") == nullptr);
    CHECK(find_algorithm("cast", "binomial") == nullptr);
    CHECK(find_algorithm("send", "direct") != nullptr);
}
