#include "lapwing/calibrate/statistics/refine_sizes.hpp"

#include <cmath>

namespace lapwing {
namespace {

struct TimedSize {
    std::uint64_t size = 0;
    double seconds = 0;
};

class Refinement {
  public:
    Refinement(std::uint64_t unit, const std::function<double(std::uint64_t)>& seconds,
               double share, std::vector<std::uint64_t>& sizes)
        : unit_(unit), seconds_(seconds), share_(share), sizes_(sizes) {}

    /// Appends to the sizes what lies between `low` and `high`, halving at most `halvings` times.
    void between(const TimedSize& low, const TimedSize& high, int halvings) {
        const auto middle = (low.size + high.size) / 2 / unit_ * unit_;
        if (halvings == 0 || middle <= low.size) return;
        const double along =
            static_cast<double>(middle - low.size) / static_cast<double>(high.size - low.size);
        const double line = low.seconds + along * (high.seconds - low.seconds);
        const TimedSize found{middle, seconds_(middle)};
        if (std::abs(found.seconds - line) <= share_ * line) return;
        between(low, found, halvings - 1);
        sizes_.push_back(middle);
        between(found, high, halvings - 1);
    }

  private:
    std::uint64_t unit_;
    const std::function<double(std::uint64_t)>& seconds_;
    double share_;
    std::vector<std::uint64_t>& sizes_;
};

}  // namespace

std::vector<std::uint64_t> refine_where_nonlinear(
    const std::vector<std::uint64_t>& sizes, std::uint64_t unit, double longest,
    const std::function<double(std::uint64_t)>& seconds, double share) {
    constexpr int halvings = 2;
    std::vector<std::uint64_t> all;
    Refinement refinement(unit, seconds, share, all);
    TimedSize last;
    bool measuring = true;
    for (const auto size : sizes) {
        if (measuring) {
            const TimedSize next{size, seconds(size)};
            measuring = next.seconds <= longest;
            if (measuring && !all.empty()) refinement.between(last, next, halvings);
            last = next;
        }
        all.push_back(size);
    }
    return all;
}

}  // namespace lapwing
