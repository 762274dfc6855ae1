#include "lapwing/fft/simulated/schedule_writer.hpp"

#include <catch2/catch.hpp>

#include "fft/transform_machine.hpp"
#include "lapwing/fft/forecast.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/simulate.hpp"

using namespace lapwing::fft;
using namespace lapwing::test::transforms;
using lapwing::Profile;

TEST_CASE("Two ranks represent all if links are shared and all ranks do the same") {
    Profile profile = machine();
    profile.nic = lapwing::Nic::sharing;
    profile.operations = put_costs();
    const Rates rates{.fft = flops, .copy = copied, .put_completion = {}};
    const auto seconds = [&](const TransformProblem& problem, const Options& options,
                             RankSet ranks) {
        const lapwing::simulate::MeasuredMachine costs(profile, 1);
        const lapwing::simulate::MeasuredMachine machine(
            profile, {.topology = {}, .stride = {}, .charge_receive_overhead = false});
        const auto played = lapwing::simulate::simulate(
            write_schedule(problem, options, rates, costs, ranks).graph, machine);
        return static_cast<double>(played.finish) * 1e-12;
    };
    const TransformProblem problem{.size = {16, 32, 24}, .ranks = 8};
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::pencils,
                                Schedule::strips, Schedule::tails})
        for (const auto transport : {Transport::two_sided, Transport::rma})
            for (const bool natural : {false, true}) {
                Options options = way(schedule, transport);
                if (!fits(schedule, transport)) continue;
                if (natural) {
                    options.order = Order::natural;
                    options.decomposition = Decomposition::grid;
                    options.batch = 2;
                }
                REQUIRE(is_homogeneous(problem, options));
                CHECK(seconds(problem, options, RankSet::representative_pair) ==
                      Approx(seconds(problem, options, RankSet::all)).epsilon(1e-6));
                if (transport != Transport::rma)
                    CHECK(forecast(profile, problem, options).seconds ==
                          Approx(seconds(problem, options, RankSet::all)).epsilon(1e-6));
            }
    CHECK_FALSE(is_homogeneous({.size = {16, 33, 24}, .ranks = 8}, {}));
    for (const auto schedule : {Schedule::exchange, Schedule::tiled})
        CHECK_FALSE(is_homogeneous(problem, way(schedule, Transport::collective)));
}
