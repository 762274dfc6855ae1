#include "lapwing/record/decoder.hpp"
#include "lapwing/record/encoder.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

using namespace lapwing::record;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr std::uint64_t rank_count = 8;
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
const std::array<std::uint64_t, 8> eight_blocks{1, 0, 3, 1000, 5, 6, largest, 8};
const std::array<std::uint64_t, 3> three_requests{0, 2, 6};
const std::array<Run, 2> two_runs{Run{0, 2, 4}, Run{7, -2, 4}};

/// A record of each kind, in an order in which all that they name is known.
std::vector<Record> one_of_each() {
    const Message to{3, 17, 8000};
    const Message from{any, any, largest};
    std::vector<Record> all{
        {.kind = Kind::communicator, .communicator = 1, .context = largest, .members = two_runs}};
    for (std::uint8_t kind = 3; kind < kinds; ++kind) {
        Record record{.kind = static_cast<Kind>(kind),
                      .computed = 1000,
                      .duration = largest,
                      .site = 5,
                      .communicator = 1,
                      .sent = to,
                      .received = from,
                      .request = 3,
                      .requests = three_requests,
                      .root = 7,
                      .bytes = 1 << 20,
                      .blocks = eight_blocks};
        all.push_back(record);
        if (record.kind != Kind::collective) continue;
        all.pop_back();
        for (std::uint8_t each = 0; each < collectives; ++each) {
            record.collective = static_cast<Collective>(each);
            all.push_back(record);
        }
    }
    all.push_back({.kind = Kind::finish, .computed = 12});
    return all;
}

std::vector<std::uint8_t> encoded(const std::vector<Record>& records) {
    std::vector<std::uint8_t> room(Encoder::most_bytes(rank_count));
    Encoder encoder(room);
    std::vector<std::uint8_t> all;
    for (const Record& record : records) {
        const auto bytes = encoder.write(record);
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
}

bool same(const Message& a, const Message& b) {
    return a.peer == b.peer && a.tag == b.tag && a.bytes == b.bytes;
}

template <class List>
std::vector<std::uint64_t> copied(const List& list) {
    return {list.begin(), list.end()};
}

/// Reads everything; returns what is wrong, or nothing.
std::string wrong_in(const std::vector<std::uint8_t>& bytes) {
    Decoder decoder(bytes, 3, rank_count);
    Record record;
    try {
        while (decoder.next(record)) continue;
    } catch (const BadRecord& error) {
        return error.what();
    }
    return "";
}

std::string wrong_in(std::initializer_list<int> bytes) {
    std::vector<std::uint8_t> all;
    for (const int byte : bytes) all.push_back(static_cast<std::uint8_t>(byte));
    return wrong_in(all);
}

// Kinds and collectives, as bytes.
constexpr int communicator_byte = 1;
constexpr int send_byte = 3;
constexpr int receive_byte = 4;
constexpr int wait_byte = 8;
constexpr int collective_byte = 10;
constexpr int bcast_byte = 1;
constexpr int alltoallv_byte = 13;

}  // namespace

TEST_CASE("records come back as they were", "[record]") {
    const auto written = one_of_each();
    const auto bytes = encoded(written);
    Decoder decoder(bytes, 0, rank_count);
    Record read;
    for (const Record& record : written) {
        REQUIRE(decoder.next(read));
        CAPTURE(static_cast<int>(record.kind), static_cast<int>(record.collective));
        REQUIRE(read.kind == record.kind);
        const auto is = [&](std::initializer_list<Kind> these) {
            return std::find(these.begin(), these.end(), record.kind) != these.end();
        };
        if (record.kind == Kind::communicator) {
            CHECK(read.communicator == record.communicator);
            CHECK(read.context == record.context);
            REQUIRE(read.members.size() == two_runs.size());
            for (std::size_t i = 0; i < two_runs.size(); ++i) {
                CHECK(read.members[i].first == two_runs[i].first);
                CHECK(read.members[i].stride == two_runs[i].stride);
                CHECK(read.members[i].count == two_runs[i].count);
            }
            continue;
        }
        CHECK(read.computed == record.computed);
        if (record.kind == Kind::finish) continue;
        CHECK(read.duration == record.duration);
        CHECK(read.site == record.site);
        if (is({Kind::send, Kind::start_send, Kind::send_receive}))
            CHECK(same(read.sent, record.sent));
        if (is({Kind::receive, Kind::start_receive, Kind::send_receive}))
            CHECK(same(read.received, record.received));
        if (is({Kind::start_send, Kind::start_receive, Kind::start_collective, Kind::forget}))
            CHECK(read.request == record.request);
        if (record.kind == Kind::wait) CHECK(copied(read.requests) == copied(three_requests));
        if (!is({Kind::collective, Kind::start_collective})) continue;
        CHECK(read.communicator == record.communicator);
        CHECK(read.collective == record.collective);
        CHECK(read.root == record.root);
        CHECK(read.bytes == record.bytes);
        if (has_blocks(record.collective))
            CHECK(copied(read.blocks) == copied(eight_blocks));
        else
            CHECK(read.blocks.empty());
    }
    CHECK_FALSE(decoder.next(read));
    CHECK(decoder.records() == written.size());
}

TEST_CASE("records have few bytes", "[record]") {
    const Record usual{.kind = Kind::start_send,
                       .computed = 20000,
                       .duration = 800,
                       .site = 9,
                       .sent = {6, 5, 8000},
                       .request = 3};
    CHECK(encoded({usual}).size() == 13);
    for (const Record& record : one_of_each())
        CHECK(encoded({record}).size() <= Encoder::most_bytes(rank_count));
}

