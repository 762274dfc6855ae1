#include "lapwing/calibrate/environment/cache_line_latency.hpp"

#include <atomic>

#ifndef LAPWING_SMPI
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "lapwing/calibrate/environment/minimum_time.hpp"
#include "lapwing/compute/clock.hpp"
#endif

namespace lapwing {

struct CacheLineLatency::Line {
    alignas(128) std::atomic<std::uint64_t> turn;
    std::uint64_t number;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

#ifdef LAPWING_SMPI

void CacheLineLatency::Unmap::operator()(Line*) const {}
CacheLineLatency::CacheLineLatency(RankPair& pair) : first_(pair.first()) {}
double CacheLineLatency::seconds(RankPair&) { return 0; }

#else

namespace {

std::string shared_name(std::uint64_t number) { return "/lapwing-" + std::to_string(number); }

/// A number that no other two ranks use, and that a double can hold.
std::uint64_t unique_number() {
    const auto nanoseconds = static_cast<std::uint64_t>(1e9 * now());
    const auto process = static_cast<std::uint64_t>(getpid());
    return (nanoseconds * 0x9e3779b97f4a7c15U ^ process * 0xbf58476d1ce4e5b9U) >> 12U;
}

}  // namespace

CacheLineLatency::CacheLineLatency(RankPair& pair) : first_(pair.first()) {
    // The ranks share memory if rank 1 finds there what rank 0 has written.
    std::uint64_t number = first_ ? unique_number() : 0;
    if (first_) line_ = map(number, true);
    if (line_) line_->number = number;
    if (first_ && !line_) number = 0;
    number = static_cast<std::uint64_t>(pair.from_first(static_cast<double>(number)));
    if (!first_ && number != 0) line_ = map(number, false);
    const bool found = line_ && line_->number == number;
    if (pair.from_second(found ? 1 : 0) == 0) line_.reset();
    if (first_ && number != 0) shm_unlink(shared_name(number).c_str());
    // Ranks on one core take turns: that would measure the scheduler.
    constexpr double turns = 2e-6;
    if (line_ && pair.from_first(seconds(pair)) > turns) line_.reset();
}

double CacheLineLatency::seconds(RankPair& pair) {
    constexpr int tries = 8;
    constexpr int trips = 32;
    if (!line_) return 0;
    // Messages make no progress while a rank watches the line.
    pair.barrier();
    const double least = minimum_time(tries, [&] {
        for (int k = 0; k < trips; ++k) {
            if (first_) line_->turn.store(++turn_, std::memory_order_release);
            await(++turn_);
            if (!first_) line_->turn.store(++turn_, std::memory_order_release);
        }
    });
    return least / (2 * trips);
}

void CacheLineLatency::Unmap::operator()(Line* line) const { munmap(line, sizeof(Line)); }

std::unique_ptr<CacheLineLatency::Line, CacheLineLatency::Unmap> CacheLineLatency::map(
    std::uint64_t number, bool create) {
    const std::string name = shared_name(number);
    const int file = shm_open(name.c_str(), create ? O_RDWR | O_CREAT | O_EXCL : O_RDWR, 0600);
    if (file < 0) return nullptr;
    void* place = MAP_FAILED;
    if (!create || posix_fallocate(file, 0, sizeof(Line)) == 0)
        place = mmap(nullptr, sizeof(Line), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (place == MAP_FAILED) {
        if (create) shm_unlink(name.c_str());
        return nullptr;
    }
    // New shared memory is zeroed.
    return std::unique_ptr<Line, Unmap>(static_cast<Line*>(place));
}

void CacheLineLatency::await(std::uint64_t turn) {
    constexpr int spins = 10'000;
    // If both ranks have one core, the other needs it.
    for (int i = 0; line_->turn.load(std::memory_order_acquire) != turn;)
        i < spins ? ++i : sched_yield();
}

#endif

}  // namespace lapwing
