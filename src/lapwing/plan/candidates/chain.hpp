#pragma once

#include <functional>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/candidates/shortlist.hpp"

namespace lapwing {

/// The software pipeline of a stream: messages of geometric sizes, each of which arrives when the
/// one before it is consumed (`model::chain_first`), none longer than `most` bytes, or a grain.
/// Lists `whole`, which is one message, and the fastest of the chain's unequal messages, by their
/// `seconds`.
[[nodiscard]] Shortlist chain_candidates(const model::Stream& x, const Messages& whole, double most,
                                         const std::function<double(const Messages&)>& seconds);

}  // namespace lapwing
