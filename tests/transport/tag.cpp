#include "lapwing/transport/tag.hpp"

#include <catch2/catch.hpp>
#include <set>

TEST_CASE("tags fit any MPI and differ among what can be in flight", "[pipeline]") {
    const std::uint64_t start = GENERATE(0ULL, 16300ULL, 1ULL << 40, ~0ULL - 200);
    std::set<int> tags;
    for (std::uint64_t i = 0; i < 128; ++i) {
        const int tag = lapwing::message_tag(start + i);
        CHECK(tag >= 0);
        CHECK(tag <= 32767);  // what MPI guarantees
        tags.insert(tag);
    }
    CHECK(tags.size() == 128);
}

TEST_CASE("no first message has the tag of another one", "[pipeline]") {
    const std::uint64_t fingerprint = GENERATE(0ULL, 1ULL, 16383ULL, 16384ULL, ~0ULL);
    CHECK(lapwing::first_message_tag(fingerprint) > lapwing::message_tag(16383));
    CHECK(lapwing::first_message_tag(fingerprint) <= 32767);
}
