#include "lapwing/calibrate/statistics/refine_sizes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace {

using Sizes = std::vector<std::uint64_t>;
using lapwing::refine_where_nonlinear;

constexpr double ever = 1;

/// A start and so much a byte, and beyond `at` bytes a handshake.
auto jumping(std::uint64_t at) {
    return [at](std::uint64_t size) {
        return 10e-6 + 1e-9 * static_cast<double>(size) + (size > at ? 50e-6 : 0);
    };
}

TEST_CASE("a jump is held between two sizes a quarter of the gap apart") {
    const Sizes sizes{1024, 2048, 4096, 8192, 16384};
    const auto found = [&](std::uint64_t at) {
        return refine_where_nonlinear(sizes, 8, ever, jumping(at));
    };
    CHECK(found(4096) == Sizes{1024, 2048, 4096, 5120, 6144, 8192, 16384});
    CHECK(found(5500) == Sizes{1024, 2048, 4096, 5120, 6144, 8192, 16384});
    CHECK(found(6144) == Sizes{1024, 2048, 4096, 6144, 7168, 8192, 16384});
    CHECK(found(8191) == Sizes{1024, 2048, 4096, 6144, 7168, 8192, 16384});
}

TEST_CASE("a bend is as near as a jump") {
    const Sizes sizes{16384, 32768, 65536};
    const auto bucket = [](std::uint64_t size) {
        const auto bytes = static_cast<double>(size);
        return 4e-9 * bytes + 5e-9 * std::max(0.0, bytes - 22000);
    };
    CHECK(refine_where_nonlinear(sizes, 8, ever, bucket) ==
          Sizes{16384, 20480, 24576, 32768, 65536});
}

TEST_CASE("no size is added on a straight line") {
    const Sizes sizes{1024, 8192, 65536, 1048576};
    CHECK(refine_where_nonlinear(sizes, 8, ever, jumping(1 << 30)) == sizes);
    CHECK(refine_where_nonlinear(sizes, 8, ever, [](std::uint64_t) { return 1e-6; }) == sizes);
    CHECK(refine_where_nonlinear({}, 8, ever, jumping(0)).empty());
    CHECK(refine_where_nonlinear({1024}, 8, ever, jumping(0)) == Sizes{1024});
}

TEST_CASE("no size is asked for that takes too long") {
    const Sizes sizes{1000, 2000, 4000, 8000};
    std::uint64_t largest = 0;
    const auto asked = [&](std::uint64_t size) {
        largest = std::max(largest, size);
        return size < 2000 ? 1e-6 : size < 4000 ? 10e-6 : 100e-6;
    };
    const auto found = refine_where_nonlinear(sizes, 8, 50e-6, asked);
    CHECK(found == Sizes{1000, 1496, 1744, 2000, 4000, 8000});
    CHECK(largest == 4000);
}

TEST_CASE("added sizes are whole units, and none is there twice") {
    CHECK(refine_where_nonlinear({8, 16}, 8, ever, jumping(8)) == Sizes{8, 16});
    CHECK(refine_where_nonlinear({8, 32}, 8, ever, jumping(17)) == Sizes{8, 16, 24, 32});
}

}  // namespace
