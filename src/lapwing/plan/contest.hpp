#pragma once

#include <limits>
#include <vector>

#include "lapwing/plan/fewer.hpp"
#include "lapwing/plan/finalist.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/plan/schedule.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Plays finalists by the engine for as long as there is time, each once.
class Contest {
  public:
    /// `plan`: transport, and messages whose grain counts. `fewer`: the workload, of all ranks or
    /// of fewer. `effort`: of all that is played, see `Rehearsal::effort`.
    Contest(const Profile& profile, const Plan& plan, const FinalLimits& limits, const Fewer& fewer,
            double effort);

    /// Whether it is the best so far; what takes long is left for later, or for never. `slower`: so
    /// many times as long as others it may take.
    bool play_soon(const Finalist& finalist, double slower = 1);
    /// Whether it is the best so far. `patience`: the share of all effort that it may take; it is
    /// given up after that, and not played at all if others show that it would be.
    bool play(const Finalist& finalist, double patience = at_most);
    /// Leaves so much effort to others.
    void leave(double effort) { left_ -= effort; }

    /// Whether any was played to its end.
    [[nodiscard]] bool any() const { return best_.messages.count() > 0; }
    /// Of the best, among all ranks.
    [[nodiscard]] double seconds() const { return seconds_; }
    [[nodiscard]] const Finalist& best() const { return best_; }
    /// Of one, among all ranks; infinite where it was not played to its end.
    [[nodiscard]] double seconds_of(const Finalist& finalist) const;
    /// Those that were played, the fastest first.
    [[nodiscard]] std::vector<Finalist> ranking() const;
    /// How many times as much effort than was estimated all took that were played.
    [[nodiscard]] double pace() const { return estimated_ > 0 ? taken_ / estimated_ : 1; }

  private:
    /// The share of all effort that one may take that was not there from the beginning.
    static constexpr double at_most = 0.25;

    struct Played {
        double seconds = 0;
        Finalist finalist;
    };
    [[nodiscard]] const Played* find(const Finalist& finalist) const;

    Rehearsal rehearsal_;
    FinalLimits limits_;
    Plan trial_;
    Fewer fewer_;
    double effort_;
    double left_;
    double estimated_ = 0;
    double taken_ = 0;
    std::vector<Played> played_;
    double seconds_ = std::numeric_limits<double>::infinity();
    Finalist best_;
};

}  // namespace lapwing
