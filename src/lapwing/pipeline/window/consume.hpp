#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/transport/failure/on_failure.hpp"

namespace lapwing {

/// What a pipeline does with its complete messages unless it is told otherwise: nothing.
struct NoConsume {
    template <class MessageBuffer>
    void operator()(MessageBuffer&) const {}
};

/// Calls `consume(buffer, request)` where it takes both, or `consume(buffer)`, for a complete
/// message. An exception is reported and goes on. `number()`: the message's number, for that
/// report.
template <class Consume, class MessageBuffer, class Request, Records Recorder, class Number>
void consume_message(Consume& consume, MessageBuffer& buffer, Request& request, Recorder& recorder,
                     Number&& number) {
    try {
        const Traced traced(recorder, Activity::consumption);
        if constexpr (std::is_invocable_v<Consume&, MessageBuffer&, Request&>) {
            consume(buffer, request);
        } else {
            consume(buffer);
        }
    } catch (...) {
        failure::report("pipeline, consuming message " + std::to_string(number()));
        throw;
    }
}

}  // namespace lapwing
