#include "lapwing/simulate/program/unexpected_messages.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace lapwing::simulate;

TEST_CASE("unexpected messages are found by rank and step, in the order of their arrival",
          "[simulate]") {
    std::mt19937 random(5);
    UnexpectedMessages unexpected;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> expected;
    std::vector<Pending> taken;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        const auto rank = static_cast<std::uint32_t>(random() % 50);
        const auto step = static_cast<std::uint32_t>(random() % 20);
        if (random() % 10 != 0) {
            Pending message;
            message.key = step;
            message.id = i;
            unexpected.add(rank, message);
            expected[{rank, step}].push_back(i);
        } else {
            unexpected.take(rank, step, taken);
            std::vector<std::uint32_t> ids;
            for (const auto& message : taken) ids.push_back(message.id);
            CHECK(ids == expected[{rank, step}]);
            expected.erase({rank, step});
        }
    }
}
