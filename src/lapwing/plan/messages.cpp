#include "lapwing/plan/messages.hpp"

namespace lapwing {

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

void Messages::append(std::uint64_t size, std::uint64_t count) {
    if (size == 0 || count == 0) return;
    if (runs_.empty() || runs_.back().size != size) runs_.push_back({size, 0});
    runs_.back().count += count;
    count_ += count;
    volume_ += size * count;
}

void Messages::extend_last(std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::uint64_t last = runs_.empty() ? 0 : runs_.back().size;
    if (last > 0) {
        --count_;
        volume_ -= last;
        if (--runs_.back().count == 0) runs_.pop_back();
    }
    append(last + bytes);
}

Messages Messages::reversed() const {
    Messages other(grain_);
    const std::uint64_t odd = count_ > 1 ? volume_ % grain_ : 0;
    // The last message goes first, without what no grain divides.
    if (odd > 0) other.append(runs_.back().size - odd);
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run)
        other.append(run->size, run->count - (odd > 0 && run == runs_.rbegin() ? 1 : 0));
    other.extend_last(odd);
    return other;
}

std::uint64_t Messages::fingerprint() const {
    std::uint64_t value = 0;
    const auto add = [&](std::uint64_t number) {  // the finalizer of MurmurHash3
        value ^= number;
        value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdU;
        value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53U;
        value ^= value >> 33;
    };
    for (const auto& [size, count] : runs_) {
        add(size);
        add(count);
    }
    return value;
}

std::vector<std::uint64_t> Messages::list() const {
    std::vector<std::uint64_t> sizes;
    sizes.reserve(count_);
    for (const auto& [size, count] : runs_) sizes.insert(sizes.end(), count, size);
    return sizes;
}

}  // namespace lapwing
