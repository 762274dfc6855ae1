#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "lapwing/calibrate/environment/minimum_time.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

#ifndef LAPWING_SMPI
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#endif

namespace lapwing {

/// How long a cache line takes from the processor of one of two ranks to that of the other, where
/// they share memory. A virtual machine's processors move about those of its host: for seconds they
/// lie beside each other, then on different dies, and all that two ranks of one host tell each
/// other, through memory or the kernel, takes up to three times as long. Nothing inside shows it
/// but this. In simulated time, and between hosts, it is 0.
class CacheLineLatency {
  public:
    /// Both ranks of `pair`, a `TransportPair`, make one together.
    template <class P>
    explicit CacheLineLatency(P& pair) : first_(pair.first()) {
#ifndef LAPWING_SMPI
        // Whether they share memory shows if one finds there what the other has left.
        std::uint64_t number = first_ ? secret() : 0;
        if (first_) line_ = map(name(number), true);
        if (line_) line_->number = number;
        if (first_ && !line_) number = 0;
        number = static_cast<std::uint64_t>(pair.from_first(static_cast<double>(number)));
        if (!first_ && number != 0) line_ = map(name(number), false);
        const bool found = line_ && line_->number == number;
        if (pair.from_second(found ? 1 : 0) == 0) line_.reset();
        if (first_ && number != 0) shm_unlink(name(number).c_str());
        // On one processor they take turns, and what is measured is the system's.
        constexpr double turns = 2e-6;
        if (line_ && pair.from_first(seconds(pair)) > turns) line_.reset();
#else
        static_cast<void>(pair);
#endif
    }

    /// Seconds one way, the least of some tries, after both ranks have come here. Each has its own
    /// reading; rank 0's is the one to go by.
    template <class P>
    double seconds(P& pair) {
        if (!line_) return 0;
        // Who looks at the line does not let messages progress.
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

    /// Whether they share memory, so that there is something to measure; the same on both ranks.
    [[nodiscard]] bool known() const { return line_ != nullptr; }

  private:
    struct Line {
        alignas(128) std::atomic<std::uint64_t> turn;
        std::uint64_t number;
    };
    struct Unmap {
        void operator()([[maybe_unused]] Line* line) const {
#ifndef LAPWING_SMPI
            munmap(line, sizeof(Line));
#endif
        }
    };
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
    static constexpr int tries = 8;
    static constexpr int trips = 32;

#ifndef LAPWING_SMPI
    static std::string name(std::uint64_t number) { return "/lapwing-" + std::to_string(number); }
    /// What no other two ranks have in common, as a whole number that a double can be.
    static std::uint64_t secret() {
        const auto nanoseconds = static_cast<std::uint64_t>(1e9 * now());
        const auto process = static_cast<std::uint64_t>(getpid());
        return (nanoseconds * 0x9e3779b97f4a7c15U ^ process * 0xbf58476d1ce4e5b9U) >> 12U;
    }
    /// Nothing where that is not allowed, or no memory is left.
    static std::unique_ptr<Line, Unmap> map(const std::string& name, bool create) {
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
        // Zeroes, as new memory is.
        return std::unique_ptr<Line, Unmap>(static_cast<Line*>(place));
    }
#endif

    void await(std::uint64_t turn) {
#ifndef LAPWING_SMPI
        constexpr int patience = 10'000;
        // Where both have one processor, the other needs it.
        for (int i = 0; line_->turn.load(std::memory_order_acquire) != turn;)
            i < patience ? ++i : sched_yield();
#else
        static_cast<void>(turn);
#endif
    }

    bool first_;
    std::unique_ptr<Line, Unmap> line_;
    std::uint64_t turn_ = 0;
};

}  // namespace lapwing
