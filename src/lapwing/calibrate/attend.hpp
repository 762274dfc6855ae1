#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/exchange.hpp"
#include "lapwing/calibrate/pair.hpp"
#include "lapwing/compute/vector_add.hpp"

namespace lapwing {

/// Computation of a known length, made of blocks between which a transport can be polled.
class Work {
  public:
    /// `seconds` long, `pass` as `VectorAdd` takes it.
    Work(double seconds, double pass)
        : elements_(VectorAdd::block *
                    static_cast<std::size_t>(std::clamp(seconds / block_seconds, 4.0, 2048.0))),
          a_(elements_, 1.0),
          b_(elements_),
          add_(seconds / static_cast<double>(elements_ * sizeof(double)), pass) {}

    template <class Poll>
    void run(Poll&& poll) {
        add_(a_.data(), b_.data(), 0, elements_, poll);
    }

  private:
    static constexpr double block_seconds = 20e-6;
    std::size_t elements_;
    std::vector<double> a_;
    std::vector<double> b_;
    VectorAdd add_;
};

/// Seconds that receiving one message of `size` bytes adds to computation long enough to hide all
/// of it: o_r(S) where the message advances by itself, more where it only does in the last wait.
/// The computation is timed without the message just before. With `polled`, the transport is
/// called between blocks.
template <Transport T>
double added_by_receive(Pair<T>& pair, Buffers& buffers, std::uint64_t size, Work& work,
                        bool polled) {
    T& transport = pair.transport();
    const auto nothing = [] {};
    if (!pair.first()) {
        pair.meet();
        transport.send(buffers.out.data(), size, pair.peer(), 0).wait();
        pair.meet();
        return 0;
    }
    const double start = transport.now();
    work.run(nothing);
    const double alone = transport.now() - start;
    auto request = transport.receive(buffers.in.data(), size, pair.peer(), 0);
    pair.meet();
    const double begin = transport.now();
    if (polled) {
        work.run([&] { request.test(); });
    } else {
        work.run(nothing);
    }
    request.wait();
    const double with = transport.now() - begin;
    pair.meet();
    return with - alone;
}

}  // namespace lapwing
