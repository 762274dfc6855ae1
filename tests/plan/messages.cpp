#include "lapwing/plan/messages.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/random.hpp"

using lapwing::MessageRun;
using lapwing::Messages;
using lapwing::test::Random;
using List = std::vector<std::uint64_t>;

TEST_CASE("uniform messages", "[plan]") {
    CHECK(Messages::uniform(10, 10).list() == List{10});
    CHECK(Messages::uniform(10, 4).list() == List{4, 4, 2});
    CHECK(Messages::uniform(12, 4, 4).list() == List{4, 4, 4});
    CHECK(Messages::uniform(14, 4, 4).list() == List{4, 4, 4, 2});
    CHECK(Messages::uniform(1, 100).list() == List{1});
}

TEST_CASE("equal messages in a row are one run", "[plan]") {
    const auto messages = Messages::of({8, 8, 16, 16, 16, 4}, 4);
    CHECK(messages.runs() == std::vector<MessageRun>{{8, 2}, {16, 3}, {4, 1}});
    CHECK(messages.volume() == 68);
    CHECK(messages.count() == 6);
    CHECK(messages.grain() == 4);
    CHECK(messages.list() == List{8, 8, 16, 16, 16, 4});
}

TEST_CASE("no message is empty", "[plan]") {
    Messages messages(1);
    messages.append(0);
    messages.append(5, 0);
    CHECK(messages.count() == 0);
    CHECK(messages.list().empty());
    CHECK(messages.begin() == Messages::end());
}

TEST_CASE("the last message can be made longer", "[plan]") {
    Messages messages = Messages::uniform(12, 4);
    messages.extend_last(3);
    CHECK(messages.list() == List{4, 4, 7});
    CHECK(messages.volume() == 15);
    Messages none(1);
    none.extend_last(3);
    CHECK(none.list() == List{3});
}

TEST_CASE("the iterator tells index and offset", "[plan]") {
    const List sizes = {1, 2, 2, 2, 5};
    const auto messages = Messages::of(sizes);
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    for (auto at = messages.begin(); !(at == Messages::end()); ++at) {
        CHECK(at.index() == index);
        CHECK(at.offset() == offset);
        CHECK(*at == sizes[index]);
        offset += *at;
        ++index;
    }
    CHECK(index == messages.count());
}

TEST_CASE("reversed messages are the same, last first", "[plan]") {
    CHECK(Messages::of({8, 8, 16, 24}, 8).reversed().list() == List{24, 16, 8, 8});
    CHECK(Messages::of({7}, 8).reversed().list() == List{7});
    // 3 bytes that no grain divides stay at the end.
    CHECK(Messages::of({8, 16, 27}, 8).reversed().list() == List{24, 16, 11});
    CHECK(Messages::of({16, 3}, 8).reversed().list() == List{19});
}

TEST_CASE("reversing any messages keeps volume and grain", "[plan]") {
    Random random(7);
    for (int trial = 0; trial < 2000; ++trial) {
        const auto grain = static_cast<std::uint64_t>(random.integer(1, 64));
        Messages messages(grain);
        for (auto runs = random.integer(1, 6); runs > 0; --runs)
            messages.append(grain * static_cast<std::uint64_t>(random.integer(1, 100)),
                            static_cast<std::uint64_t>(random.integer(1, 5)));
        messages.append(static_cast<std::uint64_t>(random.integer(0, 63)) % grain);
        const auto other = messages.reversed();
        REQUIRE(other.volume() == messages.volume());
        const auto sizes = other.list();
        REQUIRE(sizes.size() == other.count());
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            REQUIRE(sizes[k] > 0);
            if (k + 1 < sizes.size()) REQUIRE(sizes[k] % grain == 0);
        }
        if (messages.volume() % grain == 0) {
            auto back = messages.list();
            std::reverse(back.begin(), back.end());
            REQUIRE(sizes == back);
        }
    }
}

TEST_CASE("a fingerprint tells how a volume is cut, not how that was written", "[plan]") {
    const auto whole = Messages::uniform(1200, 100);
    CHECK(whole.fingerprint() == Messages::of(List(12, 100)).fingerprint());
    CHECK(whole.fingerprint() == Messages::uniform(1200, 100, 100).fingerprint());
    for (const auto& other : {Messages::uniform(1300, 100), Messages::uniform(1200, 200),
                              Messages::of({100, 1100}), Messages::of({1100, 100}), Messages()})
        CHECK(whole.fingerprint() != other.fingerprint());
}
