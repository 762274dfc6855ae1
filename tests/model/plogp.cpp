#include "lapwing/model/plogp.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "lapwing/model/point_to_point.hpp"
#include "support/random.hpp"

using lapwing::LogGP;
using lapwing::PLogP;
using lapwing::model::Conversion;

namespace {

/// Parameters of a machine whose gap is `gap + per_byte m`, in microseconds.
PLogP machine(double L, double send, double receive, double gap, double per_byte) {
    PLogP p;
    p.L = L;
    for (const std::uint64_t size : {1, 8, 1024, 65536}) {
        const auto m = static_cast<double>(size);
        p.sizes.push_back(size);
        p.send.push_back(send + 0.1 * per_byte * (m - 1));
        p.receive.push_back(receive + 0.2 * per_byte * (m - 1));
        p.gap.push_back(gap + per_byte * (m - 1));
    }
    return p;
}

}  // namespace

TEST_CASE("pLogP by hand", "[model]") {
    const PLogP p = machine(4, 1, 2, 2.5, 0.5);
    CHECK(lapwing::model::plogp(p, 1) == Approx(6.5));                 // 4 + 2.5
    CHECK(lapwing::model::plogp(p, 1024) == Approx(4 + 2.5 + 511.5));  // measured
    CHECK(lapwing::model::plogp(p, 100) == Approx(4 + 2.5 + 49.5));    // between two
    CHECK(lapwing::model::gap_per_byte(p, 1024) == Approx(514.0 / 1024));
    // Beyond the table, twice the bytes take twice as long.
    CHECK(lapwing::model::gap(p, 131072) == Approx(2 * p.gap.back()));
    CHECK(lapwing::model::gap(PLogP{}, 8) == 0);
    CHECK(lapwing::model::plogp(PLogP{}, 8) == 0);
}

TEST_CASE("the conversion is exact at one byte", "[model]") {
    lapwing::test::Random random(17);
    for (int trial = 0; trial < 100; ++trial) {
        const PLogP p =
            machine(random.uniform(1, 20), random.uniform(0.1, 2), random.uniform(0.1, 2),
                    random.uniform(0.1, 5), random.uniform(1e-4, 1e-2));
        const LogGP converted = lapwing::model::loggp(p);
        // Half a round trip of one byte, as one model and the other have it.
        CHECK(lapwing::model::logp(converted) == Approx(p.L + p.gap[0]));
        CHECK(lapwing::model::loggp(converted, 1) == Approx(lapwing::model::plogp(p, 1)));
        // March's o.
        CHECK((converted.o_s + converted.o_r) / 2 == Approx((p.send[0] + p.receive[0]) / 2));
        CHECK(converted.g == p.gap[0]);
        for (const double m : {2.0, 8.0, 500.0, 1024.0, 65536.0, 1e6}) {
            LogGP at = converted;
            at.G = lapwing::model::gap_per_byte(p, m);
            const double excess = lapwing::model::loggp(at, m) - lapwing::model::plogp(p, m);
            CHECK(excess == Approx(p.gap[0] - lapwing::model::gap(p, m) / m).margin(1e-9));
        }
    }
}

TEST_CASE("a LogGP machine is found again through pLogP", "[model]") {
    // What LogMPI would see of it: a round trip of one byte is 2 (o_s + L + o_r), a train of
    // messages goes at the pace of the slowest of sender, receiver and wire.
    const LogGP truth{.L = 5, .o_s = 1.5, .o_r = 0.7, .g = 1.5, .G = 0.00133};
    PLogP p;
    for (const std::uint64_t size : {1, 1024, 1048576}) {
        p.sizes.push_back(size);
        p.send.push_back(truth.o_s);
        p.receive.push_back(truth.o_r);
        p.gap.push_back(std::max(truth.g, truth.G * static_cast<double>(size)));
    }
    p.L = truth.o_s + truth.L + truth.o_r - p.gap[0];
    const LogGP found = lapwing::model::loggp(p);
    CHECK(found.L == Approx(truth.L));
    CHECK(found.o_s == truth.o_s);
    CHECK(found.o_r == truth.o_r);
    CHECK(found.g == truth.g);
    CHECK(found.G == Approx(truth.G));
}

TEST_CASE("Ranger's published latency carries the printed sign", "[model]") {
    // March 2009, figure 4, us: L 1.95, o and g 0.65 blocking; 1.75 and 0.85 non-blocking. With the
    // printed sign a send and a receipt of equal length cancel: L = L' + g.
    struct Published {
        double L, o;
    };
    for (const auto& [L, o] : {Published{1.95, 0.65}, Published{1.75, 0.85}}) {
        PLogP p{.L = L - o, .sizes = {1}, .send = {o}, .receive = {o}, .gap = {o}};
        CHECK(lapwing::model::loggp(p, Conversion::printed).L == Approx(L));
        // Against half the round trip it is too long by both overheads.
        const double half = lapwing::model::plogp(p, 1);
        CHECK(lapwing::model::logp(lapwing::model::loggp(p, Conversion::printed)) ==
              Approx(half + 2 * o));
        CHECK(lapwing::model::logp(lapwing::model::loggp(p)) == Approx(half));
    }
}
