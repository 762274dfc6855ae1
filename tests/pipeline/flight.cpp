#include "lapwing/pipeline/flight.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

namespace {

/// Notes when it was waited for.
class Request {
  public:
    Request() = default;
    Request(std::vector<int>& waited, int name) : waited_(&waited), name_(name) {}
    Request(Request&& other) noexcept
        : waited_(std::exchange(other.waited_, nullptr)), name_(other.name_) {}
    Request& operator=(Request&& other) noexcept {
        std::swap(waited_, other.waited_);
        std::swap(name_, other.name_);
        return *this;
    }
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    ~Request() { wait(); }
    void wait() {
        if (waited_ != nullptr) std::exchange(waited_, nullptr)->push_back(name_);
    }
    bool test() {
        if (waited_ != nullptr) waited_->push_back(-name_);
        return true;
    }

  private:
    std::vector<int>* waited_ = nullptr;
    int name_ = 0;
};

using Flight = lapwing::Flight<Request>;

}  // namespace

TEST_CASE("a flight keeps a window of messages, oldest first", "[pipeline]") {
    std::vector<int> waited;
    Flight flight(3, 0);
    CHECK(flight.empty());
    CHECK_FALSE(flight.full());
    for (int i = 1; i <= 10; ++i) {
        if (flight.full()) flight.wait_oldest();
        CHECK(flight.next_slot() == static_cast<std::size_t>(i - 1) % 3);
        flight.push({waited, i});
    }
    CHECK(flight.full());
    CHECK(waited == std::vector<int>{1, 2, 3, 4, 5, 6, 7});
    flight.drain();
    CHECK(flight.empty());
    CHECK(waited == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE("a window of one", "[pipeline]") {
    std::vector<int> waited;
    Flight flight(1, 0);
    for (int i = 1; i <= 3; ++i) {
        if (flight.full()) flight.wait_oldest();
        flight.push({waited, i});
        CHECK(flight.next_slot() == 0);
        CHECK(flight.full());
    }
    CHECK(waited == std::vector<int>{1, 2});
}

TEST_CASE("progress tests the oldest, and nothing when nothing is under way", "[pipeline]") {
    std::vector<int> waited;
    Flight flight(2, 0);
    flight.progress();
    flight.push({waited, 1});
    flight.push({waited, 2});
    flight.progress();
    flight.wait_oldest();
    flight.progress();
    CHECK(waited == std::vector<int>{-1, 1, -2});
}

TEST_CASE("what is in flight when a flight ends is waited for", "[pipeline]") {
    std::vector<int> waited;
    {
        Flight flight(4, 0);
        flight.push({waited, 1});
        flight.push({waited, 2});
    }
    CHECK(waited.size() == 2);
}
