#include "lapwing/model/contention.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using lapwing::LogGP;
using lapwing::model::Contention;
using lapwing::model::End;
using lapwing::model::queueing;

namespace {

constexpr LogGP ranger{.L = 1.95e-6, .o_s = 0.6e-6, .o_r = 0.7e-6, .g = 0.65e-6, .G = 1e-9};

/// The wait in a closed network of one queue, by exact mean-value analysis: with exponential times
/// an arriving customer sees what there is with one customer less.
double exact(int processes, double service, double elsewhere) {
    double queue = 0;
    double residence = service;
    for (int n = 1; n <= processes; ++n) {
        residence = service * (1 + queue);
        queue = n * residence / (elsewhere + residence);
    }
    return residence - service;
}

}  // namespace

TEST_CASE("nobody waits alone", "[model]") {
    CHECK(queueing({.processes = 1}, 1, 3) == Approx(0).margin(1e-12));
    CHECK(lapwing::model::lopc(ranger, {.processes = 1}) == Approx(lapwing::model::logp(ranger)));
    CHECK(lapwing::model::logpc(ranger, 4096, {.processes = 1}) ==
          Approx(lapwing::model::loggp(ranger, 4096)));
}

TEST_CASE("those who do nothing but queue wait for all others", "[model]") {
    for (const double n : {2., 5., 100.})
        CHECK(queueing({.processes = n, .variation = 1}, 2, 0) == Approx(2 * (n - 1)));
}

TEST_CASE("the wait is near that of exact mean-value analysis", "[model]") {
    // Bard's approximation lets an arriving message see its own share of the queue.
    for (const int processes : {2, 8, 64})
        for (const double elsewhere : {1., 10., 1000.})
            CHECK(queueing({.processes = static_cast<double>(processes), .variation = 1}, 1,
                           elsewhere) ==
                  Approx(exact(processes, 1, elsewhere)).epsilon(0.25).margin(0.02));
}

TEST_CASE("more processes wait longer; more end points, computation and regularity less",
          "[model]") {
    const Contention base{.processes = 16, .end_points = 4, .computation = 5e-6, .variation = 1};
    const auto with = [&](auto change) {
        Contention c = base;
        change(c);
        return lapwing::model::lopc(ranger, c);
    };
    const double now = lapwing::model::lopc(ranger, base);
    CHECK(with([](auto& c) { c.processes = 32; }) > now);
    CHECK(with([](auto& c) { c.end_points = 8; }) < now);
    CHECK(with([](auto& c) { c.computation = 50e-6; }) < now);
    CHECK(with([](auto& c) { c.variation = 0; }) < now);
    // A get waits at its source, whose overhead is the smaller one here.
    CHECK(lapwing::model::lopc(ranger, base, End::source) < now);
    CHECK(lapwing::model::logpc(ranger, 4096, base) >
          lapwing::model::loggp(ranger, 4096) + now - lapwing::model::logp(ranger));
}
