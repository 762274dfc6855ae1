#include "lapwing/replay/extrapolate/partners.hpp"

#include <algorithm>

namespace lapwing::replay {
namespace {

bool same(const record::Run& a, const record::Run& b) {
    return a.first == b.first && a.stride == b.stride && a.count == b.count;
}

void add_communicator(Partners& partners, const record::Record& record, std::uint64_t number) {
    for (const Partners::Communicator& known : partners.communicators)
        if (std::equal(known.members.begin(), known.members.end(), record.members.begin(),
                       record.members.end(), same))
            return;
    partners.communicators.push_back(
        {.members = {record.members.begin(), record.members.end()}, .record = number});
}

Partners partners_of(record::Decoder records) {
    Partners found;
    record::Record record;
    const auto add = [&](std::int64_t peer) {
        if (peer >= 0) found.ranks.try_emplace(static_cast<std::uint64_t>(peer), records.records());
    };
    while (records.next(record)) {
        if (record::sends(record.kind)) add(record.sent.peer);
        if (record::receives(record.kind)) add(record.received.peer);
        if (record.kind == record::Kind::communicator)
            add_communicator(found, record, records.records());
    }
    return found;
}

}  // namespace

std::vector<Partners> partners(const record::Recording& recording) {
    std::vector<Partners> all;
    for (std::uint64_t rank = 0; rank < recording.ranks(); ++rank)
        all.push_back(partners_of(recording.rank(rank)));
    return all;
}

}  // namespace lapwing::replay
