#pragma once

namespace lapwing {

/// How the messages of a workload move. Collectives have a transport of their own.
enum class MessageTransport {
    two_sided,  ///< `TwoSided`: sent and received
    put,        ///< `NotifiedPut`: the receiver says where, the sender puts it there
    get,        ///< `NotifiedGet`: the sender says where, the receiver gets it from there
    any,        ///< whichever of them is fastest: for the planner to choose
};

}  // namespace lapwing
