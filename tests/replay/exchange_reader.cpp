#include "lapwing/replay/exchange_reader.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "replay/recorded_program.hpp"

using namespace lapwing;
using record::Kind;
using replay::Exchange;
using tests::RecordedProgram;

namespace {

/// The exchanges of rank 0, each as its kind, its records and its phases: "m3/1".
std::vector<std::string> exchanges(const RecordedProgram& program) {
    const auto recording = program.recording();
    replay::ExchangeReader reader(recording.rank(0));
    std::vector<std::string> all;
    for (Exchange exchange; reader.next(exchange);) {
        const char kind = exchange.kind == Exchange::Kind::none       ? 'n'
                          : exchange.kind == Exchange::Kind::messages ? 'm'
                                                                      : 'c';
        all.push_back(kind + std::to_string(exchange.records.size()) + "/" +
                      std::to_string(exchange.phases.size()));
    }
    return all;
}

record::Record send(std::int64_t to, std::uint64_t request, std::uint64_t computed,
                    std::uint64_t site) {
    return {.kind = Kind::start_send,
            .computed = computed,
            .site = site,
            .sent = {to, 0, 1000},
            .request = request};
}
const std::array<std::uint64_t, 1> first_request{0};
const std::array<std::uint64_t, 1> second_request{1};

}  // namespace

TEST_CASE("exchange reader: what follows closely belongs together") {
    RecordedProgram program(4);
    program.add(0, send(1, 0, 50000, 1));
    program.add(0, send(2, 1, 900, 2));  // packed meanwhile
    program.add(0, {.kind = Kind::wait, .requests = first_request});
    program.add(0, {.kind = Kind::wait, .requests = second_request});
    program.add(0, send(3, 0, 5000, 3));  // computed before
    program.add(0, {.kind = Kind::wait, .computed = 20000, .requests = first_request});
    program.add(0, {.kind = Kind::collective, .site = 4});
    program.add(0, {.kind = Kind::finish});
    CHECK(exchanges(program) == std::vector<std::string>{"m4/1", "m1/1", "m1/1", "c1/0", "n1/0"});
}

TEST_CASE("exchange reader: what is initiated behind a wait is a phase of its own") {
    RecordedProgram program(4);
    program.add(0, send(1, 0, 50000, 1));
    program.add(0, {.kind = Kind::wait, .requests = first_request});
    program.add(0, send(2, 0, 0, 2));
    program.add(0, {.kind = Kind::wait, .requests = first_request});
    program.add(0, {.kind = Kind::receive, .site = 3, .received = {1, 0, 8}});
    program.add(0, {.kind = Kind::send, .site = 4, .sent = {1, 0, 8}});
    CHECK(exchanges(program) == std::vector<std::string>{"m6/4"});
}

TEST_CASE("exchange reader: a loop that comes round begins anew") {
    RecordedProgram program(4);
    for (int i = 0; i < 3; ++i) {
        program.add(0, send(1, 0, 10, 1));
        program.add(0, send(2, 1, 10, 1));
        program.add(0, {.kind = Kind::wait, .requests = first_request});
        program.add(0, {.kind = Kind::wait, .requests = second_request});
    }
    CHECK(exchanges(program) == std::vector<std::string>{"m4/1", "m4/1", "m4/1"});
}

TEST_CASE("exchange reader: nothing comes round before something was waited for") {
    RecordedProgram program(2);
    for (int i = 0; i < 2; ++i) {  // the neighbour on either side is the same rank
        program.add(0, {.kind = Kind::start_receive,
                        .site = 1,
                        .received = {1, 0, 1000},
                        .request = static_cast<std::uint64_t>(i)});
    }
    for (int i = 0; i < 2; ++i) program.add(0, {.kind = Kind::send, .site = 2, .sent = {1, 0, 8}});
    program.add(0, {.kind = Kind::wait, .requests = first_request});
    program.add(0, {.kind = Kind::wait, .requests = second_request});
    CHECK(exchanges(program) == std::vector<std::string>{"m6/1"});
}

TEST_CASE("exchange reader: messages to nobody have no bytes, and are in no round") {
    RecordedProgram program(2);
    for (int i = 0; i < 2; ++i) {
        for (const std::int64_t to : {record::nobody, record::nobody, std::int64_t{1}})
            program.add(0, {.kind = Kind::send, .site = 1, .sent = {to, 0, 1000}});
    }
    CHECK(exchanges(program) == std::vector<std::string>{"m5/1", "m1/1"});
    const auto recording = program.recording();
    replay::ExchangeReader reader(recording.rank(0));
    Exchange exchange;
    REQUIRE(reader.next(exchange));
    CHECK(exchange.sent == 1000);
}
