#include "lapwing/simulate/engine/wait_queue.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

using namespace lapwing::simulate;

TEST_CASE("a wait queue is ordered by place, whatever order items come in", "[simulate]") {
    std::mt19937 random(3);
    WaitQueueStore store;
    std::vector<WaitQueue> queues(5);
    std::vector<std::map<std::uint64_t, std::uint32_t>> expected(queues.size());
    std::uint64_t place = 0;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        const std::size_t q = random() % queues.size();
        if (random() % 9 < 5) {
            // Most come in order, some belong further ahead.
            place += 10;
            std::uint64_t its = place;
            if (random() % 8 == 0) its -= random() % place;
            if (expected[q].count(its) != 0) continue;
            Pending item;
            item.place = its;
            item.id = i;
            expected[q].emplace(its, i);
            CHECK(store.insert(queues[q], item) == (expected[q].begin()->first == its));
        } else if (!expected[q].empty()) {
            REQUIRE(store.front(queues[q]).place == expected[q].begin()->first);
            REQUIRE(store.front(queues[q]).id == expected[q].begin()->second);
            expected[q].erase(expected[q].begin());
            store.pop(queues[q]);
        }
        REQUIRE(queues[q].empty() == expected[q].empty());
    }
}

TEST_CASE("items of one place wait in the order in which they came", "[simulate]") {
    WaitQueueStore store;
    WaitQueue queue;
    std::uint32_t id = 0;
    for (const std::uint64_t place : {5U, 5U, 9U, 5U, 9U}) {
        Pending item;
        item.place = place;
        item.id = id++;
        CHECK(store.insert(queue, item) == (item.id == 0));
    }
    for (const std::uint32_t expected : {0U, 1U, 3U, 2U, 4U}) {
        REQUIRE(store.front(queue).id == expected);
        store.pop(queue);
    }
    CHECK(queue.empty());
}
