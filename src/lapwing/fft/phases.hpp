#pragma once

#include <array>
#include <cstddef>

#include "lapwing/compute/clock.hpp"
#include "lapwing/io/trace_event.hpp"

namespace lapwing::fft {

/// The phases of a transform on one rank (Bell et al. 2006, figures 8 and 9).
enum class Phase {
    computation,  ///< transforming lines
    packing,      ///< copying data that it sends or keeps
    initiation,   ///< starting messages
    completion,   ///< completing its own sends, and collectives
    waiting,      ///< waiting for messages of other ranks
};
inline constexpr std::size_t phases = 5;

/// Adds up the seconds of each phase over all transforms that record into it.
class Phases {
  public:
    using Time = double;
    [[nodiscard]] static Time start() { return now(); }
    void add(Phase phase, Time since) { at(phase) += now() - since; }
    /// Adds the activities of a pipeline. The drivers time computation themselves.
    void add(Activity activity, Time since) {
        if (activity == Activity::initiation) add(Phase::initiation, since);
        if (activity == Activity::wait || activity == Activity::poll) add(Phase::completion, since);
    }
    [[nodiscard]] double seconds(Phase phase) const {
        return seconds_[static_cast<std::size_t>(phase)];
    }

  private:
    [[nodiscard]] double& at(Phase phase) { return seconds_[static_cast<std::size_t>(phase)]; }

    std::array<double, phases> seconds_{};
};

/// Records nothing, at no cost.
struct NoPhases {
    struct Time {};
    static constexpr Time start() { return {}; }
    static constexpr void add(Phase, Time) {}
    static constexpr void add(Activity, Time) {}
};
inline constexpr NoPhases no_phases;

/// Adds the time from here to the end of the scope to a phase.
template <class Recorder>
class InPhase {
  public:
    InPhase(Recorder& recorder, Phase phase)
        : recorder_(recorder), phase_(phase), since_(recorder.start()) {}
    InPhase(const InPhase&) = delete;
    InPhase& operator=(const InPhase&) = delete;
    ~InPhase() { recorder_.add(phase_, since_); }

  private:
    Recorder& recorder_;
    Phase phase_;
    [[no_unique_address]] typename Recorder::Time since_;
};

}  // namespace lapwing::fft
