#include "lapwing/replay/tolerance.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "lapwing/replay/program_tolerance.hpp"
#include "lapwing/replay/recorded_calls.hpp"
#include "replay/random_exchanges.hpp"
#include "replay/recorded_program.hpp"

using namespace lapwing;
using record::Kind;
using replay::Line;
using replay::Parameter;
using tests::RecordedProgram;

namespace {

/// T(x) of a program on that machine.
std::function<Line(double, bool)> time_of(const record::Recording& recording, Parameter parameter) {
    return [&recording, parameter](double more, bool steepest) {
        replay::RecordedCalls calls(recording);
        return replay::longest_path(calls, replay::LogGOPSPathCosts(tests::few_costs), {parameter},
                                    more, steepest);
    };
}

/// Rank 0 sends, and computes; rank 1 receives, and answers, `rounds` times.
RecordedProgram ping_pong(std::uint64_t computed, std::uint64_t bytes, int rounds) {
    RecordedProgram program(2);
    for (int i = 0; i < rounds; ++i) {
        const std::array<std::uint64_t, 1> request{0};
        program.add(0, {.kind = Kind::start_receive, .received = {1, 2, bytes}, .request = 0});
        program.add(0, {.kind = Kind::send, .sent = {1, 1, bytes}});
        program.add(0, {.kind = Kind::wait, .computed = computed, .requests = request});
        program.add(1, {.kind = Kind::receive, .received = {0, 1, bytes}});
        program.add(1, {.kind = Kind::send, .sent = {0, 2, bytes}});
    }
    for (std::size_t rank = 0; rank < 2; ++rank) program.add(rank, {.kind = Kind::finish});
    return program;
}

double at(const replay::Curve& curve, double x) {
    auto piece = curve.pieces.front();
    for (const auto& each : curve.pieces)
        if (each.from <= x) piece = each;
    return piece.time + piece.slope * (x - piece.from);
}

}  // namespace

TEST_CASE("tolerance: a message's time, and how often each parameter counts in it") {
    const auto recording = ping_pong(0, 101, 3).recording();
    const double once = 4 * 500 + 2 * 2000 + 2 * 100 * 2;
    for (const auto& [parameter, count] : {std::pair{Parameter::latency, 2.0},
                                           {Parameter::gap, 200.0},
                                           {Parameter::overhead, 4.0}}) {
        const Line line = time_of(recording, parameter)(0, true);
        CHECK(line.value == 3 * once);
        CHECK(line.slope == 3 * count);
        CHECK(time_of(recording, parameter)(10, true).value == 3 * (once + 10 * count));
    }
}

TEST_CASE("tolerance: latency that computation hides counts only beyond it") {
    // 500 to send, 20000 computed; the answer arrives 3 o + 2 L + … later, and costs 500.
    const auto recording = ping_pong(20000, 1, 1).recording();
    const auto time = time_of(recording, Parameter::latency);
    const replay::Curve curve = replay::trace_curve(time, 50000);
    REQUIRE(curve.pieces.size() == 2);
    CHECK(curve.pieces[0].time == 21000);
    CHECK(curve.pieces[0].slope == 0);
    // 2 (L + x) + 2 o = 20000
    CHECK(curve.pieces[1].from == 7500);
    CHECK(curve.pieces[1].time == 21000);
    CHECK(curve.pieces[1].slope == 2);
    CHECK(replay::tolerance(time, 0.05, 1e9) == Approx(7500 + 0.05 * 21000 / 2).epsilon(1e-12));
    CHECK(replay::tolerance(time, 0.05, 1000) == 1000);
}

TEST_CASE("tolerance: of a long message the parameter counts once it has met its receive") {
    RecordedProgram program(2);
    program.add(0, {.kind = Kind::send, .sent = {1, 0, 20001}});
    program.add(1, {.kind = Kind::receive, .computed = 9000, .received = {0, 0, 20001}});
    for (std::size_t rank = 0; rank < 2; ++rank) program.add(rank, {.kind = Kind::finish});
    const auto recording = program.recording();
    const Line line = time_of(recording, Parameter::overhead)(0, true);
    CHECK(line.value == 9000 + 2000 + 40000 + 500);
    CHECK(line.slope == 1);  // its sender's overhead is over before
    CHECK(time_of(recording, Parameter::overhead)(8500, true).slope == 2);
    CHECK(time_of(recording, Parameter::overhead)(8500, false).slope == 1);
}

TEST_CASE("tolerance: slopes are finite differences, and curves what evaluation says") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const auto recording = tests::random_exchanges(seed).recording();
        for (const auto parameter : {Parameter::latency, Parameter::gap, Parameter::overhead}) {
            INFO("seed " << seed << ", parameter " << static_cast<int>(parameter));
            const double end = parameter == Parameter::gap ? 3 : 30000;
            const auto time = time_of(recording, parameter);
            const replay::Curve curve = replay::trace_curve(time, end);
            for (std::size_t i = 1; i < curve.pieces.size(); ++i) {
                CHECK(curve.pieces[i].from > curve.pieces[i - 1].from);
                CHECK(curve.pieces[i].slope > curve.pieces[i - 1].slope);
            }
            for (int i = 0; i <= 50; ++i) {
                const double x = end * i / 50;
                CHECK(at(curve, x) == Approx(time(x, true).value).epsilon(1e-9));
            }
            const double step = 1e-3 * end;
            const Line here = time(0, true);
            const bool straight = curve.pieces.size() == 1 || curve.pieces[1].from > step;
            if (straight)
                CHECK((time(step, true).value - here.value) / step ==
                      Approx(here.slope).epsilon(1e-9).margin(1e-9));
            const double most = replay::tolerance(time, 0.05, 1e9);
            CHECK(time(most, true).value == Approx(1.05 * here.value).epsilon(1e-9));
        }
    }
}

TEST_CASE("tolerance: a program that cannot end has no longest path") {
    RecordedProgram program(2);
    program.add(1, {.kind = Kind::receive, .received = {0, 0, 1}});
    program.add(0, {.kind = Kind::finish});
    const auto recording = program.recording();
    CHECK_THROWS_AS(time_of(recording, Parameter::latency)(0, true), simulate::Deadlock);
}

TEST_CASE("tolerance: of a program all at once") {
    const auto recording = ping_pong(20000, 1, 1).recording();
    const replay::LogGOPSPathCosts costs(tests::few_costs);
    const auto found =
        replay::program_tolerance(recording, costs, {}, {Parameter::latency}, {0.01, 0.05});
    REQUIRE(found.zones.size() == 2);
    CHECK(found.zones[0] == Approx(7500 + 0.01 * 21000 / 2));
    CHECK(found.zones[1] == Approx(7500 + 0.05 * 21000 / 2));
    CHECK(found.curve.pieces.size() == 2);
    CHECK(found.curve.end == Approx(7500 + 21000.0 / 2));
    const auto bytes = replay::program_tolerance(recording, costs, {}, {Parameter::gap}, {0.01});
    CHECK(std::isinf(bytes.zones[0]));  // messages of one byte
}
