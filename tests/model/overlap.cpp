#include "lapwing/model/overlap.hpp"

#include <catch2/catch.hpp>

using namespace lapwing::model;

namespace {

// 1024 bytes in 8 messages of 128, in 4 bursts of 2. A message is 4 s on the wire (128/32).
// All of it as one message would be 24 s (1024 x 3/128). Computation 16 s, 2 s a message.
constexpr Overlap balanced{.V = 1024,
                           .S = 128,
                           .b = 2,
                           .t_V = 16,
                           .o = 0.125,
                           .L = 0.5,
                           .G_S = 1.0 / 32,
                           .G_V = 3.0 / 128};

constexpr Overlap with(Overlap x, double Overlap::*field, double value) {
    x.*field = value;
    return x;
}

// 48 s of computation, 6 s a message: more than the 24 s of communication.
constexpr Overlap computing = with(balanced, &Overlap::t_V, 48);

}  // namespace

TEST_CASE("messages, bursts and computation of a message", "[model]") {
    CHECK(balanced.N() == 8);
    CHECK(balanced.n_b() == 4);
    CHECK(balanced.t_S() == 2);
    CHECK(computing.t_S() == 6);
}

TEST_CASE("communication bound means more wire than computation", "[model]") {
    CHECK(balanced.communication_bound());
    CHECK_FALSE(computing.communication_bound());
    CHECK_FALSE(with(balanced, &Overlap::t_V, 24).communication_bound());  // 24 > 24 is false
}

TEST_CASE("equations 1, 4, 5, 6 and 7 by hand", "[model]") {
    // (o+L) n_b + N G_S S + n_b t_S = 0.625 x 4 + 8 x 4 + 4 x 2 = 2.5 + 32 + 8
    CHECK(equation_1(balanced) == 42.5);
    // o + L + N G_S S + t_S = 0.625 + 32 + 2
    CHECK(equation_4(balanced) == 34.625);
    // (o+L) n_b t_V/(G_V V) + N G_S S + t_S = 0.625 x 4 x 16/24 + 32 + 2 = 1.6667 + 34
    CHECK(equation_5(balanced) == Approx(35.0 + 2.0 / 3));
    // (o+L+G_S S + b t_S) n_b = (0.125 + 0.5 + 4 + 2 x 6) x 4 = 16.625 x 4
    CHECK(equation_6(computing) == 66.5);
    // (o+L+G_S S) + b t_S n_b + o b (n_b - 2) = 4.625 + 2 x 6 x 4 + 0.125 x 2 x 2
    CHECK(equation_7(computing) == 53.125);
}

TEST_CASE("equations against each other", "[model]") {
    // With one burst template E has nothing to pipeline: 7 is 6 less two bursts of overhead.
    const Overlap one = with(computing, &Overlap::b, 8);
    CHECK(equation_7(one) == equation_6(one) - one.o * one.b);
    // Balanced computation and communication: equation 5 counts every burst's start.
    const Overlap even = with(balanced, &Overlap::t_V, 24);
    CHECK(equation_5(even) == 0.625 * 4 + 32 + 3);
}

TEST_CASE("constraints 2, 3, 8 and the outstanding volume, at their edges", "[model]") {
    // G_V V - t_V > N o: 24 - 16 = 8 against 8 x 0.125 = 1, and against 8 x 1 = 8.
    CHECK(constraint_2(balanced));
    CHECK_FALSE(constraint_2(with(balanced, &Overlap::o, 1)));
    CHECK_FALSE(constraint_2(computing));
    // L + G_S S > (b-1) o: 4.5 against 35 x 0.125 = 4.375, and 36 x 0.125 = 4.5.
    CHECK(constraint_3(with(balanced, &Overlap::b, 36)));
    CHECK_FALSE(constraint_3(with(balanced, &Overlap::b, 37)));
    CHECK(constraint_8(balanced));
    CHECK(constraint_8(balanced, 3));
    CHECK_FALSE(constraint_8(balanced, 2));
    CHECK(outstanding_volume(balanced, 256));  // 2 x 128
    CHECK_FALSE(outstanding_volume(balanced, 255));
}
