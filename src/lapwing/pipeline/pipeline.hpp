#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/pipeline/flight.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// What one message of a pipeline carries: bytes that the steps of its tile append to.
class Buffer {
  public:
    void clear() { bytes_.clear(); }
    void append(const void* from, std::size_t bytes) {
        const auto* const first = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), first, first + bytes);
    }
    [[nodiscard]] std::byte* data() { return bytes_.data(); }
    [[nodiscard]] const std::byte* data() const { return bytes_.data(); }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  private:
    std::vector<std::byte> bytes_;
};

/// Produce, then communicate (Hoefler, Gottschling, Lumsdaine 2008): runs `steps` steps of
/// `computation(step, buffer)`, hands each full buffer to `communication(buffer)`, which initiates
/// and returns a request, and goes on computing. How many steps fill a buffer (the tile, which may
/// differ from message to message) and how many buffers are in flight (the window) is the plan's.
///
/// `steps` must be the plan's volume over its grain; 0 does nothing. `MessageBuffer` is the
/// caller's own where `Buffer` does not serve: default-constructible, with `clear()`.
template <class MessageBuffer = Buffer, class Computation, class Communication>
void pipeline(const Plan& plan, std::uint64_t steps, Computation&& computation,
              Communication&& communication) {
    using Request = std::remove_cvref_t<std::invoke_result_t<Communication&, MessageBuffer&>>;
    if (steps == 0) return;
    const Messages& messages = plan.messages;
    const std::uint64_t grain = messages.grain();
    if (steps != (messages.volume() + grain - 1) / grain)
        throw std::invalid_argument("pipeline: the plan is for another number of steps");

    // Declared first, destroyed last: requests in flight read from these.
    std::vector<MessageBuffer> buffers(static_cast<std::size_t>(plan.window));
    MessageBuffer* const ring = buffers.data();
    Flight<Request> flight(plan.window, plan.poll_interval);
    std::uint64_t step = 0;
    for (const auto& [size, count] : messages.runs()) {
        // The last message may end with part of a step.
        const std::uint64_t tile = (size + grain - 1) / grain;
        for (std::uint64_t message = 0; message < count; ++message) {
            flight.make_room();
            MessageBuffer& buffer = ring[flight.next_slot()];
            buffer.clear();
            for (const std::uint64_t stop = step + tile; step < stop; ++step)
                computation(step, buffer);
            flight.launch([&] { return communication(buffer); });
        }
    }
    flight.drain();
}

}  // namespace lapwing
