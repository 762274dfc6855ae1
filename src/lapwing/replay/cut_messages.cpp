#include "lapwing/replay/cut_messages.hpp"

namespace lapwing::replay {

using record::Kind;
using record::Record;

std::uint64_t part_of(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
    const auto up_to = [&](std::uint64_t end) {
        return whole / parts * end + whole % parts * end / parts;
    };
    return up_to(part + 1) - up_to(part);
}

RequestNumbers::Made CutMessages::start_receive(Record message, std::uint32_t pieces) {
    RequestNumbers::Made made{.numbers = {}, .receives = true};
    made.numbers.reserve(pieces);
    const std::uint64_t room = message.received.bytes;
    message.kind = Kind::start_receive;
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        message.request = made.numbers.emplace_back(numbers_.make());
        message.received.bytes = part_of(room, piece, pieces);
        add(KeptRecord(message));
        message.computed = message.duration = 0;
    }
    return made;
}

std::uint64_t CutMessages::start_send(Record message, std::uint32_t piece, std::uint32_t pieces) {
    message.kind = Kind::start_send;
    message.request = numbers_.make();
    message.sent.bytes = part_of(message.sent.bytes, piece, pieces);
    if (piece > 0) message.computed = message.duration = 0;
    const std::uint64_t request = message.request;
    add(KeptRecord(message));
    return request;
}

void CutMessages::wait(std::vector<std::uint64_t> requests, const Record& as,
                       std::uint64_t duration) {
    KeptRecord wait(Record{.kind = Kind::wait, .duration = duration, .site = as.site});
    for (const std::uint64_t request : requests) numbers_.release(request);
    wait.requests() = std::move(requests);
    add(std::move(wait));
}

void CutMessages::add(KeptRecord record) {
    record->computed += take_computed();
    made_.push_back(std::move(record));
}

}  // namespace lapwing::replay
