#include "lapwing/transport/failure/on_failure.hpp"

#include <catch2/catch.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "support/plan.hpp"
#include "support/stub_transport.hpp"

using lapwing::Buffer;
using lapwing::Messages;
using lapwing::test::plan_for;
using lapwing::test::StubTransport;

namespace {

/// What the job was ended with: the first message, as a real job ends with it.
std::string said;

/// Stands for the way in which a transport ends the job.
class Ended {
  public:
    Ended() {
        said.clear();
        lapwing::failure::end_job = [](const char* what) {
            if (said.empty()) said = what;
        };
    }
    Ended(const Ended&) = delete;
    Ended& operator=(const Ended&) = delete;
    ~Ended() {
        lapwing::failure::end_job = nullptr;
        lapwing::on_failure(lapwing::OnFailure::end_job);
    }
};

/// A pipeline of five steps a message and three messages in flight, in which one function throws at
/// `step`.
void run(StubTransport& transport, std::uint64_t in_step, std::uint64_t in_message,
         std::uint64_t in_consumption) {
    std::uint64_t message = 0;
    std::uint64_t consumed = 0;
    CHECK_THROWS_WITH(lapwing::pipeline(
                          plan_for(40, 5, 3), 40,
                          [&](std::uint64_t step, Buffer& buffer) {
                              if (step == in_step) throw std::runtime_error("enough");
                              buffer.append(&step, sizeof step);
                          },
                          [&](Buffer& buffer) {
                              if (message++ == in_message) throw std::runtime_error("enough");
                              return transport.send(buffer.data(), buffer.size(), 0, 0);
                          },
                          [&](Buffer&) {
                              if (consumed++ == in_consumption) throw std::runtime_error("enough");
                          }),
                      "enough");
}

constexpr std::uint64_t never = 1000;

}  // namespace

TEST_CASE("a pipeline that fails says in which step and message", "[pipeline]") {
    const Ended ended;
    StubTransport transport;
    run(transport, 12, never, never);
    CHECK(said == "pipeline, step 12 (message 2): enough");
    said.clear();
    run(transport, never, 2, never);
    CHECK(said == "pipeline, message 2: enough");
    said.clear();
    run(transport, never, never, 1);
    CHECK(said == "pipeline, consuming message 1: enough");
    said.clear();
    run(transport, never, never, 7);
    CHECK(said == "pipeline, consuming message 7: enough");
}

TEST_CASE("the job ends before anything is waited for", "[pipeline]") {
    static StubTransport* transport = nullptr;
    static std::size_t under_way = 0;
    StubTransport here;
    transport = &here;
    const Ended ended;
    lapwing::failure::end_job = [](const char*) { under_way = transport->under_way; };
    run(here, 22, never, never);
    CHECK(under_way == 2);  // and the third is being filled
    CHECK(here.under_way == 0);
}

TEST_CASE("who wants exceptions gets them, and nothing is said", "[pipeline]") {
    const Ended ended;
    lapwing::on_failure(lapwing::OnFailure::rethrow);
    StubTransport transport;
    run(transport, 12, never, never);
    CHECK(said.empty());
}

TEST_CASE("an exception that is no std::exception", "[pipeline]") {
    const Ended ended;
    StubTransport transport;
    CHECK_THROWS(lapwing::pipeline(
        plan_for(40, 5, 3), 40, [](std::uint64_t, Buffer&) { throw 1; },
        [&](Buffer& buffer) { return transport.send(buffer.data(), buffer.size(), 0, 0); }));
    CHECK(said == "pipeline, step 0 (message 0): an exception that is no std::exception");
}

TEST_CASE("a plan that does not fit ends no job", "[pipeline]") {
    const Ended ended;
    StubTransport transport;
    std::vector<double> data(10);
    CHECK_THROWS_AS(lapwing::pipeline(
                        plan_for(40, 5, 3), 39, [](std::uint64_t, Buffer&) {},
                        [&](Buffer& buffer) { return transport.send(buffer.data(), 0, 0, 0); }),
                    std::invalid_argument);
    CHECK_THROWS_AS(lapwing::stream<double>(lapwing::Source{transport, 1, std::span<double>(data)},
                                            plan_for(11, 5, 3)),
                    std::invalid_argument);
    CHECK(said.empty());
}

TEST_CASE("a stream says which element it was at", "[pipeline]") {
    const Ended ended;
    StubTransport transport({}, std::vector<std::byte>(800));
    std::vector<double> data(50);
    const lapwing::Source source{transport, 3, std::span<double>(data)};
    const auto fail = [](const auto& piece) {
        if (piece.first == 20) throw std::runtime_error("enough");
    };
    CHECK_THROWS_WITH(lapwing::stream<double>(source, plan_for(50, 10, 2), fail), "enough");
    CHECK(said == "stream from rank 3, element 20: enough");
    said.clear();
    CHECK_THROWS_WITH(
        [&] {
            for (const auto piece : lapwing::stream<double>(source, plan_for(50, 10, 2)))
                fail(piece);
        }(),
        "enough");
    CHECK(said == "stream from rank 3, element 20: an exception left the loop");
    CHECK(transport.under_way == 0);
}

TEST_CASE("a stream in an exception's handler or destructor is no failure", "[pipeline]") {
    const Ended ended;
    StubTransport transport({}, std::vector<std::byte>(800));
    std::vector<double> data(50);
    const lapwing::Source source{transport, 3, std::span<double>(data)};
    struct InDestructor {
        const lapwing::Source<StubTransport, double>& source;
        explicit InDestructor(const lapwing::Source<StubTransport, double>& s) : source(s) {}
        InDestructor(const InDestructor&) = delete;
        InDestructor& operator=(const InDestructor&) = delete;
        ~InDestructor() {
            for (const auto piece : lapwing::stream<double>(source, plan_for(50, 10, 2)))
                if (piece.first == 20) break;
        }
    };
    try {
        const InDestructor unwinding(source);
        throw std::runtime_error("another matter");
    } catch (const std::runtime_error&) {
        for (const auto piece : lapwing::stream<double>(source, plan_for(50, 10, 2)))
            if (piece.first == 20) break;
    }
    CHECK(said.empty());
    CHECK(transport.under_way == 0);
}

TEST_CASE("streams from several ranks say which it was", "[pipeline]") {
    const Ended ended;
    StubTransport transport({}, std::vector<std::byte>(800));
    std::vector<double> data(100);
    const lapwing::Sources sources{transport, {4, 7}, std::span<double>(data)};
    CHECK_THROWS_WITH(lapwing::multi<double>(sources, plan_for(50, 10, 2),
                                             [](const lapwing::PeerPiece<double>& piece) {
                                                 if (piece.peer == 7 && piece.first == 20)
                                                     throw std::runtime_error("enough");
                                             }),
                      "enough");
    CHECK(said == "stream from rank 7, element 20: enough");
}

TEST_CASE("a transport that fails is told of too", "[pipeline]") {
    const Ended ended;
    StubTransport transport({}, std::vector<std::byte>(300));  // less than is to be received
    std::vector<double> data(50);
    const lapwing::Source source{transport, 3, std::span<double>(data)};
    CHECK_THROWS(lapwing::stream<double>(source, plan_for(50, 10, 2), [](const auto&) {}));
    CHECK(said == "stream from rank 3, element 10: receives more than was sent");
    CHECK(transport.under_way == 0);
}
