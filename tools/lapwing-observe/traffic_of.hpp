#pragma once

#include "call_description.hpp"
#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

/// What a call moves to and from other ranks.
Traffic traffic_of(const CallDescription& call);

}  // namespace lapwing::observe
