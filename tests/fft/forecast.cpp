#include "lapwing/fft/forecast.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "fft/transform_machine.hpp"
#include "support/machine.hpp"

using namespace lapwing::fft;
using namespace lapwing::test::transforms;
using lapwing::Profile;

TEST_CASE("A transform on one rank takes its lines and the copies of what stays") {
    const TransformProblem problem{.size = {8, 16, 32}};
    const double lines = 8 * 32 * line(16) + 8 * 16 * line(32) + 16 * 32 * line(8);
    const double bytes = 8 * 16 * 32 * 16;
    const Forecast slabs = forecast(machine(), problem, way(Schedule::slabs, Transport::two_sided));
    CHECK(slabs.lines == Approx(lines));
    CHECK(slabs.seconds == Approx(lines + bytes / copied).margin(1e-6));
    const Forecast exchange =
        forecast(machine(), problem, way(Schedule::exchange, Transport::two_sided));
    CHECK(exchange.seconds == Approx(lines + 2 * bytes / copied).margin(1e-6));
}

TEST_CASE("Real rows take half the time, and what follows is half as wide") {
    const TransformProblem problem{.size = {8, 16, 32}, .real = true};
    const double lines = 8 * 16 * line(32) / 2 + 8 * 17 * line(16) + 16 * 17 * line(8);
    const Forecast slabs = forecast(machine(), problem, way(Schedule::slabs, Transport::two_sided));
    CHECK(slabs.lines == Approx(lines));
    CHECK(slabs.seconds == Approx(lines + 8 * 16 * 17 * 16 / copied).margin(1e-6));
}

TEST_CASE("A grid gives work to more ranks than planes, and costs fewer ranks another exchange") {
    Options options = way(Schedule::slabs, Transport::two_sided);
    const auto seconds = [&](const TransformProblem& problem, Decomposition decomposition) {
        options.decomposition = decomposition;
        return forecast(machine(), problem, options).seconds;
    };
    const TransformProblem few{.size = {2, 64, 64}, .ranks = 8};
    CHECK(seconds(few, Decomposition::grid) < seconds(few, Decomposition::planes));
    CHECK(seconds(few, Decomposition::automatic) == seconds(few, Decomposition::grid));
    const TransformProblem many{.size = {64, 64, 64}, .ranks = 8};
    options.grid = {4, 2};
    const double in_grid = seconds(many, Decomposition::grid);
    options.grid = {};
    CHECK(in_grid > seconds(many, Decomposition::planes));
    CHECK(seconds(many, Decomposition::automatic) == seconds(many, Decomposition::planes));
}

TEST_CASE("Of a batch, the next array is transformed while one is sent") {
    const TransformProblem problem{.size = {32, 32, 64}, .ranks = 4};
    Profile profile = machine();
    profile.loggp.G *= 3;
    for (const auto schedule : {Schedule::exchange, Schedule::slabs}) {
        Options options = way(schedule, Transport::two_sided);
        const Forecast one = forecast(profile, problem, options);
        options.batch = 4;
        const Forecast all = forecast(profile, problem, options);
        CHECK(all.lines == Approx(4 * one.lines));
        // Exchanges overlap nothing but their waiting for each other.
        CHECK((all.seconds > 3.6 * one.seconds) == (schedule == Schedule::exchange));
    }
}

