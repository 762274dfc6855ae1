#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/compute/vector_add.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "lapwing/plan/plan.hpp"
#include "trials/trial.hpp"

namespace lapwing::tools {

/// A stream of doubles from rank 1 to rank 0, where `VectorAdd` consumes it. It is timed on rank 0,
/// from a common start to the last element consumed; both ranks return rank 0's seconds.
template <Transport T>
class StreamTrial final : public Trial {
  public:
    /// `bytes`: of the stream, a multiple of 8. `grain`: bytes; message sizes are multiples of it.
    StreamTrial(TransportPair<T>& pair, std::uint64_t bytes, std::uint64_t grain)
        : pair_(pair),
          grain_(grain),
          a_(elements(bytes)),
          b_(elements(bytes)),
          pass_(VectorAdd::measure_pass()) {
        for (std::size_t i = 0; i < a_.size() && !pair.first(); ++i)
            a_[i] = static_cast<double>(i % 1009) * 0.37;
    }

    [[nodiscard]] bool first() const override { return pair_.first(); }
    [[nodiscard]] std::vector<GridPoint> grid(std::uint64_t smallest) const override {
        return uniform_grid({.volume = bytes(), .grain = grain_, .smallest = smallest});
    }

    [[nodiscard]] bool has_schedules() const override { return true; }

    /// Corrects the number of passes by what the computation takes here: a processor is slower when
    /// others are busy than when it is alone.
    void set_computation(double seconds) override {
        seconds_per_byte_ = seconds / static_cast<double>(bytes());
        for (int i = 0; i < 3 && seconds > 0 && !simulated_time; ++i) {
            expected_.clear();
            pass_ = pair_.from_first(pass_ * computation() / seconds);
        }
        expected_.clear();
    }

    /// Template A with one message: all communication, then all computation.
    double blocking() override { return run(TemplateSchedule::A, bytes(), 1); }
    double uniform(const GridPoint& point) override {
        return run(point.schedule, point.message, point.burst);
    }

    double planned(const Plan& plan) override {
        const VectorAdd add = kernel();
        return timed(
            [&] { feed(pair_.transport(), pair_.peer(), std::span<const double>(a_), plan); },
            [&] {
                const Source source{pair_.transport(), pair_.peer(), std::span<double>(a_)};
                for (const auto piece : stream<double>(source, plan))
                    consume(add, piece.first, piece.data.size());
            });
    }

    double computation() override {
        const VectorAdd add = kernel();
        return timed([] {}, [&] { consume(add, 0, a_.size()); });
    }

  private:
    static std::size_t elements(std::uint64_t bytes) { return bytes / sizeof(double); }
    [[nodiscard]] std::uint64_t bytes() const { return a_.size() * sizeof(double); }
    [[nodiscard]] std::span<std::byte> whole() { return std::as_writable_bytes(std::span(a_)); }
    [[nodiscard]] VectorAdd kernel() const { return {seconds_per_byte_, pass_}; }

    void consume(const VectorAdd& add, std::uint64_t first, std::uint64_t count) {
        if (seconds_per_byte_ > 0) add(a_.data(), b_.data(), first, count, [] { poll(); });
    }

    /// One of the paper's templates, with messages of `size` bytes in bursts of `burst`.
    double run(TemplateSchedule schedule, std::uint64_t size, int burst) {
        const auto sizes = Messages::uniform(bytes(), size);
        const VectorAdd add = kernel();
        return timed(
            [&] {
                feed(pair_.transport(), pair_.peer(), whole(),
                     {sizes, outstanding(schedule, burst)});
            },
            [&] {
                run_schedule(schedule, Source{pair_.transport(), pair_.peer(), std::span(whole())},
                             size, burst, [&](std::uint64_t offset, std::uint64_t count) {
                                 consume(add, offset / sizeof(double), count / sizeof(double));
                             });
            });
    }

    template <class Send, class Receive>
    double timed(Send&& send, Receive&& receive) {
        std::fill(b_.begin(), b_.end(), 0.0);
        const double start = pair_.start_together();
        if (pair_.first()) {
            receive();
        } else {
            send();
        }
        const double seconds = pair_.transport().now() - start;
        if (pair_.first()) verify();
        return pair_.from_first(seconds);
    }

    /// Throws `std::runtime_error` if the result differs from that of the first run, which is the
    /// blocking one.
    void verify() {
        if (seconds_per_byte_ <= 0) return;
        if (expected_.empty()) {
            expected_ = b_;
        } else if (std::memcmp(expected_.data(), b_.data(), bytes()) != 0) {
            throw std::runtime_error("a run's result differs from the blocking run's");
        }
    }

    TransportPair<T>& pair_;
    std::uint64_t grain_;
    std::vector<double> a_;
    std::vector<double> b_;
    std::vector<double> expected_;
    double pass_;
    double seconds_per_byte_ = 0;
};

}  // namespace lapwing::tools
