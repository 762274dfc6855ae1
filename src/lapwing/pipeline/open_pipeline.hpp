#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "lapwing/pipeline/failure.hpp"
#include "lapwing/pipeline/flight.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/trace.hpp"

namespace lapwing {

/// `pipeline` where nobody knows beforehand how much there is, as with what comes out of a pipe.
/// `computation(message, buffer)` fills the buffer of one message, counted from 0, and says whether
/// there was anything to fill it with; the first time there was not, on all ranks in the same
/// place, the pipeline drains and ends. All else is as there.
///
/// `window`: messages in flight.  `poll_interval`: seconds between polls; 0: none.
template <class MessageBuffer = Buffer, class Computation, class Communication,
          class Consume = NoConsume, class Recorder = const NoTrace>
void open_pipeline(int window, double poll_interval, Computation&& computation,
                   Communication&& communication, Consume&& consume = {},
                   Recorder& recorder = no_trace) {
    using Request = std::remove_cvref_t<std::invoke_result_t<Communication&, MessageBuffer&>>;
    Flight<Request, MessageBuffer, Recorder> flight(window, poll_interval, recorder);
    const auto completed = [&](MessageBuffer& buffer, Request& request) {
        const Traced traced(recorder, Activity::consumption);
        if constexpr (std::is_invocable_v<Consume&, MessageBuffer&, Request&>) {
            consume(buffer, request);
        } else {
            consume(buffer);
        }
    };
    const auto fill = [&](std::uint64_t message, MessageBuffer& buffer) -> bool {
        const Traced traced(recorder, Activity::computation);
        return computation(message, buffer);
    };
    std::uint64_t message = 0;
    try {
        for (;; ++message) {
            flight.make_room(completed);
            MessageBuffer& buffer = flight.next_load();
            buffer.clear();
            if (!fill(message, buffer)) break;
            flight.launch([&] { return communication(buffer); });
        }
        flight.drain(completed);
    } catch (...) {
        failure::report("pipeline, message " + std::to_string(message));
        throw;
    }
}

}  // namespace lapwing