TEST_CASE("The packing is chosen by log_3P if it was measured") {
    // Planes of 64 KB, 2 MB on a rank: more than the largest measured size, which fits the caches.
    const TransformProblem problem{.size = {64, 64, 64}, .ranks = 2};
    const Options options = way(Schedule::exchange, Transport::collective);
    Profile profile = machine();
    CHECK(packings(profile, problem, options).size() == 1);
    Options derived = options;
    derived.packing = Packing::derived;
    CHECK_THROWS_WITH(forecast(profile, problem, derived), Catch::Contains("log3p"));
    CHECK(packing_by_loggp(profile, problem, options) == Packing::copy);
    lapwing::Log3P table;
    table.sizes = {1024, 1 << 20};
    table.strides = {16};
    table.element = 8;
    table.T_mem = {1024 / copied, (1 << 20) / copied};
    table.o_mw = {1e-6, 100e-6};
    table.o_net = {5e-6, 1400e-6};
    table.peer = {6e-6, 1500e-6};
    table.l_mw = table.packing = {{0}, {0}};
    table.remote = table.packed = {{6e-6}, {1500e-6}};
    const auto fastest = [&] {
        profile.log3p = table;
        const auto all = packings(profile, problem, options);
        REQUIRE(all.size() == 3);
        for (const Forecast& each : all)
            CHECK(forecast(profile, problem, each.options).seconds == each.seconds);
        CHECK(packing_by_loggp(profile, problem, options) == Packing::derived);
        return all.front().options;
    };
    CHECK(fastest().packing == Packing::derived);
    table.remote = {{9e-6}, {4000e-6}};  // gathering takes longer than a copy
    CHECK(fastest().packing == Packing::copy);
    for (double& seconds : table.T_mem) seconds /= 4;
    CHECK(fastest().packing == Packing::blocked);
    CHECK(fastest().block == 1);    // larger ones save nothing
    CHECK(fastest().padding == 4);  // planes would begin at the same place of a page
}

TEST_CASE("The blocking exchange takes the sum of its parts") {
    const TransformProblem problem{.size = {16, 16, 64}, .ranks = 2};
    const Profile profile = machine();
    const double lines = 8 * 64 * line(16) + 8 * 16 * line(64) + 8 * 64 * line(16);
    const double mine = 8 * 16 * 64 * 16;
    const double message = profile.loggp.o_s + profile.loggp.L + profile.loggp.G * mine / 2;
    // Packing, and the part that stays on its rank while the message travels; the receive overhead
    // follows.
    const double stays = mine / 2 / copied;
    const Forecast made = forecast(profile, problem, way(Schedule::exchange, Transport::two_sided));
    CHECK(made.seconds == Approx(lines + mine / copied +
                                 std::max(message, profile.loggp.o_s + stays) + profile.loggp.o_r)
                              .epsilon(1e-3));
}

TEST_CASE("Messages that are sent while lines are transformed cost little time") {
    const TransformProblem problem{.size = {64, 64, 64}, .ranks = 4};
    const auto beyond = [&](Schedule schedule, Transport transport) {
        const Forecast made = forecast(machine(), problem, way(schedule, transport));
        return made.seconds - made.lines;
    };
    const double blocking = beyond(Schedule::exchange, Transport::two_sided);
    CHECK(beyond(Schedule::slabs, Transport::two_sided) < 0.3 * blocking);
    CHECK(beyond(Schedule::tiled, Transport::collective) < 0.5 * blocking);
    // A row is a kilobyte: 1,024 messages from a rank, three microseconds each.
    CHECK(beyond(Schedule::pencils, Transport::two_sided) >
          beyond(Schedule::slabs, Transport::two_sided));
    Options natural = way(Schedule::slabs, Transport::two_sided);
    const double transposed = forecast(machine(), problem, natural).seconds;
    natural.order = Order::natural;
    CHECK(forecast(machine(), problem, natural).seconds > transposed);
}

TEST_CASE("If communication takes longer than lines, strips hide the last lines too") {
    const TransformProblem problem{.size = {64, 64, 64}, .ranks = 2};
    Profile profile = machine();
    profile.loggp.G *= 8;
    const double wire = 64. * 64 * 64 * 16 / 4 * profile.loggp.G;
    const auto beyond = [&](Schedule schedule) {
        Options options = way(schedule, Transport::two_sided);
        options.strips = 4;
        return forecast(profile, problem, options).seconds - wire;
    };
    // Slabs cannot hide a third of the lines, those along the first axis.
    const double third = 32 * 64 * line(64);
    CHECK(beyond(Schedule::slabs) > third);
    CHECK(beyond(Schedule::strips) < 0.5 * beyond(Schedule::slabs));
}

