#include "lapwing/observe/requests.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <set>

namespace {

using lapwing::observe::Request;
using lapwing::observe::Requests;

Request numbered(std::uint64_t handle) {
    Request request;
    request.handle = handle;
    return request;
}

}  // namespace

TEST_CASE("requests are found until they are forgotten", "[observe]") {
    const auto requests = std::make_unique<Requests>();
    std::set<std::uint64_t> known;
    // Few handles, so that they come again and collide.
    for (std::uint64_t i = 0; i < 200000; ++i) {
        const std::uint64_t handle = 1 + (i * 7919 + i / 3) % 6000 * 16;
        if (known.erase(handle) != 0) {
            requests->erase(handle);
        } else if (known.size() < Requests::most) {
            REQUIRE(requests->put(numbered(handle)));
            known.insert(handle);
        }
    }
    REQUIRE(known.size() > 100);
    for (std::uint64_t i = 0; i < 6000; ++i) {
        const std::uint64_t handle = 1 + i * 16;
        const Request* const found = requests->find(handle);
        REQUIRE((found != nullptr) == (known.count(handle) != 0));
        if (found) REQUIRE(found->handle == handle);
    }
}

TEST_CASE("a request that finds no room is not followed", "[observe]") {
    const auto requests = std::make_unique<Requests>();
    for (std::uint64_t i = 0; i < Requests::most; ++i) REQUIRE(requests->put(numbered(i + 1)));
    REQUIRE(!requests->put(numbered(Requests::most + 1)));
    REQUIRE(requests->put(numbered(5)));  // it is there
    requests->erase(7);
    REQUIRE(requests->put(numbered(Requests::most + 1)));
}
