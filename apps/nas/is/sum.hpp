#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lapwing/pipeline/collectives/allreduce.hpp"

namespace lapwing::nas::is {

/// A sum over all ranks that its caller leads from round to round, and computes in between. It
/// needs no polls, and a recorded one has the same calls.
template <Transport T>
class Sum {
  public:
    /// `count`: the most numbers a sum has; `tag`: that of its messages.
    Sum(T& transport, std::size_t count, int tag) : sum_(transport, count, tag, 0) {}

    [[nodiscard]] std::size_t rounds() const { return sum_.groups().size(); }
    /// Begins the sum of all ranks' `numbers`, in place.
    void start(std::span<double> numbers) {
        own_.assign(numbers.begin(), numbers.end());
        request_ = sum_.allreduce(own_, numbers.data());
    }
    /// Awaits the messages of a round, and begins the next.
    void advance() { request_.wait_round(); }
    /// Awaits what is left of the sum.
    void finish() { request_.wait(); }

  private:
    Allreduce<T> sum_;
    typename Allreduce<T>::Request request_;
    std::vector<double> own_;
};

}  // namespace lapwing::nas::is
