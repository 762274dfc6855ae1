#pragma once

#include <simgrid/s4u/Host.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lapwing::interfaces {

/// Costs of messages larger than `above`, in the order of `above`.
struct Step {
    double above = 0;     ///< bytes, or operations
    double base = 0;      ///< seconds, or a factor
    double per_byte = 0;  ///< seconds
};
using Steps = std::vector<Step>;

/// Steps as SMPI writes them: "0:1.5e-06:0.0;1024:2e-06:0.0".
[[nodiscard]] Steps read_steps(const std::string& text);

/// The last step whose `above` is less than `size`, as SMPI chooses it; the first if there is none.
[[nodiscard]] const Step& step_of(const Steps& steps, double size);

/// Bandwidth of a route as a share of the links': between these two, by the pair of hosts.
struct Range {
    double slowest = 1;
    double fastest = 1;
};

/// What the platform says of the interfaces, in properties of its hosts. Without any of them an
/// interface costs what SMPI's options say, and has no limits.
struct Settings {
    explicit Settings(const simgrid::s4u::Host& host);

    Steps bandwidth_factors;  ///< by bytes; empty: SMPI's own
    Steps latency_factors;
    Steps burst;  ///< overhead of an initiation, by operations outstanding
    std::size_t queue_depth = std::numeric_limits<std::size_t>::max();
    std::optional<double> full_queue;  ///< seconds more, in place of waiting for room
    double outstanding_limit = std::numeric_limits<double>::infinity();  ///< bytes
    double outstanding_share = 1;  ///< of the bandwidth, beyond the limit
    double registration_base = 0;  ///< seconds for a window
    double registration_per_page = 0;
    std::uint64_t route_seed = 0;
    Range near_routes;  ///< between hosts of one half of the cluster
    Range far_routes;   ///< across its bisection
};

}  // namespace lapwing::interfaces
