#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/transport/failure/on_failure.hpp"

namespace lapwing {

/// A pipeline whose messages nobody looks at once they are complete.
struct NoConsume {
    template <class MessageBuffer>
    void operator()(MessageBuffer&) const {}
};

/// Hands over a complete message: `consume(buffer, request)` where it takes both, or
/// `consume(buffer)`. `number()`: the message's, asked for only when there is a failure to report.
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
