#include "lapwing/calibrate/jumps.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace {

using Sizes = std::vector<std::uint64_t>;

constexpr int many = 10;
constexpr double ever = 1;

/// A start and so much a byte, and beyond `at` bytes a handshake.
auto message(std::uint64_t at) {
    return [at](std::uint64_t size) {
        return 10e-6 + 1e-9 * static_cast<double>(size) + (size > at ? 50e-6 : 0);
    };
}

TEST_CASE("a jump is held between two sizes a quarter of the gap apart") {
    const Sizes sizes{1024, 2048, 4096, 8192, 16384};
    const auto found = [&](std::uint64_t at) {
        return lapwing::with_jumps(sizes, 8, many, ever, message(at));
    };
    CHECK(found(4096) == Sizes{1024, 2048, 4096, 5120, 8192, 16384});
    CHECK(found(5500) == Sizes{1024, 2048, 4096, 5120, 6144, 8192, 16384});
    CHECK(found(6144) == Sizes{1024, 2048, 4096, 6144, 7168, 8192, 16384});
    CHECK(found(8191) == Sizes{1024, 2048, 4096, 7168, 8192, 16384});
}

TEST_CASE("no size is added where time grows with the bytes, or by less") {
    const Sizes sizes{1024, 8192, 65536, 1048576};
    CHECK(lapwing::with_jumps(sizes, 8, many, ever, message(1 << 30)) == sizes);
    CHECK(lapwing::with_jumps(sizes, 8, many, ever, [](std::uint64_t) { return 1e-6; }) == sizes);
    CHECK(lapwing::with_jumps({}, 8, many, ever, message(0)).empty());
}

TEST_CASE("no more jumps are looked into than asked for, and no size that takes too long") {
    const Sizes sizes{1000, 2000, 4000, 8000};
    const auto doubled_twice = [](std::uint64_t size) {
        return size < 2000 ? 1e-6 : size < 4000 ? 10e-6 : size < 8000 ? 100e-6 : 1000e-6;
    };
    CHECK(lapwing::with_jumps(sizes, 8, 0, ever, doubled_twice) == sizes);
    CHECK(lapwing::with_jumps(sizes, 8, 1, ever, doubled_twice) ==
          Sizes{1000, 1744, 2000, 4000, 8000});
    std::uint64_t largest = 0;
    const auto asked = [&](std::uint64_t size) {
        largest = std::max(largest, size);
        return doubled_twice(size);
    };
    CHECK(lapwing::with_jumps(sizes, 8, many, 50e-6, asked) == Sizes{1000, 1744, 2000, 4000, 8000});
    CHECK(largest == 4000);
}

TEST_CASE("added sizes are whole units, and none is there twice") {
    CHECK(lapwing::with_jumps({8, 16}, 8, many, ever, message(8)) == Sizes{8, 16});
    CHECK(lapwing::with_jumps({8, 32}, 8, many, ever, message(17)) == Sizes{8, 16, 24, 32});
}

}  // namespace
