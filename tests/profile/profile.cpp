#include "lapwing/profile/profile.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "support/machine.hpp"

using lapwing::Profile;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

struct Spoiled {
    const char* field;
    std::function<void(Profile&)> spoil;
};

/// What `validate` says against a profile that is wrong in one place.
std::string complaint(const Spoiled& spoiled) {
    Profile profile = lapwing::test::full_profile();
    spoiled.spoil(profile);
    try {
        validate(profile);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("a whole profile is valid, and so is one of parameters alone", "[profile]") {
    CHECK_NOTHROW(validate(lapwing::test::full_profile()));
    CHECK_NOTHROW(validate(lapwing::test::infiniband()));
    Profile without = lapwing::test::full_profile();
    without.pairs[0].bidirectional.clear();  // not every pair was measured both ways
    CHECK_NOTHROW(validate(without));
}

TEST_CASE("validate names the parameter that is wrong", "[profile]") {
    const double wrong = GENERATE(-1e-12, infinity, -infinity, not_a_number);
    const std::vector<Spoiled> all = {
        {"loggp.L", [&](Profile& p) { p.loggp.L = wrong; }},
        {"loggp.o_s", [&](Profile& p) { p.loggp.o_s = wrong; }},
        {"loggp.o_r", [&](Profile& p) { p.loggp.o_r = wrong; }},
        {"loggp.g", [&](Profile& p) { p.loggp.g = wrong; }},
        {"loggp.G", [&](Profile& p) { p.loggp.G = wrong; }},
        {"overhead.send", [&](Profile& p) { p.overhead.send[2][1] = wrong; }},
        {"overhead.receive", [&](Profile& p) { p.overhead.receive[1] = wrong; }},
        {"bandwidth.unidirectional", [&](Profile& p) { p.bandwidth.unidirectional[0] = wrong; }},
        {"bandwidth.bidirectional", [&](Profile& p) { p.bandwidth.bidirectional[2] = wrong; }},
        {"progress.without_polling", [&](Profile& p) { p.progress.without_polling[1] = wrong; }},
        {"progress.with_polling", [&](Profile& p) { p.progress.with_polling[0] = wrong; }},
        {"progress.poll_interval", [&](Profile& p) { p.progress.poll_interval = wrong; }},
        {"progress.exposed_time[3].exposed",
         [&](Profile& p) { p.progress.exposed_time[3].exposed[1] = wrong; }},
        {"progress.exposed_time[3].computation",
         [&](Profile& p) { p.progress.exposed_time[3].computation = wrong; }},
        {"progress.exposed_time[0].exposed",
         [&](Profile& p) { p.progress.exposed_time[0].exposed[0] = wrong; }},
        {"progress.exposed_time[0].exposed_polled",
         [&](Profile& p) { p.progress.exposed_time[0].exposed_polled[1] = wrong; }},
        {"progress.exposed_time[1].exposed",
         [&](Profile& p) { p.progress.exposed_time[1].exposed[1] = wrong; }},
        {"progress.exposed_time[2].exposed",
         [&](Profile& p) { p.progress.exposed_time[2].exposed[1] = wrong; }},
        {"progress.O_s", [&](Profile& p) { p.progress.O_s = wrong; }},
        {"progress.O_r", [&](Profile& p) { p.progress.O_r = wrong; }},
        {"progress.O_both", [&](Profile& p) { p.progress.O_both = wrong; }},
        {"pairs[0].bidirectional", [&](Profile& p) { p.pairs[0].bidirectional[1] = wrong; }},
        {"imported[0].low", [&](Profile& p) { p.imported[0].low[0] = wrong; }},
        {"imported[0].high", [&](Profile& p) { p.imported[0].high[1] = wrong; }},
    };
    for (const auto& spoiled : all) {
        const std::string said = complaint(spoiled);
        INFO(said);
        CHECK(said.starts_with(std::string(spoiled.field) + " "));
    }
}

TEST_CASE("validate names the table whose shape is wrong", "[profile]") {
    const std::vector<Spoiled> all = {
        {"loggp.G", [](Profile& p) { p.loggp.G = 0; }},
        {"overhead.sizes",
         [](Profile& p) {
             p.overhead.sizes = {8, 8, 16};
         }},
        {"overhead.sizes",
         [](Profile& p) {
             p.overhead.sizes = {0, 8, 16};
         }},
        {"overhead.sizes",
         [](Profile& p) {
             p.overhead.sizes = {8, 32, 16};
         }},
        {"overhead.bursts",
         [](Profile& p) {
             p.overhead.bursts = {0, 1};
         }},
        {"overhead.bursts",
         [](Profile& p) {
             p.overhead.bursts = {-4, 1};
         }},
        {"overhead.bursts",
         [](Profile& p) {
             p.overhead.bursts = {8, 8};
         }},
        {"overhead.send", [](Profile& p) { p.overhead.send.pop_back(); }},
        {"overhead.send", [](Profile& p) { p.overhead.send[1].pop_back(); }},
        {"overhead.send", [](Profile& p) { p.overhead.send[0].push_back(1); }},
        {"overhead.receive", [](Profile& p) { p.overhead.receive.pop_back(); }},
        {"bandwidth.sizes",
         [](Profile& p) {
             p.bandwidth.sizes = {8, 4, 16};
         }},
        {"bandwidth.unidirectional", [](Profile& p) { p.bandwidth.unidirectional.clear(); }},
        {"bandwidth.bidirectional", [](Profile& p) { p.bandwidth.bidirectional.push_back(1); }},
        {"progress.sizes",
         [](Profile& p) {
             p.progress.sizes = {8, 8};
         }},
        {"progress.without_polling", [](Profile& p) { p.progress.without_polling.clear(); }},
        {"progress.with_polling", [](Profile& p) { p.progress.with_polling.push_back(1); }},
        {"progress.window", [](Profile& p) { p.progress.window.pop_back(); }},
        {"progress.window", [](Profile& p) { p.progress.window[1] = 0; }},
        {"progress.exposed_time[0].window",
         [](Profile& p) { p.progress.exposed_time[0].window.clear(); }},
        {"pairs[0].bidirectional", [](Profile& p) { p.pairs[0].bidirectional.pop_back(); }},
        {"imported[0].values", [](Profile& p) { p.imported[0].values[0] = 0; }},
        {"imported[0].low", [](Profile& p) { p.imported[0].low.push_back(1); }},
        {"queue_depth", [](Profile& p) { p.queue_depth = 0; }},
        {"queue_depth", [](Profile& p) { p.queue_depth = -3; }},
    };
    for (const auto& spoiled : all) {
        const std::string said = complaint(spoiled);
        INFO(said);
        CHECK(said.starts_with(std::string(spoiled.field) + " "));
    }
}
