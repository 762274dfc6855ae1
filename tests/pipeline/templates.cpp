#include "lapwing/pipeline/templates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "support/stub_transport.hpp"

using lapwing::outstanding;
using lapwing::TemplateSchedule;
using lapwing::test::StubTransport;

namespace {

std::vector<std::byte> pattern(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i % 251 + 1);
    return bytes;
}

}  // namespace

TEST_CASE("what a schedule keeps in flight", "[pipeline]") {
    CHECK(outstanding(TemplateSchedule::A, 4) == 1);
    CHECK(outstanding(TemplateSchedule::B, 4) == 4);
    CHECK(outstanding(TemplateSchedule::C, 4) == 4);
    CHECK(outstanding(TemplateSchedule::D, 4) == 4);
    CHECK(outstanding(TemplateSchedule::E, 4) == 8);
}

TEST_CASE("every schedule consumes all there is, in order, after it arrived", "[pipeline]") {
    const auto schedule = GENERATE(TemplateSchedule::A, TemplateSchedule::B, TemplateSchedule::C,
                                   TemplateSchedule::D, TemplateSchedule::E);
    const std::size_t volume = GENERATE(1, 64, 1000, 1001);
    const std::uint64_t size = GENERATE(1, 10, 64, 5000);
    const int burst = GENERATE(1, 2, 7, 64);
    const auto expected = pattern(volume);
    StubTransport transport({}, expected);
    std::vector<std::byte> data(volume);
    std::uint64_t next = 0;
    run_schedule(schedule, lapwing::Source{transport, 0, std::span(data)}, size, burst,
                 [&](std::uint64_t offset, std::uint64_t bytes) {
                     REQUIRE(offset == next);
                     REQUIRE(bytes == std::min(size, volume - offset));
                     REQUIRE(std::equal(data.begin() + static_cast<std::ptrdiff_t>(offset),
                                        data.begin() + static_cast<std::ptrdiff_t>(offset + bytes),
                                        expected.begin() + static_cast<std::ptrdiff_t>(offset)));
                     next += bytes;
                 });
    CHECK(next == volume);
    CHECK(data == expected);
    CHECK(transport.under_way == 0);
    CHECK(transport.most_under_way <= static_cast<std::size_t>(outstanding(schedule, burst)));
}

TEST_CASE("a schedule is what its picture shows", "[pipeline]") {
    // Six messages in bursts of two: how many had been initiated when each was consumed.
    const auto initiated_at = [](TemplateSchedule schedule) {
        StubTransport transport({}, pattern(60));
        std::vector<std::byte> data(60);
        std::vector<std::size_t> initiated;
        run_schedule(
            schedule, lapwing::Source{transport, 0, std::span(data)}, 10, 2,
            [&](std::uint64_t, std::uint64_t) { initiated.push_back(transport.sizes.size()); });
        return initiated;
    };
    using Counts = std::vector<std::size_t>;
    CHECK(initiated_at(TemplateSchedule::A) == Counts{1, 2, 3, 4, 5, 6});
    CHECK(initiated_at(TemplateSchedule::B) == Counts{2, 2, 4, 4, 6, 6});
    CHECK(initiated_at(TemplateSchedule::C) == Counts{2, 2, 4, 4, 6, 6});
    CHECK(initiated_at(TemplateSchedule::D) == Counts{4, 4, 6, 6, 6, 6});
    CHECK(initiated_at(TemplateSchedule::E) == Counts{4, 4, 6, 6, 6, 6});
}
