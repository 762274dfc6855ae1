#include "lapwing/profile/profile.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace lapwing {
namespace {

[[noreturn]] void refuse(std::string_view field, std::string_view what) {
    throw std::invalid_argument(std::string(field) + " " + std::string(what));
}

void require_cost(std::string_view field, double value) {
    if (!std::isfinite(value) || value < 0) refuse(field, "must be a finite number, 0 or more");
}

void require_costs(std::string_view field, const std::vector<double>& values, std::size_t count) {
    if (values.size() != count) refuse(field, "does not have one value for each size");
    for (const double value : values) require_cost(field, value);
}

template <class Number>
void require_increasing(std::string_view field, const std::vector<Number>& values) {
    Number previous = 0;
    for (const Number value : values) {
        if (value <= previous) refuse(field, "must be positive and increasing");
        previous = value;
    }
}

}  // namespace

void validate(const Profile& profile) {
    const auto& p = profile.loggp;
    require_cost("loggp.L", p.L);
    require_cost("loggp.o_s", p.o_s);
    require_cost("loggp.o_r", p.o_r);
    require_cost("loggp.g", p.g);
    require_cost("loggp.G", p.G);
    if (p.G <= 0) refuse("loggp.G", "must be above 0");

    const auto& error = profile.error;
    for (const double value : {error.L, error.o_s, error.o_r, error.g, error.G})
        require_cost("error", value);

    const auto& overhead = profile.overhead;
    require_increasing("overhead.sizes", overhead.sizes);
    require_increasing("overhead.bursts", overhead.bursts);
    require_costs("overhead.receive", overhead.receive, overhead.sizes.size());
    if (overhead.send.size() != overhead.sizes.size())
        refuse("overhead.send", "does not have one row for each size");
    for (const auto& row : overhead.send) {
        if (row.size() != overhead.bursts.size())
            refuse("overhead.send", "does not have one value for each burst");
        for (const double value : row) require_cost("overhead.send", value);
    }

    const auto& bandwidth = profile.bandwidth;
    require_increasing("bandwidth.sizes", bandwidth.sizes);
    require_costs("bandwidth.unidirectional", bandwidth.unidirectional, bandwidth.sizes.size());
    require_costs("bandwidth.bidirectional", bandwidth.bidirectional, bandwidth.sizes.size());

    const auto& progress = profile.progress;
    require_increasing("progress.sizes", progress.sizes);
    require_costs("progress.unattended", progress.unattended, progress.sizes.size());
    require_costs("progress.polled", progress.polled, progress.sizes.size());

    if (progress.window.size() != progress.sizes.size())
        refuse("progress.window", "does not have one value for each size");
    for (const int window : progress.window)
        if (window < 1) refuse("progress.window", "must be 1 or more");
    require_cost("progress.poll_interval", progress.poll_interval);

    if (profile.queue_depth && *profile.queue_depth < 1) refuse("queue_depth", "must be 1 or more");
}

}  // namespace lapwing
