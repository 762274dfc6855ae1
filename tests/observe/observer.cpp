#include "lapwing/observe/observer.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

using lapwing::observe::Observer;
using lapwing::observe::Operation;
using lapwing::observe::Record;
using lapwing::observe::Table;
using lapwing::observe::TimedCall;
using Handles = std::vector<std::uint64_t>;

/// A rank that computes and calls MPI. Calls take 1 ms unless said otherwise.
class Program {
  public:
    explicit Program(lapwing::observe::EventRing* events = nullptr)
        : table(std::make_unique<Table>()), observer_(new Observer(*table, 0, events)) {
        table->calls = 16;
    }

    void compute(double seconds) { now_ += seconds; }
    void sends(std::uint32_t call, std::uint64_t bytes, int peer) {
        observer_->blocking(timed(call), {.sent = bytes, .size = bytes, .to = {.peer = peer}});
    }
    void swaps(std::uint32_t call, std::uint64_t bytes, const lapwing::observe::Endpoint& to,
               const lapwing::observe::Endpoint& from) {
        observer_->blocking(timed(call), {.element = lapwing::observe::Element::float64,
                                          .sent = bytes,
                                          .received = bytes,
                                          .size = bytes,
                                          .to = to,
                                          .from = from});
    }
    void collective(std::uint32_t call, Operation operation, std::uint64_t bytes) {
        observer_->blocking(
            timed(call),
            {.operation = operation, .sent = bytes, .received = bytes, .size = bytes, .ranks = 4});
    }
    void initiates_send(std::uint32_t call, std::uint64_t bytes, int peer, std::uint64_t handle) {
        observer_->initiated(timed(call), {.sent = bytes, .size = bytes, .to = {.peer = peer}},
                             handle);
    }
    void initiates_receive(std::uint32_t call, std::uint64_t bytes, int peer,
                           std::uint64_t handle) {
        observer_->initiated(timed(call),
                             {.received = bytes, .size = bytes, .from = {.peer = peer}}, handle);
    }
    void prepares(std::uint64_t bytes, int peer, std::uint64_t handle) {
        observer_->prepared({.sent = bytes, .size = bytes, .to = {.peer = peer}}, handle);
    }
    void starts(std::uint32_t call, const Handles& handles) {
        observer_->started(timed(call), handles);
    }
    void waits(std::uint32_t call, const Handles& handles) {
        observer_->completed(timed(call), handles);
    }
    void forgets(std::uint64_t handle) { observer_->forgotten(handle); }
    void ends() { observer_->finish(now_); }

    /// The exchanges that were summed up.
    [[nodiscard]] std::vector<Record> records() const {
        return {table->record.begin(), table->record.begin() + static_cast<long>(table->records)};
    }

    std::unique_ptr<Table> table;

  private:
    TimedCall timed(std::uint32_t call) {
        const double start = now_;
        now_ += 1e-3;
        return {call, start, now_};
    }

    double now_ = 0;
    std::unique_ptr<Observer> observer_;
};

}  // namespace

TEST_CASE("a collective is an exchange of its own, between two computations", "[observe]") {
    Program program;
    for (int i = 0; i < 3; ++i) {
        program.compute(5e-3);
        program.collective(0, Operation::alltoall, 4096);
        program.compute(2e-3);
        program.collective(1, Operation::reduce, 16);
    }
    program.ends();
    const auto records = program.records();
    REQUIRE(records.size() == 2);
    REQUIRE(records[0].operation == Operation::alltoall);
    REQUIRE(records[0].ranks == 4);
    REQUIRE(records[0].count == 3);
    REQUIRE(records[0].sent == 3 * 4096);
    REQUIRE(records[0].blocking == 3);
    REQUIRE(records[0].waiting == Approx(3e-3));
    REQUIRE(records[0].least == Approx(1e-3));
    REQUIRE(records[0].before == Approx(15e-3));
    REQUIRE(records[0].after == Approx(6e-3));
    REQUIRE(records[1].before == Approx(6e-3));
    REQUIRE(records[1].after == Approx(10e-3));  // the program ends at once after the last
    REQUIRE(records[0].beside == Approx(6e-3));
    REQUIRE(records[1].beside == Approx(4e-3));
    REQUIRE(program.table->computed == Approx(21e-3));
    REQUIRE(program.table->finished == 1);
    REQUIRE(program.table->call[0].count == 3);
    REQUIRE(program.table->call[0].time == Approx(3e-3));
}

