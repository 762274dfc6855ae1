#include "lapwing/transport/arena.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "support/random.hpp"

using lapwing::Arena;
using lapwing::test::Random;

TEST_CASE("parts of an arena do not overlap, however they come and go", "[transport]") {
    std::vector<std::byte> memory(100'000);
    Arena arena(memory);
    Random random(7);
    std::vector<Arena::Part> parts;
    std::vector<int> marks;
    for (int step = 0; step < 2000; ++step) {
        if (parts.size() < 20 && random.chance(0.6)) {
            parts.push_back(arena.allocate(random.integer(0, 3000)));
            marks.push_back(step % 251);
            std::memset(parts.back().data(), marks.back(), parts.back().size());
        } else if (!parts.empty()) {
            const auto which = random.integer(0, parts.size() - 1);
            std::swap(parts[which], parts.back());
            std::swap(marks[which], marks.back());
            bool whole = true;
            for (std::size_t i = 0; i < parts.back().size(); ++i)
                whole = whole && parts.back().data()[i] == static_cast<std::byte>(marks.back());
            REQUIRE(whole);
            parts.pop_back();
            marks.pop_back();
        }
        for (const auto& part : parts) {
            REQUIRE(part.data() >= memory.data());
            REQUIRE(part.data() + part.size() <= memory.data() + memory.size());
        }
    }
}

TEST_CASE("an arena can be used to its last byte, and again", "[transport]") {
    std::vector<std::byte> memory(1000);
    Arena arena(memory);
    for (int round = 0; round < 3; ++round) {
        const auto all = arena.allocate(1000);
        CHECK(all.data() == memory.data());
        CHECK_THROWS_AS(arena.allocate(1), std::bad_alloc);
    }
    auto first = arena.allocate(100);
    const auto second = arena.allocate(100);
    const auto* const place = first.data();
    first = Arena::Part();
    CHECK_THROWS_AS(arena.allocate(900), std::bad_alloc);
    CHECK(arena.allocate(90).data() == place);
    CHECK(arena.allocate(600).data() > second.data());
    CHECK_THROWS_AS(arena.allocate(static_cast<std::size_t>(-1)), std::bad_alloc);
}
