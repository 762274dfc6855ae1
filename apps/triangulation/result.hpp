#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../common/rank_share.hpp"
#include "checksum.hpp"
#include "lapwing/io/trace_event.hpp"
#include "lapwing/plan/plan_types.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::triangulation {

/// When a rank communicates.
enum class Schedule {
    blocking,    ///< it waits for whatever it has initiated, then computes
    overlapped,  ///< it computes meanwhile
    automatic,   ///< whichever the plan says is faster; without a profile, overlapped
};

/// What to triangulate, and how.
struct Job {
    std::uint64_t points = 0;  ///< random ones in the unit square, unless there is an input
    std::uint64_t seed = 1;
    std::string input;    ///< a file of points; empty: none
    std::string output;   ///< a file for the triangles; empty: none
    std::string trace;    ///< a file for what each rank did when; empty: none
    bool verify = false;  ///< compare with the sequential triangulation
    Schedule schedule = Schedule::automatic;
    MessageTransport transport = MessageTransport::two_sided;
    std::optional<Profile> profile;             ///< of the machine, to plan for it
    std::optional<std::uint64_t> message_size;  ///< bytes, instead of those planned
    std::optional<int> window;                  ///< messages in flight, instead of those planned
};

/// What a run did, the same on all ranks.
struct Result {
    std::uint64_t points = 0;
    std::uint64_t places = 0;  ///< different ones
    Checksum checksum;
    std::optional<bool> verified;  ///< whether the sequential triangulation is the same
    Schedule schedule = Schedule::overlapped;
    Plan plan;             ///< of the exchange of borders
    double seconds = 0;    ///< from the points at their ranks to the last certain triangle
    double insertion = 0;  ///< seconds for each point, as it was planned with, and is charged
    std::array<RankShare, activities> phases;  ///< seconds by `Activity`
    RankShare fetched;                         ///< points of other ranks, of borders and answers
    std::uint64_t bytes = 0;                   ///< all that ranks sent each other in that time
    std::uint64_t border = 0;                  ///< points that each neighbour is sent at once
    std::uint64_t questions = 0;               ///< faces that other ranks were asked about
    std::uint64_t rounds = 0;                  ///< of questions and answers
};

}  // namespace lapwing::triangulation