TEST_CASE("sizes of another order are another exchange", "[observe]") {
    Program program;
    for (const std::uint64_t bytes : {100, 120, 8000}) {
        program.compute(1e-3);
        program.collective(0, Operation::allgather, bytes);
    }
    program.ends();
    REQUIRE(program.records().size() == 2);
    REQUIRE(program.records()[0].count == 2);
    REQUIRE(program.records()[0].sent == 220);
}

TEST_CASE("what is initiated before it is waited for is one exchange", "[observe]") {
    Program program;
    for (int i = 0; i < 2; ++i) {
        program.compute(10e-3);
        program.initiates_receive(0, 9000, 1, 11);
        program.initiates_receive(0, 9000, 2, 12);
        program.compute(0.5e-3);  // packing
        program.initiates_send(1, 800, 1, 13);
        program.sends(2, 800, 2);
        program.compute(4e-3);  // the interior
        program.waits(3, {11, 12, 13});
        program.compute(1e-3);
        program.collective(4, Operation::barrier, 0);
    }
    program.ends();
    const Record halo = program.records().front();
    REQUIRE(halo.count == 2);
    REQUIRE(halo.messages == 8);
    REQUIRE(halo.sent == 2 * 1600);
    REQUIRE(halo.received == 2 * 18000);
    REQUIRE(halo.members == 4);
    REQUIRE(halo.peers == 2);
    REQUIRE(halo.blocking == 0);
    REQUIRE(halo.before == Approx(20e-3));
    REQUIRE(halo.packing == Approx(1e-3));
    REQUIRE(halo.behind == Approx(8e-3));
    REQUIRE(halo.after == Approx(2e-3));
    REQUIRE(halo.initiating == Approx(6e-3));
    REQUIRE(halo.waiting == Approx(4e-3));
}

TEST_CASE("messages with no more than packing between them belong together", "[observe]") {
    Program program;
    for (int i = 0; i < 3; ++i) {
        program.compute(20e-3);
        program.sends(0, 100000, 1);
        program.compute(0.1e-3);
        program.sends(1, 100000, 2);
    }
    program.ends();
    REQUIRE(program.records().size() == 1);
    REQUIRE(program.records()[0].count == 3);
    REQUIRE(program.records()[0].messages == 6);
    REQUIRE(program.records()[0].packing == Approx(0.3e-3));
    REQUIRE(program.records()[0].after == Approx(40e-3));
}

TEST_CASE("a loop that comes round is not one long exchange", "[observe]") {
    Program program;
    for (int i = 0; i < 50; ++i) {
        program.sends(0, 100000, 1);
        program.sends(1, 100000, 2);
        program.compute(0.1e-3);
    }
    program.ends();
    REQUIRE(program.records().size() == 1);
    REQUIRE(program.records()[0].count == 50);
}

TEST_CASE("in a pipeline each piece is an exchange, which computation hides", "[observe]") {
    Program program;
    program.initiates_receive(0, 4096, 1, 100);
    for (std::uint64_t i = 0; i < 20; ++i) {
        program.initiates_receive(1, 4096, 1, 101 + i);
        program.compute(3e-3);
        program.waits(2, {100 + i});
    }
    program.waits(3, {120});
    program.ends();
    double behind = 0;
    std::uint64_t count = 0;
    for (const Record& record : program.records()) {
        behind += record.behind;
        count += record.count;
    }
    REQUIRE(count == 20);  // the first two are initiated together
    REQUIRE(behind == Approx((20 + 19) * 3e-3).margin(3.1e-3));
    REQUIRE(program.table->lost == 0);
}

TEST_CASE("requests that are started again and again", "[observe]") {
    Program program;
    program.prepares(500, 1, 7);
    program.prepares(500, 2, 8);
    for (int i = 0; i < 4; ++i) {
        program.starts(0, {7, 8});
        program.compute(2e-3);
        program.waits(1, {7, 8});
        program.compute(1e-3);
    }
    program.forgets(7);
    program.ends();
    REQUIRE(program.records().size() == 1);
    const Record record = program.records()[0];
    REQUIRE(record.count == 4);
    REQUIRE(record.messages == 8);
    REQUIRE(record.sent == 4000);
    REQUIRE(record.behind == Approx(8e-3));
    REQUIRE(record.initiating == Approx(4e-3));
}

