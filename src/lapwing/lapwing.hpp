#pragma once

/// All of Lapwing. Include `lapwing/plan/plan.hpp` alone to plan without MPI.

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/io/learnt_json.hpp"
#include "lapwing/io/plan_json.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/pipeline/exchange.hpp"
#include "lapwing/pipeline/failure.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/halo.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/trace.hpp"
#include "lapwing/pipeline/tuned.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/agreed.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/gather_trace.hpp"
#include "lapwing/transport/slowest_of.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"