TEST_CASE("If a plane is whole at once, tails hide the messages of the last one") {
    // Rows of real numbers come first, and all columns are transformed together.
    const TransformProblem problem{.size = {64, 128, 128}, .ranks = 8, .real = true};
    Profile profile = machine();
    profile.loggp.o_s = profile.loggp.o_r = 0.5e-6;
    const Forecast slabs = forecast(profile, problem, way(Schedule::slabs, Transport::two_sided));
    const Forecast tails = forecast(profile, problem, way(Schedule::tails, Transport::two_sided));
    CHECK(tails.lines == Approx(slabs.lines));
    // Three of its four parts, less the costs of three more messages to each rank.
    const double last = 7. / 8 * 128 * 65 * 16 * profile.loggp.G;
    CHECK(slabs.seconds - tails.seconds == Approx(0.75 * last - 7 * 3 * 1e-6).epsilon(0.1));
}

TEST_CASE("Forecasts that were estimated for equal ranks are evaluated exactly in the end") {
    Profile profile = machine();
    profile.nic = lapwing::Nic::sharing;
    profile.loggp.G *= 4;
    // Slightly unequal shares, and shares so unequal that nothing is estimated.
    for (const TransformProblem& problem : {TransformProblem{.size = {30, 31, 24}, .ranks = 8},
                                            TransformProblem{.size = {9, 17, 24}, .ranks = 8}}) {
        const auto all = forecasts(profile, problem);
        REQUIRE(all.size() == 7);
        CHECK(forecast(profile, problem, all[0].options).seconds == all[0].seconds);
        for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::strips})
            CHECK(all[0].seconds <=
                  1.02 * forecast(profile, problem, way(schedule, Transport::two_sided)).seconds);
    }
}

TEST_CASE("Ranks without planes do not keep others from putting") {
    const TransformProblem problem{.size = {2, 8, 8}, .ranks = 3};
    Profile profile = machine();
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::tails}) {
        Options options = way(schedule, Transport::rma);
        options.batch = 3;
        profile.operations = put_costs();
        const double alone = forecast(profile, problem, options).seconds;
        // Three arrays with a put or two each, which a flush completes.
        profile.operations = put_costs(11.5e-6);
        CHECK(forecast(profile, problem, options).seconds > alone + 3 * 10e-6);
    }
}

TEST_CASE("Only strips have a window by default, to each of the other ranks") {
    const TransformProblem problem{.size = {64, 64, 64}, .ranks = 4};
    Options strips = way(Schedule::strips, Transport::two_sided);
    CHECK(window_of(strips, 1) > 0);
    const std::size_t window = window_of(strips, problem.ranks);
    CHECK(window == 3 * window_of(strips, 2));
    const double usual = forecast(machine(), problem, strips).seconds;
    strips.window = static_cast<int>(window);
    CHECK(forecast(machine(), problem, strips).seconds == usual);
    CHECK(window_of(strips, 2) == window);
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    CHECK(window_of(way(Schedule::strips, Transport::rma), problem.ranks) == most);
    CHECK(window_of(way(Schedule::slabs, Transport::two_sided), problem.ranks) == most);
    CHECK(window_of(way(Schedule::tiled, Transport::collective), problem.ranks) == 2);
}

