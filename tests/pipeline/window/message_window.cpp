#include "lapwing/pipeline/window/message_window.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

std::set<int> complete;  ///< requests that `test` finds complete

/// Notes waits, and, as negative numbers, tests.
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
        return complete.contains(name_);
    }

  private:
    std::vector<int>* waited_ = nullptr;
    int name_ = 0;
};

using MessageWindow = lapwing::MessageWindow<Request>;
using Numbered = lapwing::MessageWindow<Request, int>;

}  // namespace

TEST_CASE("a flight keeps a window of messages, oldest first", "[pipeline]") {
    std::vector<int> waited;
    MessageWindow flight(3, 0);
    CHECK(flight.empty());
    CHECK_FALSE(flight.full());
    for (int i = 1; i <= 10; ++i) {
        if (flight.full()) flight.wait_oldest();
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
    MessageWindow flight(1, 0);
    for (int i = 1; i <= 3; ++i) {
        if (flight.full()) flight.wait_oldest();
        flight.push({waited, i});
        CHECK(flight.full());
    }
    CHECK(waited == std::vector<int>{1, 2});
}

TEST_CASE("progress tests the oldest that is not yet found complete", "[pipeline]") {
    std::vector<int> waited;
    MessageWindow flight(3, 0);
    flight.progress();
    CHECK(waited.empty());
    for (int i = 1; i <= 3; ++i) flight.push({waited, i});
    flight.progress();
    CHECK(waited == std::vector<int>{-1});
    complete = {1};
    flight.progress();
    CHECK(waited == std::vector<int>{-1, -1, -2});
    flight.wait_oldest();
    flight.progress();
    CHECK(waited == std::vector<int>{-1, -1, -2, 1, -2});
    flight.push({waited, 4});
    complete = {2, 3, 4};
    waited.clear();
    flight.progress();
    flight.progress();
    CHECK(waited == std::vector<int>{-2, -3, -4});
    flight.replace_oldest([](auto&, auto&) {}, [&](auto&) { return Request(waited, 5); });
    waited.clear();
    flight.progress();
    CHECK(waited == std::vector<int>{-5});
    complete.clear();
}

TEST_CASE("what is in flight when a flight ends is waited for", "[pipeline]") {
    std::vector<int> waited;
    {
        MessageWindow flight(4, 0);
        flight.push({waited, 1});
        flight.push({waited, 2});
    }
    CHECK(waited.size() == 2);
}

TEST_CASE("a message keeps its load until it is complete", "[pipeline]") {
    const int window = GENERATE(1, 3, 20);
    std::vector<int> waited;
    std::vector<int> loads;
    const auto completed = [&](int& load, Request&) {
        loads.push_back(load);
        CHECK(waited.size() == loads.size());
    };
    Numbered flight(window, 0);
    for (int i = 1; i <= 10; ++i) {
        flight.make_room(completed);
        flight.next_attachment() = 10 * i;
        flight.launch([&] { return Request(waited, i); });
    }
    flight.drain(completed);
    CHECK(loads == std::vector<int>{10, 20, 30, 40, 50, 60, 70, 80, 90, 100});
}

TEST_CASE("a window without room for a message is refused", "[pipeline]") {
    CHECK_THROWS_AS(MessageWindow(GENERATE(0, -1), 0), std::invalid_argument);
}
