#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing::simulate {

/// The network interface of one rank: its messages go through one after another, or all together at
/// equal shares.
class Wire {
  public:
    explicit Wire(Nic nic) : sharing_(nic == Nic::sharing) {}

    /// Adds a message that enters at `time`, but not before the one added before it, and would take
    /// `seconds` alone. Messages are numbered from 0.
    void enter(double time, double seconds) {
        if (!sharing_) {
            busy_ = std::max(busy_, time) + seconds;
            ends_.push_back(busy_);
            return;
        }
        entering_.push_back({std::max(time, busy_), seconds});
        busy_ = entering_.back().time;
        ends_.push_back(never);
    }
    /// When message `number` has left the wire. Messages added after this call must not enter
    /// before that time.
    [[nodiscard]] double end(std::size_t number) {
        while (ends_[number] == never) step();
        return ends_[number];
    }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    struct Entering {
        double time;
        double seconds;
    };
    struct Active {
        double left;  ///< value of `served_` at which it has left
        std::size_t number;
    };

    /// Advances to the next time at which a message enters or leaves.
    void step() {
        double enters = never;
        if (next_ < entering_.size()) enters = entering_[next_].time;
        const auto first =
            std::min_element(active_.begin(), active_.end(),
                             [](const Active& a, const Active& b) { return a.left < b.left; });
        const auto shares = static_cast<double>(active_.size());
        const double ends =
            active_.empty() ? never : now_ + std::max(0.0, first->left - served_) * shares;
        if (enters <= ends) {
            if (!active_.empty()) served_ += (enters - now_) / shares;
            now_ = enters;
            active_.push_back({served_ + entering_[next_].seconds, next_});
            ++next_;
        } else {
            served_ = first->left;
            now_ = ends;
            ends_[first->number] = now_;
            active_.erase(first);
        }
    }

    bool sharing_;
    double busy_ = 0;
    std::vector<double> ends_;
    std::vector<Entering> entering_;
    std::size_t next_ = 0;
    std::vector<Active> active_;
    double now_ = 0;
    double served_ = 0;  ///< seconds that a message under way since the start has had
};

}  // namespace lapwing::simulate
