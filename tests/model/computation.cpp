#include "lapwing/model/computation.hpp"

#include <catch2/catch.hpp>

TEST_CASE("t_V from a kernel's rate", "[model]") {
    lapwing::Profile profile;
    profile.kernels = {{"add", 4e9}, {"bzip2", 15e6}};
    const auto compress = lapwing::model::computation(profile, "bzip2");
    REQUIRE(compress);
    CHECK(900e3 * *compress == Approx(0.06));  // a block of 900 kB at 15 MB/s
    CHECK_FALSE(lapwing::model::computation(profile, "fft"));
}
