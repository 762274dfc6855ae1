#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "lapwing/pipeline/consume.hpp"
#include "lapwing/pipeline/flight.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/trace.hpp"
#include "lapwing/transport/failure.hpp"

namespace lapwing {

/// `pipeline` where nobody knows beforehand how much there is, as with what comes out of a pipe.
/// `computation(message, buffer)` fills the buffer of one message, counted from 0, and says whether
/// there was anything to fill it with; the first time there was not, on all ranks in the same
/// place, the pipeline drains and ends. All else is as there.
///
/// `window`: messages in flight.  `poll_interval`: seconds between polls; 0: none.
template <class MessageBuffer = Buffer, class Computation, class Communication,
          class Consume = NoConsume, Records Recorder = const NoTrace>
void open_pipeline(int window, double poll_interval, Computation&& computation,
                   Communication&& communication, Consume&& consume = {},
                   Recorder& recorder = no_trace) {
    using Request = std::remove_cvref_t<std::invoke_result_t<Communication&, MessageBuffer&>>;
    Flight<Request, MessageBuffer, Recorder> flight(window, poll_interval, recorder);
    std::uint64_t message = 0;
    const auto completed = [&](MessageBuffer& buffer, Request& request) {
        consume_message(consume, buffer, request, recorder,
                        [&] { return message - flight.under_way() - 1; });
    };
    const auto fill = [&](MessageBuffer& buffer) -> bool {
        const Traced traced(recorder, Activity::computation);
        return computation(message, buffer);
    };
    try {
        for (;; ++message) {
            flight.make_room(completed);
            MessageBuffer& buffer = flight.next_load();
            buffer.clear();
            if (!fill(buffer)) break;
            flight.launch([&] { return communication(buffer); });
        }
        flight.drain(completed);
    } catch (...) {
        failure::report("pipeline, message " + std::to_string(message));
        throw;
    }
}

}  // namespace lapwing