TEST_CASE("records end at a zero", "[record]") {
    auto bytes = encoded(one_of_each());
    bytes.insert(bytes.end(), 1000, 0);
    CHECK(wrong_in(bytes).empty());
    CHECK(wrong_in({0, 99, 99}).empty());
    CHECK(wrong_in(std::vector<std::uint8_t>{}).empty());
}

TEST_CASE("records that are cut off are read up to there", "[record]") {
    const auto written = one_of_each();
    const auto bytes = encoded(written);
    std::vector<std::size_t> ends{0};
    for (const Record& record : written) ends.push_back(ends.back() + encoded({record}).size());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::vector<std::uint8_t> part(bytes.begin(),
                                             bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const bool between = std::find(ends.begin(), ends.end(), size) != ends.end();
        CAPTURE(size);
        CHECK(wrong_in(part).empty() == between);
    }
}

TEST_CASE("a changed byte is an error or another record", "[record]") {
    const auto bytes = encoded(one_of_each());
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const int change : {1, 0x7f, 0x80, 0xff}) {
            auto changed = bytes;
            changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
            const std::string wrong = wrong_in(changed);
            if (!wrong.empty()) CHECK_THAT(wrong, StartsWith("rank 3, record "));
        }
}

TEST_CASE("what cannot be is refused", "[record]") {
    CHECK_THAT(wrong_in({13}), Contains("rank 3, record 1: there is no kind 13"));
    CHECK_THAT(wrong_in({255}), Contains("there is no kind 255"));
    CHECK_THAT(wrong_in({send_byte, 0, 0, 0, 1, 0, 0, 0}), Contains("there is no communicator 1"));
    // Peers are signed numbers: twice the rank.
    CHECK_THAT(wrong_in({send_byte, 0, 0, 0, 0, 16, 0, 0}), Contains("there is no rank 8"));
    CHECK_THAT(wrong_in({send_byte, 0, 0, 0, 0, 1, 0, 0}), Contains("there is no rank -1"));
    CHECK_THAT(wrong_in({receive_byte, 0, 0, 0, 0, 5, 0, 0}), Contains("there is no rank -3"));
    CHECK_THAT(wrong_in({send_byte, 0, 0, 0, 0, 2, 1, 0}), Contains("a tag is -1"));
    CHECK_THAT(wrong_in({receive_byte, 0, 0, 0, 0, 1, 3, 0}), Contains("a tag is -2"));
    CHECK(wrong_in({receive_byte, 0, 0, 0, 0, 1, 1, 0}).empty());
    CHECK(wrong_in({send_byte, 0, 0, 0, 0, 3, 0, 0}).empty());  // to nobody
    CHECK_THAT(wrong_in({collective_byte, 0, 0, 0, 0, 17, 0, 0}), Contains("no collective 17"));
    CHECK_THAT(wrong_in({collective_byte, 0, 0, 0, 0, bcast_byte, 8, 0}),
               Contains("the root 8 of 8 ranks"));
    CHECK_THAT(wrong_in({collective_byte, 0, 0, 0, 0, alltoallv_byte, 0, 0, 2, 1, 1}),
               Contains("a collective of 8 ranks has 2 blocks"));
}

TEST_CASE("a request's number is below that of records", "[record]") {
    CHECK_THAT(wrong_in({wait_byte, 0, 0, 0, 1, 1}), Contains("a request has the number 1"));
    CHECK(wrong_in({wait_byte, 0, 0, 0, 1, 0}).empty());
    CHECK_THAT(wrong_in({9, 0, 0, 0, 1}), Contains("a request has the number 1"));
}

TEST_CASE("communicators that cannot be are refused", "[record]") {
    CHECK_THAT(wrong_in({communicator_byte, 0, 0, 1, 0, 2, 1}), Contains("has the number 0"));
    CHECK_THAT(wrong_in({communicator_byte, 0xff, 0xff, 0x7f, 0, 0}), Contains("has the number"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 1, 0, 2, 0}), Contains("impossible run"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 1, 0, 2, 9}), Contains("impossible run"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 1, 8, 2, 1}), Contains("not among the 8"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 1, 0, 4, 5}), Contains("not among the 8"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 1, 1, 1, 3}), Contains("not among the 8"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 2, 0, 2, 8, 0, 2, 1}),
               Contains("more ranks than"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 9, 0, 2, 1}),
               Contains("longer than what is left"));
    // An empty one is there, and nobody can use it.
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 0, send_byte, 0, 0, 0, 1, 0, 0, 0}),
               Contains("there is no communicator 1"));
}

TEST_CASE("huge lists and numbers allocate nothing", "[record]") {
    CHECK_THAT(
        wrong_in({wait_byte, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}),
        Contains("a list of 18446744073709551615 numbers is longer than what is left"));
    CHECK_THAT(
        wrong_in({wait_byte, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}),
        Contains("a number is longer than 64 bits"));
    CHECK_THAT(wrong_in({wait_byte, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}),
               Contains("a number is longer than 64 bits"));
    CHECK_THAT(wrong_in({communicator_byte, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x7f}),
               Contains("longer than what is left"));
}

TEST_CASE("a number is used again for another communicator", "[record]") {
    const std::array<Run, 1> two{Run{0, 1, 2}};
    const std::array<Run, 1> four{Run{4, 1, 4}};
    Record first{.kind = Kind::communicator, .communicator = 1, .context = 1, .members = two};
    Record second{.kind = Kind::communicator, .communicator = 1, .context = 2, .members = four};
    Record rooted{
        .kind = Kind::collective, .communicator = 1, .collective = Collective::bcast, .root = 3};
    CHECK_THAT(wrong_in(encoded({first, rooted})), Contains("the root 3 of 2 ranks"));
    CHECK(wrong_in(encoded({first, second, rooted})).empty());
}
