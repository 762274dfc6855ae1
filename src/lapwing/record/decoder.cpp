#include "lapwing/record/decoder.hpp"

namespace lapwing::record {
namespace {

// More would mean that numbers of communicators, which are reused, are not what they should be.
constexpr std::uint64_t most_communicators = 1 << 20;

}  // namespace

[[gnu::noinline]] void Decoder::fail(const std::string& what) const {
    throw BadRecord("rank " + std::to_string(rank_) + ", record " + std::to_string(records_) +
                    ": " + what);
}

std::uint8_t Decoder::byte() {
    if (at_ == end_) fail("it is cut off");
    return *at_++;
}

[[gnu::noinline]] std::uint64_t Decoder::longer_number() {
    std::uint64_t value = 0;
    const std::uint8_t* at = at_;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (at == end_) fail("it is cut off");
        const std::uint64_t next = *at++;
        if (shift == 63 && next > 1) break;
        value |= (next & 0x7FU) << shift;
        if (next >= 0x80) continue;
        at_ = at;
        return value;
    }
    fail("a number is longer than 64 bits");
}

std::int64_t Decoder::signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

std::span<const std::uint64_t> Decoder::list(std::vector<std::uint64_t>& items) {
    const std::uint64_t count = number();
    // Each item has a byte at least.
    if (count > left())
        fail("a list of " + std::to_string(count) + " numbers is longer than what is left");
    items.resize(count);
    for (auto& item : items) item = number();
    return items;
}

// All that is read of most records is inlined.
[[gnu::flatten]] bool Decoder::next(Record& record) {
    if (at_ == end_ || *at_ == 0) return false;
    ++records_;
    record = {};
    const std::uint8_t kind = byte();
    if (kind >= kinds) fail("there is no kind " + std::to_string(kind) + " of records");
    record.kind = static_cast<Kind>(kind);
    if (record.kind == Kind::communicator) {
        read_communicator(record);
        return true;
    }
    record.computed = number();
    if (record.kind == Kind::finish) return true;
    record.duration = number();
    record.site = number();
    read_call(record);
    return true;
}

[[gnu::noinline]] void Decoder::read_communicator(Record& record) {
    record.communicator = number();
    record.context = number();
    if (record.communicator == 0 || record.communicator > most_communicators)
        fail("a communicator has the number " + std::to_string(record.communicator));
    const std::uint64_t count = number();
    if (count > left() / 3)
        fail("a communicator of " + std::to_string(count) + " runs is longer than what is left");
    runs_.resize(count);
    std::uint64_t members = 0;
    for (Run& run : runs_) {
        run = {.first = number(), .stride = signed_number(), .count = number()};
        if (run.count == 0 || run.count > ranks_) fail("a communicator has an impossible run");
        const auto last = static_cast<__int128>(run.first) +
                          static_cast<__int128>(run.stride) * static_cast<__int128>(run.count - 1);
        if (run.first >= ranks_ || last < 0 || last >= static_cast<__int128>(ranks_))
            fail("a communicator has a rank that is not among the " + std::to_string(ranks_));
        members += run.count;
        if (members > ranks_) fail("a communicator has more ranks than there are");
    }
    record.members = runs_;
    if (sizes_.size() <= record.communicator) sizes_.resize(record.communicator + 1);
    sizes_[record.communicator] = members;
}

std::uint64_t Decoder::known_communicator() {
    const std::uint64_t communicator = number();
    if (communicator >= sizes_.size() || sizes_[communicator] == 0)
        fail("there is no communicator " + std::to_string(communicator));
    return communicator;
}

Message Decoder::message(bool receives) {
    const Message message{.peer = signed_number(), .tag = signed_number(), .bytes = number()};
    const bool known = message.peer >= 0
                           ? static_cast<std::uint64_t>(message.peer) < ranks_
                           : message.peer == nobody || (receives && message.peer == any);
    if (!known) fail("there is no rank " + std::to_string(message.peer));
    if (message.tag < (receives ? any : 0)) fail("a tag is " + std::to_string(message.tag));
    return message;
}

void Decoder::read_call(Record& record) {
    switch (record.kind) {
        case Kind::send:
        case Kind::receive:
        case Kind::send_receive:
        case Kind::start_send:
        case Kind::start_receive:
            record.communicator = known_communicator();
            if (sends(record.kind)) record.sent = message(false);
            if (receives(record.kind)) record.received = message(true);
            break;
        case Kind::wait:
            record.requests = list(items_);
            for (const std::uint64_t request : record.requests) check_request(request);
            break;
        case Kind::collective:
        case Kind::start_collective:
            read_collective(record);
            break;
        default:
            break;
    }
    if (has_request(record.kind)) check_request(record.request = number());
}

/// Numbers are used again, so there are no more of them than records.
void Decoder::check_request(std::uint64_t request) const {
    if (request >= records_) fail("a request has the number " + std::to_string(request));
}

[[gnu::noinline]] void Decoder::read_collective(Record& record) {
    record.communicator = known_communicator();
    const std::uint8_t collective = byte();
    if (collective >= collectives) fail("there is no collective " + std::to_string(collective));
    record.collective = static_cast<Collective>(collective);
    record.root = number();
    record.bytes = number();
    const std::uint64_t size = sizes_[record.communicator];
    if (record.root >= size)
        fail("a collective has the root " + std::to_string(record.root) + " of " +
             std::to_string(size) + " ranks");
    if (!has_blocks(record.collective)) return;
    record.blocks = list(items_);
    if (!record.blocks.empty() && record.blocks.size() != size)
        fail("a collective of " + std::to_string(size) + " ranks has " +
             std::to_string(record.blocks.size()) + " blocks");
}

}  // namespace lapwing::record
