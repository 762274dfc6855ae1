#include "lapwing/profile/profile.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "lapwing/profile/interconnect.hpp"
#include "lapwing/profile/placement.hpp"

namespace lapwing {
namespace {

/// Checks the members of a section against their rules. `place` is the section's name in messages.
class Check {
  public:
    explicit Check(std::string place) : place_(std::move(place)) {}

    template <class Section>
    static void section(const std::string& place, const Section& value) {
        Section::fields(value, Check(place));
    }
    template <class Section>
    static void sections(const std::string& place, const std::vector<Section>& values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            section(place + "[" + std::to_string(i) + "]", values[i]);
    }

    void operator()(const char*, const auto&, fields::Free) const {}
    void operator()(const char*, const auto&, fields::Optional) const {}
    void operator()(const char*, const std::string&, fields::OptionalText) const {}
    void operator()(const char* name, const LogGP& value, fields::Free) const {
        section(place_ + "." + name, value);
    }
    template <class Section>
    void operator()(const char* name, const std::vector<Section>& values,
                    fields::OptionalSections) const {
        sections(place_ + "." + name, values);
    }
    void operator()(const char* name, double value, fields::Cost) const { cost(name, value); }
    template <class Number>
    void operator()(const char* name, const std::vector<Number>& values, fields::Axis) const {
        Number previous = 0;
        for (const Number value : values) {
            if (value <= previous) refuse(name, "must be positive and increasing");
            previous = value;
        }
    }
    void operator()(const char* name, const std::vector<int>& values, fields::Counts rule) const {
        rows(name, values.size(), rule.rows);
        for (const int value : values)
            if (value < 1) refuse(name, "must be 1 or more");
    }
    void operator()(const char* name, const std::vector<std::optional<std::uint64_t>>& values,
                    fields::Counts rule) const {
        rows(name, values.size(), rule.rows);
    }
    void operator()(const char* name, const std::vector<double>& values,
                    fields::Column rule) const {
        rows(name, values.size(), rule.rows);
        for (const double value : values) cost(name, value, rule.negative);
    }
    void operator()(const char* name, const std::vector<double>& values,
                    fields::OptionalColumn rule) const {
        if (!values.empty()) (*this)(name, values, fields::Column{rule.rows});
    }
    void operator()(const char* name, const std::vector<std::vector<double>>& values,
                    fields::Grid rule) const {
        rows(name, values.size(), rule.rows);
        for (const auto& row : values) {
            rows(name, row.size(), rule.columns);
            for (const double value : row) cost(name, value, rule.negative);
        }
    }

  private:
    [[noreturn]] void refuse(const char* name, const std::string& what) const {
        throw std::invalid_argument(place_ + "." + name + " " + what);
    }
    void rows(const char* name, std::size_t count, std::size_t expected) const {
        if (count != expected)
            refuse(name, "has " + std::to_string(count) + " values where there should be " +
                             std::to_string(expected));
    }
    void cost(const char* name, double value, bool negative = false) const {
        if (!std::isfinite(value)) refuse(name, "must be a finite number");
        if (value < 0 && !negative) refuse(name, "must be 0 or more");
    }

    std::string place_;
};

void check(const std::string& place, const Indicator& indicator) {
    const std::string name = place + "." + indicator.name;
    if (!(indicator.value > 0 && std::isfinite(indicator.value)))
        throw std::invalid_argument(name + ".value must be a finite number above 0");
    if (!(indicator.tolerance >= 1 && std::isfinite(indicator.tolerance)))
        throw std::invalid_argument(name + ".tolerance must be a finite number, 1 or more");
}

}  // namespace

Environment best_environment(const Profile& profile) {
    Environment best;
    for (const auto& [part, environment] : profile.environment) best = best_of(best, environment);
    return best;
}

namespace {

/// Throws `std::invalid_argument` if a topology is described in words that say nothing.
void check(const Topology& topology) {
    const auto read = [](const char* name, const std::string& text, auto&& from_text) {
        try {
            if (!text.empty()) from_text(text);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(std::string("topology.") + name + ": " + error.what());
        }
    };
    read("interconnect", topology.interconnect,
         [](const auto& text) { (void)Interconnect::from_text(text); });
    read("placement", topology.placement,
         [](const auto& text) { (void)Placement::from_text(text); });
}

}  // namespace

void validate(const Profile& profile) {
    if (!(profile.clock_ratio > 0 && profile.clock_ratio <= 1))
        throw std::invalid_argument("clock_ratio must be above 0, and 1 at most");
    for (const auto& [part, environment] : profile.environment)
        for (const Indicator& each : environment.indicators) check("environment." + part, each);
    Check::section("loggp", profile.loggp);
    if (profile.loggp.G <= 0) throw std::invalid_argument("loggp.G must be above 0");
    Check::section("error", profile.error);
    Check::section("overhead", profile.overhead);
    Check::section("bandwidth", profile.bandwidth);
    Check::section("progress", profile.progress);
    if (profile.queue_depth && *profile.queue_depth < 1)
        throw std::invalid_argument("queue_depth must be 1 or more");
    if (profile.latency) Check::section("latency", *profile.latency);
    if (profile.plogp) Check::section("plogp", *profile.plogp);
    if (profile.log3p) Check::section("log3p", *profile.log3p);
    if (profile.protocol) Check::section("protocol", *profile.protocol);
    if (profile.topology) {
        Check::section("topology", *profile.topology);
        check(*profile.topology);
    }
    Check::sections("operations", profile.operations);
    Check::sections("pairs", profile.pairs);
    Check::sections("patterns", profile.patterns);
    Check::sections("imported", profile.imported);
    if (profile.collectives) {
        Check::section("collectives", *profile.collectives);
        if (profile.collectives->low > profile.collectives->high)
            throw std::invalid_argument("collectives.low must be at most collectives.high");
    }
    Check::sections("algorithms", profile.algorithms);
    for (std::size_t i = 0; i < profile.algorithms.size(); ++i)
        for (const double factor : profile.algorithms[i].factors)
            if (!(factor > 0))
                throw std::invalid_argument("algorithms[" + std::to_string(i) +
                                            "].factors must be above 0");
    for (const auto& [name, rate] : profile.kernels)
        if (!std::isfinite(rate) || rate <= 0)
            throw std::invalid_argument("kernels." + name + " must be a finite number above 0");
}

}  // namespace lapwing
