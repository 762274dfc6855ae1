#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lapwing::bench {

/// Noise as record-detours recorded it on a machine, replayed over and over in another computation.
class Noise {
  public:
    Noise() = default;
    /// `offset`: seconds into the recording where the replay begins.
    Noise(const std::string& path, double offset) : offset_(offset) {
        std::ifstream file(path);
        if (!(file >> period_) || !(period_ > 0))
            throw std::runtime_error(path + ": no recording of detours");
        for (Detour detour; file >> detour.begin >> detour.length;) detours_.push_back(detour);
    }

    /// Seconds that a computation of `work` undisturbed seconds takes if it begins at the moment
    /// `start`.
    [[nodiscard]] double disturbed(double start, double work) const {
        if (detours_.empty()) return work;
        const double place = std::fmod(start + offset_, period_);
        double round = 0;  // when this pass of the recording began, from `start - place`
        double at = place;
        auto next = std::partition_point(
            detours_.begin(), detours_.end(),
            [&](const Detour& detour) { return detour.begin + detour.length <= place; });
        for (;; ++next) {
            if (next == detours_.end()) {
                next = detours_.begin();
                round += period_;
            }
            const double begin = round + next->begin;
            if (at + work <= begin) return at + work - place;
            work -= std::max(0.0, begin - at);
            at = std::max(at, begin + next->length);
        }
    }

  private:
    struct Detour {
        double begin = 0;
        double length = 0;
    };
    std::vector<Detour> detours_;
    double period_ = 1;
    double offset_ = 0;
};

}  // namespace lapwing::bench
