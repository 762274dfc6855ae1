#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/consume.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/failure/on_failure.hpp"

namespace lapwing {

/// The bytes of one message of a pipeline, to which the steps of its tile append theirs.
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

/// Produce, then communicate (Hoefler, Gottschling, Lumsdaine 2008): runs `steps` steps of a loop,
/// and sends what they produce while later steps compute. Returns when all messages are complete.
///
/// - `computation(step, buffer)` is one step, counted from 0. It appends to the buffer. The plan
/// says
///   how many steps fill a buffer (the tile, which may differ from message to message).
/// - `communication(buffer)` initiates the message of a full buffer, and returns a request. The
/// plan
///   says how many are in flight (the window).
/// - `consume(buffer)`, or `consume(buffer, request)`, is called once for each message, in order.
///   Its request is then complete, and its buffer not yet in use again.
///
/// `steps`: the plan's volume over its grain, or 0, which does nothing; `std::invalid_argument`
/// otherwise. `recorder`: a `Trace`, or nothing. What becomes of an exception: see `on_failure`.
///
/// `MessageBuffer`: the caller's own type where `Buffer` does not serve; default-constructible,
/// with `clear()`. A request is anything movable and default-constructible with `test()`, `wait()`
/// and a destructor that waits.
///
/// Nothing calls the transport while `computation` runs. Where messages advance only while somebody
/// does, the plan says how often, and `computation` calls `lapwing::poll()`.
template <class MessageBuffer = Buffer, class Computation, class Communication,
          class Consume = NoConsume, Records Recorder = const NoTrace>
void pipeline(const Plan& plan, std::uint64_t steps, Computation&& computation,
              Communication&& communication, Consume&& consume = {},
              Recorder& recorder = no_trace) {
    using Request = std::remove_cvref_t<std::invoke_result_t<Communication&, MessageBuffer&>>;
    if (steps == 0) return;
    const Messages& messages = plan.messages;
    const std::uint64_t grain = messages.grain();
    if (steps != (messages.volume() + grain - 1) / grain)
        throw std::invalid_argument("pipeline: the plan is for another number of steps");

    MessageWindow<Request, MessageBuffer, Recorder> in_flight(plan.window, plan.poll_interval,
                                                              recorder);
    std::uint64_t step = 0;
    std::uint64_t stop = 0;
    std::uint64_t message = 0;
    const auto completed = [&](MessageBuffer& buffer, Request& request) {
        consume_message(consume, buffer, request, recorder,
                        [&] { return message - in_flight.under_way() - 1; });
    };
    try {
        for (const auto& [size, count] : messages.runs()) {
            // The last message may end with part of a step.
            const std::uint64_t tile = (size + grain - 1) / grain;
            for (const std::uint64_t end = message + count; message < end; ++message) {
                in_flight.make_room(completed);
                MessageBuffer& buffer = in_flight.next_attachment();
                buffer.clear();
                for (stop = step + tile; step < stop; ++step) {
                    const Traced traced(recorder, Activity::computation);
                    computation(step, buffer);
                }
                in_flight.launch([&] { return communication(buffer); });
            }
        }
        in_flight.drain(completed);
    } catch (...) {
        const std::string number = std::to_string(message);
        failure::report(step < stop
                            ? "pipeline, step " + std::to_string(step) + " (message " + number + ")"
                            : "pipeline, message " + number);
        throw;
    }
}

}  // namespace lapwing
