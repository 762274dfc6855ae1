#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/program/schedule.hpp"

namespace lapwing::simulate {

/// The order in which the operations of one step start. Up to 16 operations keep the order of their
/// list. More are in the order of `std::sort` by kind, as in LogGOPSim, so that finish times are
/// the same. Orders are kept by the form of a step, of which a schedule has few.
class StartOrder {
  public:
    /// A number for the order of `step`, which `sent` and `posted` take.
    std::uint32_t of(const Step& step) {
        if (step.sends + step.receives <= 16) return 0;
        for (std::size_t i = 0; i < known_.size(); ++i)
            if (known_[i].step.sends == step.sends && known_[i].step.receives == step.receives &&
                known_[i].step.alternating == step.alternating)
                return static_cast<std::uint32_t>(i + 1);
        known_.push_back(sorted(step));
        return static_cast<std::uint32_t>(known_.size());
    }

    /// The place in the list of the send that starts as the `index`-th.
    [[nodiscard]] std::uint32_t sent(std::uint32_t order, std::uint32_t index) const {
        return order == 0 ? index : known_[order - 1].sends[index];
    }

    /// The place in the list of the receive that is posted as the `index`-th.
    [[nodiscard]] std::uint32_t posted(std::uint32_t order, std::uint32_t index) const {
        return order == 0 ? index : known_[order - 1].receives[index];
    }

  private:
    struct Known {
        Step step;
        std::vector<std::uint32_t> sends;
        std::vector<std::uint32_t> receives;
    };

    static Known sorted(const Step& step) {
        struct Listed {
            bool receive;
            std::uint32_t index;
        };
        std::vector<Listed> list;
        list.reserve(std::size_t{step.sends} + step.receives);
        if (step.alternating) {
            for (std::uint32_t i = 0; i < std::max(step.sends, step.receives); ++i) {
                if (i < step.sends) list.push_back({false, i});
                if (i < step.receives) list.push_back({true, i});
            }
        } else {
            for (std::uint32_t i = 0; i < step.sends; ++i) list.push_back({false, i});
            for (std::uint32_t i = 0; i < step.receives; ++i) list.push_back({true, i});
        }
        std::sort(list.begin(), list.end(),
                  [](const Listed& a, const Listed& b) { return !a.receive && b.receive; });
        Known known{step, {}, {}};
        for (const auto& [receive, index] : list)
            (receive ? known.receives : known.sends).push_back(index);
        return known;
    }

    std::vector<Known> known_;
};

}  // namespace lapwing::simulate
