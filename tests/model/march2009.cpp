#include "lapwing/model/march2009.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

namespace march = lapwing::model::march2009;
using lapwing::LogGP;

namespace {

/// Ranger's published parameters, figure 4, us.
constexpr LogGP blocking{.L = 1.95, .o_s = 0.65, .o_r = 0.65, .g = 0.65, .G = 0.001};
constexpr LogGP non_blocking{.L = 1.75, .o_s = 0.85, .o_r = 0.85, .g = 0.85, .G = 0.001};
constexpr double delta = 0.125e-3;
constexpr double MB = 1048576;

}  // namespace

TEST_CASE("Ranger's predictions by the printed formulas", "[model][march]") {
    // By hand from table 4. Up to 8 bytes G is 0.
    CHECK(march::point_to_point(blocking, 8) == Approx(3.25));
    CHECK(march::point_to_point(non_blocking, 8) == Approx(3.45));
    CHECK(march::point_to_point(blocking, 1001) == Approx(4.25));
    CHECK(march::barrier(blocking, 256) == Approx(26));  // 8 (1.95 + 0.65 + 0.65)
    CHECK(march::barrier(blocking, 200) == Approx(26));
    CHECK(march::bcast_binomial(blocking, 256, 2) == Approx(26));
    // 8 (0.65 + 0.032 + 2.6) + 0.064
    CHECK(march::alltoall_bruck(blocking, delta, 256, 2) == Approx(26.32));
    CHECK(march::alltoall_linear(blocking, 256, 2) == Approx(3.25));
    CHECK(march::alltoall_pairwise(blocking, 256, MB) == Approx(255 * (3.25 + 1048.575)));
    // 263 x 3.25 + 2 x 255 / 256 x 1048.576
    CHECK(march::bcast_scatter_ring(blocking, 256, MB) == Approx(2943.71));
    CHECK(march::bcast_scatter_recursive_doubling(blocking, 256, MB) == Approx(2140.96));
}

TEST_CASE("the printed linear all-to-all leaves out bytes, the corrected one does not",
          "[model][march]") {
    // A simulated flat cluster takes 45 us: L 5, o 1.5, 16 ranks, 8 bytes.
    const LogGP cluster{.L = 5, .o_s = 1.5, .o_r = 1.5, .g = 0, .G = 1. / 750};
    CHECK(march::alltoall_linear_corrected(cluster, 16, 8) == Approx(45).epsilon(0.12));
    CHECK(march::alltoall_linear(cluster, 16, 8) == Approx(8));
    for (const double m : {1., 4096., MB}) {
        CHECK(march::alltoall_linear_corrected(blocking, 2, m) ==
              Approx(lapwing::model::loggp(blocking, m)));
    }
    CHECK(march::alltoall_linear(blocking, 256, MB) <
          march::alltoall_linear_corrected(blocking, 256, MB) / 200);
}

TEST_CASE("the formulas grow as March says", "[model][march]") {
    namespace complexity = march::complexity;
    LogGP no_bytes = blocking;
    no_bytes.G = 0;
    using Formula = std::function<double(double P, double m)>;
    // Over its growth a formula stays between two constants: from 2^10 to 2^20 ranks it changes by
    // less than a fifth, where one order more or less would change it by far more.
    const auto grows = [](const Formula& time, const Formula& growth, double m) {
        const auto ratio = [&](double P) { return time(P, m) / growth(P, m); };
        CHECK(ratio(1 << 20) / ratio(1 << 10) == Approx(1).epsilon(0.2));
    };
    const auto small = [&](const Formula& time, double (*growth)(double)) {
        grows(
            time, [=](double P, double) { return growth(P); }, 1);
    };
    const auto& p = no_bytes;
    small([&](double P, double) { return march::barrier(p, P); }, complexity::logarithmic);
    small([&](double P, double m) { return march::alltoall_bruck(p, 0, P, m); },
          complexity::logarithmic);
    small([&](double P, double m) { return march::alltoall_linear(p, P, m); },
          complexity::constant);
    small([&](double P, double m) { return march::alltoall_linear_corrected(p, P, m); },
          complexity::linear);
    small([&](double P, double m) { return march::alltoall_pairwise(p, P, m); },
          complexity::linear);
    small([&](double P, double m) { return march::bcast_binomial(p, P, m); },
          complexity::logarithmic);
    small([&](double P, double m) { return march::bcast_scatter_ring(p, P, m); },
          complexity::linear);
    small([&](double P, double m) { return march::bcast_scatter_recursive_doubling(p, P, m); },
          complexity::logarithmic);

    const auto& q = blocking;
    const double large = 1e12;
    grows([&](double P, double m) { return march::alltoall_bruck(q, delta, P, m); },
          complexity::alltoall_bruck, large);
    grows([&](double P, double m) { return march::alltoall_linear(q, P, m); },
          complexity::alltoall_linear, large);
    grows([&](double P, double m) { return march::alltoall_pairwise(q, P, m); },
          complexity::alltoall_pairwise, large);
    grows([&](double P, double m) { return march::alltoall_linear_corrected(q, P, m); },
          complexity::alltoall_pairwise, large);
    grows([&](double P, double m) { return march::bcast_binomial(q, P, m); },
          complexity::bcast_binomial, large);
    grows([&](double P, double m) { return march::bcast_scatter_ring(q, P, m); },
          complexity::bcast_scatter_ring, large);
    grows([&](double P, double m) { return march::bcast_scatter_recursive_doubling(q, P, m); },
          complexity::bcast_scatter_recursive_doubling, large);
}
