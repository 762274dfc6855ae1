#include "lapwing/pipeline/unbounded_pipeline.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "support/random.hpp"
#include "support/stub_transport.hpp"

using lapwing::Buffer;
using lapwing::test::Random;
using lapwing::test::StubTransport;

TEST_CASE("a pipeline of unknown length runs until there is nothing more", "[pipeline]") {
    Random random(41);
    for (int trial = 0; trial < 100; ++trial) {
        const std::uint64_t count = random.integer(0, 40);
        const int window = static_cast<int>(random.integer(1, 6));
        StubTransport transport;
        std::uint64_t asked = 0;
        std::vector<std::uint64_t> consumed;
        lapwing::unbounded_pipeline(
            window, 0,
            [&](std::uint64_t message, Buffer& buffer) {
                CHECK(message == asked++);
                CHECK(buffer.size() == 0);
                if (message == count) return false;
                buffer.append(&message, sizeof message);
                return true;
            },
            [&](Buffer& buffer) {
                return transport.send(buffer.data(), buffer.size(), 1, static_cast<int>(asked));
            },
            [&](Buffer& buffer) {
                std::uint64_t message = 0;
                std::memcpy(&message, buffer.data(), sizeof message);
                consumed.push_back(message);
            });
        CHECK(asked == count + 1);
        REQUIRE(consumed.size() == count);
        for (std::uint64_t i = 0; i < count; ++i) CHECK(consumed[i] == i);
        CHECK(transport.under_way == 0);
        CHECK(transport.overwritten == 0);
        CHECK(transport.most_under_way <= static_cast<std::size_t>(window));
    }
}

TEST_CASE("what fails in a pipeline of unknown length is passed on", "[pipeline]") {
    StubTransport transport;
    const auto fails = [](std::uint64_t message, Buffer&) -> bool {
        if (message == 2) throw std::runtime_error("no more");
        return true;
    };
    const auto send = [&](Buffer& buffer) { return transport.send(buffer.data(), 0, 1, 0); };
    CHECK_THROWS_WITH(lapwing::unbounded_pipeline(2, 0, fails, send), "no more");
}
