#include "lapwing/replay/critical_path.hpp"

#include <utility>

#include "lapwing/replay/walk.hpp"

namespace lapwing::replay {
namespace {

/// Times, and the paths that lead there.
class Paths {
  public:
    struct Clock {
        double value = 0;
        PathTree::End path{};
    };

    void compute(Clock& clock, double nanoseconds) {
        clock.value += nanoseconds;
        tree_.compute(clock.path, nanoseconds);
    }
    void overhead(Clock& clock, double nanoseconds, const PathMessage& message) {
        clock.value += nanoseconds;
        tree_.add(clock.path, message.site, {.overhead = nanoseconds, .overheads = 1});
    }
    void fly(Clock& clock, double nanoseconds, const PathMessage& message) {
        clock.value += nanoseconds;
        tree_.add(
            clock.path, message.site,
            {.flight = nanoseconds, .latencies = message.latencies(), .gaps = message.gaps()});
    }
    static const Clock& later(const Clock& a, const Clock& b) { return a.value > b.value ? a : b; }

    [[nodiscard]] const PathTree& tree() const { return tree_; }

  private:
    PathTree tree_;
};

}  // namespace

CriticalPath critical_path(simulate::CallSource& source, const PathCosts& costs,
                           std::size_t sites) {
    Paths paths;
    const Paths::Clock end = Walk<Paths>(source, costs, paths).run();
    PathTree::Sum sum = paths.tree().sum(end.path, sites);
    return {.time = end.value, .computed = sum.computed, .sites = std::move(sum.sites)};
}

}  // namespace lapwing::replay
