#include "lapwing/replay/collective_call.hpp"

namespace lapwing::replay {

using simulate::Call;

Call CollectiveCall::next() {
    const Step now = steps().step(step_);
    const std::uint32_t receives = posted_before_ ? 0 : now.receives;
    const std::uint32_t index = index_++;
    if (steps().interleaved() && index < 2 * now.sends)
        return index % 2 == 0 ? send(index / 2) : receive(step_, index / 2);
    // Where sends and receives alternate, receives are posted first.
    const std::uint32_t first_sends = now.alternating ? 0 : now.sends;
    if (index < first_sends) return send(index);
    if (index < first_sends + receives) return receive(step_, index - first_sends);
    if (index < now.sends + receives) return send(index - receives);
    const std::uint32_t beyond = index - now.sends - receives;
    if (now.ahead && step_ + 1 < steps().steps() && beyond < steps().step(step_ + 1).receives)
        return receive(step_ + 1, beyond);
    const auto awaited = std::span(groups).subspan(step_ % 2, 1);
    end_step(now.ahead);
    return {.kind = Call::Kind::wait, .groups = awaited};
}

void CollectiveCall::end_step(bool ahead) {
    index_ = 0;
    posted_before_ = ahead;
    if (++step_ < steps().steps()) return;
    ++part_;
    step_ = 0;
    skip_empty_parts();
}

void CollectiveCall::skip_empty_parts() {
    while (part_ < parts_.size() && steps().steps() == 0) ++part_;
}

// The parts of a collective have contexts of their own.

Call CollectiveCall::send(std::uint32_t index) const {
    const Send send = steps().send(step_, index);
    return {.kind = Call::Kind::send,
            .peer = communicator_->world(send.to),
            .group = groups[step_ % 2],
            .size = send.bytes,
            .tag = send.key,
            .context = context_ + part_,
            .site = site_};
}

Call CollectiveCall::receive(std::uint32_t step, std::uint32_t index) const {
    return {.kind = Call::Kind::receive,
            .peer = communicator_->world(steps().receive(step, index).from),
            .group = groups[step % 2],
            .size = 0,
            .tag = step,
            .context = context_ + part_};
}

}  // namespace lapwing::replay
