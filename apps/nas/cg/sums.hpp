#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "../common/options.hpp"
#include "lapwing/pipeline/collectives/allreduce.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "settings.hpp"

namespace lapwing::nas::cg {

/// Sums over all ranks, one after the other, whose rounds take place while a product is computed.
template <Transport T, class Computation>
class Sums {
  public:
    static constexpr std::size_t most = 3;  ///< numbers of a sum

    /// `transport` and `computation` outlive it.
    Sums(T& transport, Computation& computation, const Options& options)
        : computation_(computation),
          blocking_(options.schedule == Schedule::blocking),
          sum_(transport, most, tag, 0,
               groups(transport.size(), static_cast<int>(options.settings[setting::group]))) {}

    /// Initiates the sum of each of `own` over all ranks, and waits for it if blocking.
    void start(std::initializer_list<double> own) {
        {
            const Traced traced(computation_.recorder(), Activity::initiation);
            rounds_ = 0;
            request_ = sum_.allreduce({own.begin(), own.size()}, total_.data());
        }
        if (blocking_) wait();
    }
    /// Waits for as many rounds as should be over when `share` of the product is computed.
    void progress(double share) {
        const auto all = static_cast<double>(sum_.groups().size());
        for (; rounds_ < all && rounds_ + 1 <= share * all; ++rounds_) {
            const Traced traced(computation_.recorder(), Activity::wait);
            request_.wait_round();
        }
    }
    /// Waits for the sum, unless it is complete, and returns it.
    std::array<double, most> wait() {
        const Traced traced(computation_.recorder(), Activity::wait);
        request_.wait();
        return total_;
    }

  private:
    [[nodiscard]] static Groups groups(int ranks, int group) {
        Groups groups;
        for (int left = ranks; left > 1; left /= groups.back())
            groups.push_back(std::min(left, group));
        return groups;
    }

    static constexpr int tag = 3;
    Computation& computation_;
    bool blocking_;
    std::array<double, most> total_{};
    Allreduce<T> sum_;
    typename Allreduce<T>::Request request_;
    double rounds_ = 0;  ///< awaited
};

}  // namespace lapwing::nas::cg
