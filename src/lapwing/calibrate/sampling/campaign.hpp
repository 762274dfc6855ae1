#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lapwing/calibrate/sampling/sampling.hpp"
#include "lapwing/calibrate/sampling/series.hpp"

namespace lapwing {

/// Measures many quantities in turn, round after round, until each is known well enough or the time
/// is over. A slow spell of the machine then meets all quantities a little instead of one
/// altogether, and the median drops what is left of it.
class Campaign {
  public:
    /// `sampling.goal`: `accuracy` is what each series has to reach, `budget` the seconds for all
    /// rounds, and `least` the rounds to make in any case, for the error to mean something.
    explicit Campaign(Sampling sampling) : sampling_(std::move(sampling)) {}

    /// Adds a quantity, which `what` names for people. Both ranks call `visit()` again and again;
    /// on rank 0 it adds samples to `series`.
    void add(std::string what, std::vector<Series*> series, std::function<void()> visit);

    /// Measures. Both ranks call it.
    void run();

  private:
    struct Item {
        std::string what;
        std::vector<Series*> series;
        std::function<void()> visit;
        bool done = false;
    };

    void visit_in_turn(Item& item, int round);
    void visit(Item& item, bool waiting);
    [[nodiscard]] bool remaining() const;
    [[nodiscard]] bool known(const Item& item) const;
    [[nodiscard]] bool in_best_environment(const Item& item) const;
    void report(const std::string& what, double spent);
    void count_noise();

    Sampling sampling_;
    std::vector<Item> items_;
    double start_ = 0;
    double waited_ = 0;    ///< seconds beyond the budget, for a better environment
    double reported_ = 0;  ///< the largest share that was reported
};

}  // namespace lapwing
