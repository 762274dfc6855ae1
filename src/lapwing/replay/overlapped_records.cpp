#include "lapwing/replay/overlapped_records.hpp"

#include <utility>

namespace lapwing::replay {

bool OverlappedRecords::next(record::Record& record) {
    while (made_.empty()) {
        if (!reader_.next(exchange_)) return false;
        refill();
    }
    present_.emplace(std::move(made_.front()));
    made_.pop_front();
    record = present_->lent();
    return true;
}

const Overlap* OverlappedRecords::overlap_of(std::uint64_t site) const {
    const auto found = options_.overlaps.find(options_.sites.of(rank_, site));
    return found == options_.overlaps.end() ? nullptr : &found->second;
}

void OverlappedRecords::refill() {
    const Overlap* const how = overlap_of(exchange_.site);
    if (!how || !how->applies_to(exchange_)) return keep_as_it_is();
    KeptRecord* const behind = reader_.behind();
    std::uint64_t all = behind ? (*behind)->computed : 0;
    const Overlap* const other = behind ? overlap_of((*behind)->site) : nullptr;
    const bool shared = other && other->side != Overlap::Side::after;
    const std::uint64_t others = shared ? all / 2 : 0;
    const std::uint64_t left = overlap(exchange_, *how, all - others, made_);
    if (behind) (*behind)->computed = left + others;
}

void OverlappedRecords::keep_as_it_is() {
    for (KeptRecord& record : exchange_.records) {
        record->request = kept_request(record->request);
        for (std::uint64_t& request : record.requests()) request = kept_request(request);
        made_.push_back(std::move(record));
    }
}

}  // namespace lapwing::replay
