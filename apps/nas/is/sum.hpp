#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lapwing/model/collectives/recursive_multiplying.hpp"
#include "lapwing/pipeline/collectives/allreduce_rounds.hpp"
#include "lapwing/pipeline/collectives/allreduce_stage.hpp"

namespace lapwing::nas::is {

/// A sum over all ranks by recursive doubling that its caller leads from round to round, and
/// computes in between. It needs no polls, and its record is that of what runs.
template <Transport T>
class Sum {
  public:
    /// `count`: the most numbers a sum has; `tag`: that of its messages.
    Sum(T& transport, std::size_t count, int tag) : transport_(transport), tag_(tag) {
        namespace multiplying = model::recursive_multiplying;
        for (auto& round : allreduce_rounds::rounds(transport.rank(), transport.size(),
                                                    multiplying::doubling(transport.size())))
            stages_.emplace_back(std::move(round), transport, count * sizeof(double));
    }

    [[nodiscard]] std::size_t rounds() const { return stages_.size(); }
    /// Begins the sum of all ranks' `numbers`, in place.
    void start(std::span<double> numbers) {
        numbers_ = numbers;
        next_ = 0;
        for (Stage& stage : stages_) stage.expect(transport_, numbers.size_bytes(), tag_);
        begin();
    }
    /// Awaits the messages of a round, and begins the next.
    void advance() {
        stages_[next_].arrived(wait);
        stages_[next_].end(numbers_);
        ++next_;
        begin();
    }
    /// Awaits what is left of the sum.
    void finish() {
        while (next_ < stages_.size()) advance();
        for (Stage& stage : stages_) stage.sent(wait);
    }

  private:
    using Stage = AllreduceStage<T>;
    static constexpr auto wait = [](auto& message) {
        message.wait();
        return true;
    };
    void begin() {
        if (next_ < stages_.size()) stages_[next_].begin(transport_, numbers_, tag_);
    }

    T& transport_;
    int tag_;
    std::vector<Stage> stages_;
    std::span<double> numbers_;
    std::size_t next_ = 0;  ///< the present round
};

}  // namespace lapwing::nas::is
