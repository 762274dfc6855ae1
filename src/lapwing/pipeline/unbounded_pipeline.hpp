#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/consume.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/transport/failure/on_failure.hpp"

namespace lapwing {

/// `pipeline` for input whose end nobody knows beforehand, such as what comes out of a pipe.
///
/// `computation(message, buffer)` fills the buffer of one message, counted from 0, and returns
/// whether there was anything to fill it with. At the first `false`, which all ranks return for the
/// same message, the pipeline drains and ends. `communication`, `consume` and `recorder` are those
/// of `pipeline`.
///
/// `window`: messages in flight. `poll_interval`: seconds between polls; 0: none.
template <class MessageBuffer = Buffer, class Computation, class Communication,
          class Consume = NoConsume, Records Recorder = const NoTrace>
void unbounded_pipeline(int window, double poll_interval, Computation&& computation,
                        Communication&& communication, Consume&& consume = {},
                        Recorder& recorder = no_trace) {
    using Request = std::remove_cvref_t<std::invoke_result_t<Communication&, MessageBuffer&>>;
    MessageWindow<Request, MessageBuffer, Recorder> in_flight(window, poll_interval, recorder);
    std::uint64_t message = 0;
    const auto completed = [&](MessageBuffer& buffer, Request& request) {
        consume_message(consume, buffer, request, recorder,
                        [&] { return message - in_flight.under_way() - 1; });
    };
    const auto fill = [&](MessageBuffer& buffer) -> bool {
        const Traced traced(recorder, Activity::computation);
        return computation(message, buffer);
    };
    try {
        for (;; ++message) {
            in_flight.make_room(completed);
            MessageBuffer& buffer = in_flight.next_attachment();
            buffer.clear();
            if (!fill(buffer)) break;
            in_flight.launch([&] { return communication(buffer); });
        }
        in_flight.drain(completed);
    } catch (...) {
        failure::report("pipeline, message " + std::to_string(message));
        throw;
    }
}

}  // namespace lapwing