TEST_CASE("requests nobody waits for take nothing with them", "[observe]") {
    Program program;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        program.initiates_send(0, 64, 1, 1 + i);
        program.compute(1e-3);
        if (i % 2 == 0) program.forgets(1 + i);
        program.collective(1, Operation::barrier, 0);
    }
    program.ends();
    std::uint64_t seen = 0;
    for (const Record& record : program.records())
        if (record.head == 0) seen += record.count;
    REQUIRE(seen + program.table->lost >= 10000);
}

TEST_CASE("an exchange tells who sends what to whom, with which tags, and how times vary",
          "[observe]") {
    Program program;
    for (int i = 0; i < 4; ++i) {
        program.compute(5e-3);
        program.swaps(0, 800, {.peer = 1, .tag = 7}, {.peer = 2, .tag = 8});
        program.swaps(0, 1600, {.peer = 2, .tag = 8}, {.peer = 1, .tag = 7});
    }
    program.ends();
    const auto records = program.records();
    REQUIRE(records.size() == 1);
    const Record& record = records[0];
    CHECK(record.element == lapwing::observe::Element::float64);
    REQUIRE(record.routes == 4);
    const auto& to_first = record.route[0];
    CHECK((to_first.peer == 1 && to_first.tag == 7 && to_first.sends == 1));
    CHECK((to_first.messages == 4 && to_first.bytes == 4 * 800));
    const auto& from_second = record.route[1];
    CHECK((from_second.peer == 2 && from_second.tag == 8 && from_second.sends == 0));
    CHECK(record.squares == Approx(4 * 2e-3 * 2e-3));
}

TEST_CASE("what continues an exchange that was complete is of its next phase", "[observe]") {
    Program program;
    program.initiates_receive(0, 800, 1, 11);
    program.sends(1, 800, 1);
    program.waits(2, {11});
    program.initiates_receive(0, 800, 2, 12);
    program.sends(1, 800, 2);
    program.waits(2, {12});
    program.ends();
    const auto records = program.records();
    REQUIRE(records.size() == 1);
    REQUIRE(records[0].routes == 4);
    for (std::uint32_t i = 0; i < 4; ++i)
        CHECK(records[0].route[i].phase == (records[0].route[i].peer == 1 ? 0 : 1));
}

TEST_CASE("what is of several types is of no known one", "[observe]") {
    Program program;
    program.swaps(0, 8, {.peer = 1, .tag = 0}, {.peer = 1, .tag = 0});
    program.sends(1, 100, 1);
    program.ends();
    REQUIRE(program.records().size() == 1);
    CHECK(program.records()[0].element == lapwing::observe::Element::unknown);
}

TEST_CASE("events are calls, departures and arrivals, and the latest ones stay", "[observe]") {
    using lapwing::observe::EventRing;
    using lapwing::observe::RecordedEvent;
    const auto ring = std::make_unique<EventRing>();
    Program program(ring.get());
    program.initiates_receive(0, 64, 3, 11);
    program.sends(1, 32, 3);
    program.waits(2, {11});
    REQUIRE(ring->recorded == 5);
    CHECK(ring->event[0].kind == RecordedEvent::Kind::call);
    CHECK(ring->event[1].kind == RecordedEvent::Kind::call);
    CHECK(ring->event[2].kind == RecordedEvent::Kind::departure);
    CHECK((ring->event[2].bytes == 32 && ring->event[2].call == 1));
    CHECK(ring->event[3].kind == RecordedEvent::Kind::arrival);
    CHECK((ring->event[3].bytes == 64 && ring->event[3].call == 2));
    CHECK(ring->event[3].end == Approx(3e-3));
    for (std::size_t i = 0; i < EventRing::most; ++i) program.collective(3, Operation::barrier, 0);
    CHECK(ring->recorded == 5 + EventRing::most);
    CHECK(ring->event[0].call == 3);
}
