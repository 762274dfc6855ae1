#include "lapwing/replay/overlapped_records.hpp"

#include <utility>

namespace lapwing::replay {

bool OverlappedRecords::next(record::Record& record) {
    while (made_.empty()) {
        if (!exchanges_.next(rank_, exchange_)) return false;
        if (const Overlap* const how = exchanges_.overlap_of(rank_, exchange_))
            overlap_exchange(*how);
        else
            keep(exchange_, numbers_, made_);
    }
    present_.emplace(std::move(made_.front()));
    made_.pop_front();
    record = present_->lent();
    return true;
}

void OverlappedRecords::overlap_exchange(const Overlap& how) {
    KeptRecord* const behind = exchanges_.behind(rank_);
    const std::uint64_t all = behind ? (*behind)->computed : 0;
    const Overlap* const other = behind ? exchanges_.overlap_of(rank_, (*behind)->site) : nullptr;
    const std::uint64_t others = other && other->before() ? all / 2 : 0;
    const std::uint64_t left = overlap(std::move(exchange_), how, all - others, numbers_, made_);
    if (behind) (*behind)->computed = left + others;
}

}  // namespace lapwing::replay
