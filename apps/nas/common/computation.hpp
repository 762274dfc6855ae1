#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/forecast/recorded_rank.hpp"
#include "lapwing/pipeline/trace/trace.hpp"

namespace lapwing::nas {

/// A loop of a benchmark.
struct Kernel {
    const char* name;
    /// What an element takes on a simulated cluster, where loops take no time by themselves: as
    /// long as so many bytes of the kernel "add".
    double bytes;
};

/// The recorder of messages: it leaves out computation, which `Computation` records itself.
class MessageTrace {
  public:
    using Time = Trace::Time;
    explicit MessageTrace(Trace& trace) : trace_(trace) {}
    [[nodiscard]] static Time start() { return Trace::start(); }
    void add(Activity activity, Time since) {
        if (activity != Activity::computation && activity != Activity::consumption)
            trace_.add(activity, since);
    }

  private:
    Trace& trace_;
};

/// Performs the loops of a rank and times them; charges them on a simulated cluster.
class Computation {
  public:
    using Recorder = MessageTrace;
    /// Whether loops are performed, on arrays that exist.
    static constexpr bool performs = true;
    /// Seconds between polls of messages under way: most MPIs move long messages only while they
    /// are called. On simulated clusters messages move by themselves.
    static constexpr double poll_interval = simulated_time ? 0 : 50e-6;

    /// `trace` outlives it.
    Computation(std::span<const Kernel> kernels, Trace& trace)
        : kernels_(kernels), trace_(trace), messages_(trace), spent_(kernels.size()) {}

    /// Calls `loop()`, which is `elements` elements of kernel `kernel`.
    template <class Loop>
    void run(std::size_t kernel, std::size_t elements, Loop&& loop) {
        if (elements == 0) return;
        const double start = now();
        loop();
        if constexpr (simulated_time)
            charge(kernels_[kernel].bytes * static_cast<double>(elements) / simulated_rate("add"));
        const double before = trace_.seconds(Activity::computation);
        trace_.add(Activity::computation, start);
        spent_[kernel].seconds += trace_.seconds(Activity::computation) - before;
        spent_[kernel].elements += static_cast<double>(elements);
    }
    /// Seconds that an element of each kernel took so far; 0 of those that never ran.
    [[nodiscard]] std::vector<double> costs() const {
        std::vector<double> seconds;
        for (const auto& [taken, elements] : spent_)
            seconds.push_back(elements > 0 ? taken / elements : 0);
        return seconds;
    }
    /// Seconds that kernel `kernel` took so far, and for how many elements.
    [[nodiscard]] double seconds(std::size_t kernel) const { return spent_[kernel].seconds; }
    [[nodiscard]] double elements(std::size_t kernel) const { return spent_[kernel].elements; }
    /// Forgets what was timed and traced so far.
    void restart() {
        spent_.assign(spent_.size(), {});
        trace_ = {};
    }
    [[nodiscard]] Recorder& recorder() { return messages_; }

  private:
    struct Spent {
        double seconds = 0;
        double elements = 0;
    };

    std::span<const Kernel> kernels_;
    Trace& trace_;
    MessageTrace messages_;
    std::vector<Spent> spent_;
};

/// Records the loops of a rank in place of performing them.
class RecordedComputation {
  public:
    using Recorder = const NoTrace;
    static constexpr bool performs = false;
    static constexpr double poll_interval = 0;

    /// `costs`: seconds that an element of each kernel takes. All arguments outlive it.
    RecordedComputation(std::span<const double> costs, RecordedRank& rank)
        : costs_(costs), rank_(rank) {}

    template <class Loop>
    void run(std::size_t kernel, std::size_t elements, Loop&& /*loop*/) {
        rank_.compute(costs_[kernel] * static_cast<double>(elements));
    }
    [[nodiscard]] static Recorder& recorder() { return no_trace; }

  private:
    std::span<const double> costs_;
    RecordedRank& rank_;
};

}  // namespace lapwing::nas
