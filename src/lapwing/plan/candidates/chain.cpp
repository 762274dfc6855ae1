#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/plan/candidates/message_cutter.hpp"
#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {
namespace {

/// Longest chain, messages: a longer one saves less than it takes to plan.
constexpr int most_chained = 512;

/// Messages grow until their overhead is this share of their time. Larger ones save nothing, and
/// make the plan brittle against a wrong estimate of the computation.
constexpr double least_overhead = 1e-3;

/// Sizes `S_{k+1} = ratio S_k + increment`: real numbers of bytes, which are cut at the grain.
class Chain {
  public:
    Chain(const model::Stream& x, const Messages& whole, double most)
        : x_(x),
          cutter_(whole.volume(), whole.grain()),
          volume_(static_cast<double>(whole.volume())),
          grain_(static_cast<double>(whole.grain())),
          ratio_((x.t + x.o_r.per_byte) / x.G),
          increment_((x.o_r.base - x.h) / x.G) {
        const double overhead = std::max(x.o_s.base, x.o_r.base);
        const double worth = overhead / (least_overhead * x.G * std::max(1.0, ratio_));
        cap_ = std::max(grain_, std::min(most, worth));
        count_ = std::min({model::chain_count(x, volume_, search_options.gain_per_message),
                           static_cast<int>(std::min(volume_ / grain_, 1e6)), most_chained});
        for (;; count_ -= 1 + count_ / 16) {
            first_ = model::chain_first(x, volume_, count_);
            const auto sums = model::geometric_sums(ratio_, count_ - 1);
            last_ = sums.powers * first_ + increment_ * sums.first;
            if (count_ <= 1 || std::min(first_, last_) >= grain_) break;
        }
    }

    /// Messages of the longest chain whose shortest message, at one of its ends, is a grain or
    /// more.
    [[nodiscard]] int count() const { return count_; }
    /// Whether it has messages that are longer than is worth anything.
    [[nodiscard]] bool exceeds_cap() const { return std::max(first_, last_) > cap_; }

    /// The chain in `n` messages. The sender issues its second message `o_s` after the first; where
    /// that is after the first has left, the second is shorter by as much as it is late, and the
    /// chain starts from there.
    [[nodiscard]] Messages cut(int n) const {
        MessageCutter cutter = cutter_;
        double size = model::chain_first(x_, volume_, n);
        const double issue_rate = x_.o_s.per_byte + x_.G;
        const double late = (x_.o_r.base - x_.o_s.base) / issue_rate;  // headers cancel
        const double late_ratio = (x_.G + x_.t + x_.o_r.per_byte) / issue_rate;
        if (late + late_ratio * size < after(size)) {
            const auto rest = model::geometric_sums(ratio_, n - 1);
            const double opening = (volume_ - increment_ * rest.second - rest.first * late) /
                                   (1 + rest.first * late_ratio);
            cutter.append(opening);
            size = late + late_ratio * opening;
            --n;
        }
        for (; n > 0; --n) {
            cutter.append(size);
            size = after(size);
        }
        return cutter.finish();
    }

    /// The longest chain as far as it stays below the cap, followed from its small end, and equal
    /// messages of about the cap for the rest: behind it, or before it if the chain shrinks.
    [[nodiscard]] Messages cut_capped() const {
        const bool growing = first_ < last_;
        std::vector<double> chained;
        double size = std::max(std::min(first_, last_), grain_);
        double sum = 0;
        while (size < cap_ && sum + size < volume_ &&
               chained.size() < static_cast<std::size_t>(most_chained)) {
            chained.push_back(size);
            sum += size;
            const double next = growing ? after(size) : (size - increment_) / ratio_;
            if (!(next > size)) break;
            size = next;
        }
        const auto count =
            static_cast<std::uint64_t>(std::max(1.0, std::ceil((volume_ - sum) / cap_)));
        MessageCutter cutter = cutter_;
        if (!growing) {
            cutter.append_equal(volume_ - sum, count, growing);
            std::ranges::reverse(chained);
        }
        for (const double message : chained) cutter.append(message);
        if (growing) cutter.append_equal(volume_ - sum, count, growing);
        return cutter.finish();
    }

  private:
    [[nodiscard]] double after(double size) const { return ratio_ * size + increment_; }

    const model::Stream& x_;
    MessageCutter cutter_;  ///< that has cut nothing yet
    double volume_;         ///< bytes
    double grain_;          ///< bytes
    double ratio_;
    double increment_;
    double cap_;  ///< beyond which a longer message saves nothing, bytes
    int count_ = 1;
    double first_ = 0;  ///< bytes
    double last_ = 0;   ///< bytes
};

}  // namespace

Shortlist chain_candidates(const model::Stream& x, const Messages& whole, double most,
                           const std::function<double(const Messages&)>& seconds) {
    Shortlist list;
    const double unsplit = seconds(whole);
    list.whole = list.best = {{.messages = whole}, unsplit};
    const auto offer = [&](Messages messages) {
        const double takes = seconds(messages);
        const Evaluated offered{{.messages = std::move(messages)}, takes};
        list.unequal.take_if_faster(offered);
        return list.best.take_if_faster(offered);
    };
    const Chain chain(x, whole, most);
    const int count = chain.count();
    if (count <= 1) return list;
    offer(chain.exceeds_cap() ? chain.cut_capped() : chain.cut(count));
    if (chain.exceeds_cap()) return list;
    // Rounding to the grain and a slow sender favour a message or more fewer.
    for (int n = count - 1; n > 1 && count <= search_options.most_chain_variants; n -= 1 + n / 8)
        if (!offer(chain.cut(n)) && n + 2 < count) break;
    return list;
}

}  // namespace lapwing
