#include "lapwing/plan/messages.hpp"

#include <cstddef>

namespace lapwing {

void Messages::append(std::uint64_t size, std::uint64_t count) {
    if (size == 0 || count == 0) return;
    if (!runs_.empty() && runs_.back().size == size) {
        runs_.back().count += count;
    } else {
        runs_.push_back({size, count});
    }
    count_ += count;
    volume_ += size * count;
}

Messages Messages::uniform(std::uint64_t volume, std::uint64_t size, std::uint64_t grain) {
    Messages messages(grain);
    messages.append(size, volume / size);
    messages.append(volume % size);
    return messages;
}

Messages Messages::of(const std::vector<std::uint64_t>& sizes, std::uint64_t grain) {
    Messages messages(grain);
    for (const auto size : sizes) messages.append(size);
    return messages;
}

void Messages::extend_last(std::uint64_t bytes) {
    if (bytes == 0) return;
    std::uint64_t last = 0;
    if (!runs_.empty()) {
        last = runs_.back().size;
        --count_;
        volume_ -= last;
        if (--runs_.back().count == 0) runs_.pop_back();
    }
    append(last + bytes);
}

Messages Messages::reversed() const {
    Messages other(grain_);
    const std::uint64_t odd = volume_ % grain_;
    if (count_ < 2 || odd == 0) {
        for (std::size_t i = runs_.size(); i-- > 0;) other.append(runs_[i].size, runs_[i].count);
        return other;
    }
    // The last message goes first without what no grain divides.
    Messages whole = *this;
    whole.extend_last(grain_ - odd);
    other = whole.reversed();
    const std::uint64_t first = other.runs_.front().size;
    Messages shorter(grain_);
    shorter.append(first - grain_);
    other.runs_.front().count -= 1;
    for (const auto& [size, count] : other.runs_) shorter.append(size, count);
    shorter.extend_last(odd);
    return shorter;
}

std::vector<std::uint64_t> Messages::list() const {
    std::vector<std::uint64_t> sizes;
    sizes.reserve(count_);
    for (const auto& [size, count] : runs_) sizes.insert(sizes.end(), count, size);
    return sizes;
}

}  // namespace lapwing
