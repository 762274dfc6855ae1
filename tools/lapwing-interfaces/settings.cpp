#include "settings.hpp"

#include <cstdlib>
#include <sstream>

namespace lapwing::interfaces {

namespace {

std::string property(const simgrid::s4u::Host& host, const char* name) {
    const char* const text = host.get_property(name);
    return text == nullptr ? "" : text;
}

void read(const simgrid::s4u::Host& host, const char* name, double& value) {
    const std::string text = property(host, name);
    if (!text.empty()) value = std::strtod(text.c_str(), nullptr);
}

void read(const simgrid::s4u::Host& host, const char* name, Range& range) {
    const std::string text = property(host, name);
    if (text.empty()) return;
    char* end = nullptr;
    range.slowest = std::strtod(text.c_str(), &end);
    range.fastest = *end == ':' ? std::strtod(end + 1, nullptr) : range.slowest;
}

}  // namespace

Steps read_steps(const std::string& text) {
    Steps steps;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line, ';');) {
        std::istringstream numbers(line);
        std::string number;
        Step step;
        for (double* const part : {&step.above, &step.base, &step.per_byte})
            if (std::getline(numbers, number, ':')) *part = std::strtod(number.c_str(), nullptr);
        steps.push_back(step);
    }
    return steps;
}

const Step& step_of(const Steps& steps, double size) {
    const Step* chosen = &steps.front();
    for (const Step& step : steps) {
        if (size <= step.above) break;
        chosen = &step;
    }
    return *chosen;
}

Settings::Settings(const simgrid::s4u::Host& host)
    : bandwidth_factors(read_steps(property(host, "bandwidth_factors"))),
      latency_factors(read_steps(property(host, "latency_factors"))),
      burst(read_steps(property(host, "burst"))) {
    double number = 0;
    read(host, "queue_depth", number);
    if (number > 0) queue_depth = static_cast<std::size_t>(number);
    if (!property(host, "full_queue").empty()) read(host, "full_queue", full_queue.emplace(0));
    read(host, "outstanding_limit", outstanding_limit);
    read(host, "outstanding_share", outstanding_share);
    read(host, "registration_base", registration_base);
    read(host, "registration_per_page", registration_per_page);
    number = 0;
    read(host, "route_seed", number);
    route_seed = static_cast<std::uint64_t>(number);
    read(host, "near_routes", near_routes);
    read(host, "far_routes", far_routes);
}

}  // namespace lapwing::interfaces
