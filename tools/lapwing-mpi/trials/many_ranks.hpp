#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/compute/vector_add.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "trials/trial.hpp"

namespace lapwing::tools {

/// What the trials of many ranks share: the common start, the computation (`VectorAdd` over the
/// data that a rank has or receives), and the comparison of results with the blocking run's.
class ManyRanksTrial : public Trial {
  public:
    /// `balanced`: all ranks begin each run together. Otherwise several runs follow each other
    /// without a barrier, so that ranks may drift apart, and the time is their mean.
    ManyRanksTrial(RankGroup& group, bool balanced)
        : group_(group), rounds_(balanced ? 1 : rounds_adrift), pass_(VectorAdd::measure_pass()) {
        pass_ = group_.broadcast(pass_);
    }

    [[nodiscard]] bool first() const override { return group_.rank() == 0; }
    double computation() override {
        return timed([&] { compute_all(); });
    }
    /// Corrects the number of passes by what the computation takes here: a processor is slower when
    /// others are busy than when it is alone.
    void set_computation(double seconds) override {
        seconds_per_byte_ = seconds / computed_bytes();
        for (int i = 0; i < 3 && seconds > 0 && !simulated_time; ++i) {
            expected_.clear();
            pass_ *= computation() / seconds;
        }
        expected_.clear();
    }

  protected:
    /// Computes all that this rank computes, in the order of memory.
    virtual void compute_all() = 0;
    /// The part of this rank's data that must be the same however the workload was run.
    [[nodiscard]] virtual std::span<double> outcome() = 0;
    /// Bytes computed by each rank that computes.
    [[nodiscard]] virtual double computed_bytes() const = 0;

    [[nodiscard]] RankGroup& group() const { return group_; }
    [[nodiscard]] int rank() const { return group_.rank(); }
    [[nodiscard]] int size() const { return group_.size(); }
    /// Whether anything is computed; otherwise communication is timed alone.
    [[nodiscard]] bool computes() const { return seconds_per_byte_ > 0; }

    /// Computes `count` elements of `whole`, beginning with element `first`, from those at `from`.
    void compute(const double* from, std::span<double> whole, std::uint64_t first,
                 std::uint64_t count) const {
        if (!computes() || count == 0) return;
        const VectorAdd add(seconds_per_byte_, pass_);
        add.piece(from, whole.data() + first, first, count, [] { poll(); });
    }
    /// Computes all elements of `whole`.
    void compute(std::span<const double> from, std::span<double> whole) const {
        compute(from.data(), whole, 0, from.size());
    }

    /// Seconds from a common start until the last rank is done with `run()`.
    template <class Run>
    double timed(Run&& run) {
        const std::span<double> result = outcome();
        std::fill(result.begin(), result.end(), 0.0);
        const double start = group_.start_together();
        for (int round = 0; round < rounds_; ++round) run();
        return group_.max(now() - start) / rounds_;
    }
    /// The same, and compares the outcome with the blocking run's.
    template <class Run>
    double verified(Run&& run) {
        const double seconds = timed(run);
        verify();
        return seconds;
    }
    /// Throws `std::runtime_error` if the outcome differs from that of the first run, which is the
    /// blocking one.
    void verify() {
        if (!computes()) return;
        const std::span<const double> result = outcome();
        if (expected_.empty()) {
            expected_.assign(result.begin(), result.end());
        } else if (std::memcmp(expected_.data(), result.data(), result.size_bytes()) != 0) {
            throw std::runtime_error("a run's result differs from the blocking run's");
        }
    }

    /// Fills `data` with whole numbers, whose sums are exact in any order. They differ between
    /// ranks and repeat after `period` bytes.
    void fill(std::span<double> data, std::uint64_t period) const {
        const std::size_t each = period / sizeof(double);
        for (std::size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<double>(i % each % 1009 + 7 * static_cast<std::size_t>(rank()));
    }

  private:
    static constexpr int rounds_adrift = 4;  ///< runs that follow each other without a barrier

    RankGroup& group_;
    int rounds_;
    double pass_;  ///< seconds per byte of one pass of `VectorAdd`
    double seconds_per_byte_ = 0;
    std::vector<double> expected_;  ///< the blocking run's outcome
};

/// The memory of a transport as numbers.
template <class Memory>
[[nodiscard]] std::span<double> numbers(const Memory& memory) {
    auto* const first = const_cast<std::byte*>(memory.data());
    return {reinterpret_cast<double*>(first), memory.size() / sizeof(double)};
}

}  // namespace lapwing::tools