TEST_CASE("The first of all forecasts is the fastest there is") {
    Profile profile = machine();
    profile.operations = put_costs();
    // Few ranks and many planes; odd lengths; and a problem that is nearly all communication.
    for (const TransformProblem& problem : {TransformProblem{.size = {32, 32, 64}, .ranks = 4},
                                            TransformProblem{.size = {6, 15, 35}, .ranks = 7},
                                            TransformProblem{.size = {64, 64, 16}, .ranks = 3}}) {
        const auto all = forecasts(profile, problem);
        REQUIRE(all.size() == 12);
        // Puts are an exception: they must save more than a little.
        std::vector<double> seconds;
        for (const Forecast& each : all)
            if (each.options.transport != Transport::rma) seconds.push_back(each.seconds);
        CHECK(std::is_sorted(seconds.begin(), seconds.end()));
        for (const Forecast& each : all) {
            CHECK(each.seconds >= each.lines);
            CHECK(forecast(profile, problem, each.options).seconds == each.seconds);
        }
        for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::pencils})
            CHECK(all[0].seconds <=
                  forecast(profile, problem, way(schedule, Transport::two_sided)).seconds);
        Options tiled = way(Schedule::tiled, Transport::collective);
        for (tiled.tile = 1; tiled.tile <= 32; tiled.tile *= 4)
            CHECK(all[0].seconds <= 1.002 * forecast(profile, problem, tiled).seconds);
    }
}

TEST_CASE("Forecasts refuse what cannot be predicted") {
    const TransformProblem problem{.size = {8, 8, 8}, .ranks = 2};
    const auto slabs = way(Schedule::slabs, Transport::two_sided);
    CHECK_THROWS_WITH(forecast(lapwing::test::infiniband(), problem, slabs),
                      Catch::Contains("\"fft\"") && Catch::Contains("lapwing calibrate"));
    CHECK_THROWS_WITH(forecast(machine(), problem, way(Schedule::slabs, Transport::rma)),
                      Catch::Contains("what puts cost"));
    CHECK_THROWS_WITH(forecast(machine(), problem, way(Schedule::slabs, Transport::collective)),
                      Catch::Contains("has no use for"));
    Options typed = way(Schedule::exchange, Transport::collective);
    typed.packing = Packing::derived;
    CHECK_THROWS_WITH(forecast(machine(), problem, typed), Catch::Contains("log3p"));
    CHECK_THROWS_WITH(
        forecasts(machine(), problem, {.decomposition = Decomposition::grid, .grid = {3, 1}}),
        Catch::Contains("a grid of 3x1"));
    CHECK_THROWS_AS(forecast(machine(), {.size = {8, 0, 8}}, slabs), std::invalid_argument);
    CHECK_THROWS_AS(forecast(machine(), {.size = {8, 8, 8}, .ranks = 0}, slabs),
                    std::invalid_argument);
    CHECK_THROWS_WITH(forecast(machine(), {.size = {4096, 4096, 8}, .ranks = 2},
                               way(Schedule::pencils, Transport::two_sided)),
                      Catch::Contains("more messages"));
}

TEST_CASE("If messages steal time of the processor from computation, an exchange may be fastest") {
    const TransformProblem problem{.size = {64, 64, 64}, .ranks = 2};
    Profile free = machine();
    Profile busy = free;
    busy.progress.O_both = busy.loggp.G;
    const auto seconds = [&](const Profile& profile, Schedule schedule) {
        return forecast(profile, problem, way(schedule, Transport::two_sided)).seconds;
    };
    CHECK(seconds(busy, Schedule::exchange) == seconds(free, Schedule::exchange));
    const double lines = 3 * 64 * 32 * line(64);
    const double bytes = 64 * 64 * 32 * 16 / 2;
    const double longer = seconds(busy, Schedule::slabs) - seconds(free, Schedule::slabs);
    CHECK(longer > 0);
    CHECK(longer < 1.2 * bytes * busy.loggp.G);
    // The wire is busy for less time than the lines take, so that what it steals from them adds up.
    REQUIRE(bytes * busy.loggp.G < lines);
    CHECK(longer > 0.8 * bytes * busy.loggp.G);
    CHECK(forecasts(free, problem, {}).front().options.schedule != Schedule::exchange);
}
