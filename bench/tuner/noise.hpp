#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lapwing::bench {

/// Detours that a machine once made from a computation, as record-detours recorded them, made again
/// from another one, over and over.
class Noise {
  public:
    Noise() = default;
    /// `offset`: seconds into the recording at which it begins.
    Noise(const std::string& path, double offset) : offset_(offset) {
        std::ifstream file(path);
        if (!(file >> period_) || !(period_ > 0))
            throw std::runtime_error(path + ": no recording of detours");
        for (Detour detour; file >> detour.begin >> detour.length;) detours_.push_back(detour);
    }

    /// Seconds that `work` seconds of undisturbed computation take, begun at the moment `start`.
    [[nodiscard]] double disturbed(double start, double work) const {
        if (detours_.empty()) return work;
        const double place = std::fmod(start + offset_, period_);
        double round = 0;  // beginning of this time round, from `start - place`
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
