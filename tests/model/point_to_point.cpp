#include "lapwing/model/point_to_point.hpp"

#include <catch2/catch.hpp>

using lapwing::LogGP;

TEST_CASE("LogP and LogGP by hand", "[model]") {
    // Titan, us: o = 5.9 on both sides, L = 13.62, G = 0.00448.
    constexpr LogGP titan{.L = 13.62, .o_s = 5.9, .o_r = 5.9, .g = 14.6, .G = 0.00448};
    CHECK(lapwing::model::logp(titan) == Approx(25.42));  // 5.9 + 13.62 + 5.9
    CHECK(lapwing::model::loggp(titan, 1) == Approx(25.42));
    // 25.42 + 16383 x 0.00448 = 25.42 + 73.39584
    CHECK(lapwing::model::loggp(titan, 16384) == Approx(98.81584));
    constexpr LogGP lopsided{.L = 4, .o_s = 1, .o_r = 2, .g = 0, .G = 0.5};
    CHECK(lapwing::model::logp(lopsided) == 7);
    CHECK(lapwing::model::loggp(lopsided, 9) == 11);  // 7 + 8 x 0.5
}
