#include "lapwing/compute/rates.hpp"

#include <catch2/catch.hpp>

using lapwing::find_rate;

TEST_CASE("a kernel's rate is found by its name", "[compute]") {
    constexpr const char* list = "add=4000000000,copy=5e9,bzip2=15e6,fft=2.5";
    CHECK(find_rate(list, "add") == 4e9);
    CHECK(find_rate(list, "copy") == 5e9);
    CHECK(find_rate(list, "fft") == 2.5);
    CHECK_FALSE(find_rate(list, "op"));
    CHECK_FALSE(find_rate(list, ""));
    CHECK_FALSE(find_rate("", "add"));
}

TEST_CASE("what is no rate is none", "[compute]") {
    for (const char* list : {"add", "add=", "add=fast", "add=4e9x", "add=0", "add=-1", "add=nan",
                             ",", "=4e9", "copy=1,add", "=,="})
        CHECK_FALSE(find_rate(list, "add"));
    CHECK(find_rate(",,copy=1,add=2,", "add") == 2.0);
}
