#include "lapwing/c/lapwing.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/predict/predict.hpp"
#include "support/machine.hpp"

namespace {

using ProfileHandle = std::unique_ptr<lapwing_profile, decltype(&lapwing_profile_free)>;
using PlanHandle = std::unique_ptr<lapwing_plan, decltype(&lapwing_plan_free)>;

ProfileHandle profile_of(const lapwing::Profile& machine) {
    const std::string document = to_json(machine);
    lapwing_profile* profile = nullptr;
    REQUIRE(lapwing_profile_parse(document.data(), document.size(), &profile) == LAPWING_OK);
    return {profile, &lapwing_profile_free};
}

PlanHandle plan_of(const ProfileHandle& machine, const lapwing_workload& workload,
                   int method = LAPWING_OURS) {
    lapwing_plan* plan = nullptr;
    REQUIRE(lapwing_plan_make(machine.get(), &workload, method, &plan) == LAPWING_OK);
    return {plan, &lapwing_plan_free};
}

lapwing_workload stream(std::int64_t volume) {
    lapwing_workload workload{};
    workload.volume = volume;
    workload.compute = 1e-3;
    workload.grain = 8;
    return workload;
}

const std::string full = LAPWING_TEST_DATA "/profiles/full.json";

}  // namespace

TEST_CASE("C sees the plan that C++ sees", "[c]") {
    const auto machine = lapwing::test::full_profile();
    const auto profile = profile_of(machine);
    for (const auto method : {lapwing::Method::lapwing, lapwing::Method::paper,
                              lapwing::Method::paper_size, lapwing::Method::paper_communication,
                              lapwing::Method::paper_computation, lapwing::Method::paper_bursts}) {
        for (const auto direction : {lapwing::Direction::fetch, lapwing::Direction::produce}) {
            auto workload = stream(1000004);
            workload.direction = static_cast<int>(direction);
            workload.uncertainty = 0.5;
            const auto plan = plan_of(profile, workload, static_cast<int>(method));
            const auto expected = lapwing::plan(machine,
                                                {.volume = 1000004,
                                                 .compute = 1e-3,
                                                 .grain = 8,
                                                 .direction = direction,
                                                 .uncertainty = 0.5},
                                                method);
            lapwing_summary summary{};
            REQUIRE(lapwing_plan_summary(plan.get(), &summary) == LAPWING_OK);
            CHECK(summary.count == static_cast<std::int64_t>(expected.messages.count()));
            CHECK(summary.volume == 1000004);
            CHECK(summary.grain == 8);
            CHECK(summary.tile == static_cast<std::int64_t>(expected.tile));
            CHECK(summary.window == expected.window);
            CHECK(summary.burst == expected.burst);
            CHECK(summary.pace == expected.pace);
            CHECK(summary.poll_interval == expected.poll_interval);
            CHECK(summary.predicted == expected.predicted);
            CHECK(summary.limit == expected.limit);
            CHECK(summary.blocking == expected.blocking);
            CHECK(static_cast<int>(summary.bound) == static_cast<int>(expected.bound));
            CHECK(summary.poll_reason == std::string(expected.poll_reason));
            CHECK(summary.transport == std::string(expected.transport));
            CHECK(summary.transport_reason == std::string(expected.transport_reason));
            CHECK(summary.runner_up_what == expected.runner_up.what);

            std::vector<std::uint64_t> sizes;
            std::int64_t offset = 0;
            lapwing_message message{};
            for (int twice = 0; twice < 2; ++twice) {
                sizes.clear();
                offset = 0;
                while (lapwing_plan_next(plan.get(), &message)) {
                    CHECK(message.index == static_cast<std::int64_t>(sizes.size()));
                    CHECK(message.offset == offset);
                    sizes.push_back(static_cast<std::uint64_t>(message.size));
                    offset += message.size;
                }
                CHECK(sizes == expected.messages.list());
            }
            std::vector<std::int64_t> all(sizes.size());
            REQUIRE(lapwing_plan_sizes(plan.get(), 0, summary.count, all.data()) == LAPWING_OK);
            CHECK(std::equal(all.begin(), all.end(), sizes.begin(), sizes.end(),
                             [](std::int64_t a, std::uint64_t b) {
                                 return static_cast<std::uint64_t>(a) == b;
                             }));
        }
    }
}

TEST_CASE("C asks for some of the sizes", "[c]") {
    const auto profile = profile_of(lapwing::test::infiniband());
    const auto plan = plan_of(profile, stream(1 << 20));
    const auto all =
        lapwing::plan(lapwing::test::infiniband(), {.volume = 1 << 20, .compute = 1e-3, .grain = 8})
            .messages.list();
    REQUIRE(all.size() > 8);
    for (std::size_t first = 0; first <= all.size(); ++first) {
        const std::size_t count = std::min<std::size_t>(5, all.size() - first);
        std::vector<std::int64_t> some(count + 1, -1);
        REQUIRE(lapwing_plan_sizes(plan.get(), static_cast<std::int64_t>(first),
                                   static_cast<std::int64_t>(count), some.data()) == LAPWING_OK);
        for (std::size_t i = 0; i < count; ++i)
            CHECK(some[i] == static_cast<std::int64_t>(all[first + i]));
        CHECK(some[count] == -1);
    }
    std::int64_t size = 0;
    const auto count = static_cast<std::int64_t>(all.size());
    for (const auto& [first, more] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {0, count + 1},
             {count, 1},
             {-1, 1},
             {1, -1},
             {1, std::numeric_limits<std::int64_t>::max()}})
        CHECK(lapwing_plan_sizes(plan.get(), first, more, &size) == LAPWING_INVALID);
    CHECK(size == 0);
}

TEST_CASE("what cannot be planned is a status and a message in C", "[c]") {
    const auto profile = profile_of(lapwing::test::infiniband());
    const double nan = std::nan("");
    const double infinity = std::numeric_limits<double>::infinity();
    const auto complaint = [&](auto&& change) -> std::string {
        lapwing_workload workload = stream(1 << 20);
        int method = LAPWING_OURS;
        change(workload, method);
        auto* plan = reinterpret_cast<lapwing_plan*>(&workload);
        const auto status = lapwing_plan_make(profile.get(), &workload, method, &plan);
        CHECK(plan == nullptr);
        CHECK(status == LAPWING_INVALID);
        return lapwing_error_message();
    };
    using Workload = lapwing_workload;
    using Catch::Matchers::StartsWith;
    CHECK_THAT(complaint([](Workload& w, int&) { w.volume = 0; }), StartsWith("volume"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.volume = -8; }), StartsWith("volume must not"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.volume = (1LL << 53) + 1; }),
               StartsWith("volume must be at most"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.grain = 0; }), StartsWith("grain"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.grain = -1; }), StartsWith("grain"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.compute = -1e-9; }), StartsWith("compute"));
    CHECK_THAT(complaint([&](Workload& w, int&) { w.compute = nan; }), StartsWith("compute"));
    CHECK_THAT(complaint([&](Workload& w, int&) { w.uncertainty = nan; }),
               StartsWith("uncertainty"));
    CHECK_THAT(complaint([&](Workload& w, int&) { w.uncertainty = -1; }),
               StartsWith("uncertainty"));
    CHECK_THAT(complaint([&](Workload& w, int&) { w.compute = infinity; }), StartsWith("compute"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.pattern = 7; }), StartsWith("pattern"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.direction = -1; }), StartsWith("direction"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.dependence = 2; }), StartsWith("dependence"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.ranks = -2; }), StartsWith("ranks"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.peers = 2; }),
               StartsWith("a stream has 1 peer"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.stride = 64; }), StartsWith("stride"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.transport = 8; }), StartsWith("transport"));
    CHECK_THAT(complaint([](Workload& w, int&) { w.transport = LAPWING_PUT; }),
               StartsWith("the profile does not say what a put message costs"));
    CHECK_THAT(complaint([](Workload&, int& method) { method = 6; }), StartsWith("method"));
}

TEST_CASE("volumes beyond 2^31 elements are planned in C", "[c]") {
    const auto profile = profile_of(lapwing::test::infiniband());
    const std::int64_t volume = 3LL * (1LL << 31) * 8;
    const auto plan = plan_of(profile, stream(volume));
    std::int64_t sum = 0;
    for (lapwing_message message{}; lapwing_plan_next(plan.get(), &message);) sum += message.size;
    CHECK(sum == volume);
}

TEST_CASE("profiles that are none are refused in C", "[c]") {
    lapwing_profile* profile = nullptr;
    CHECK(lapwing_profile_load("/nowhere/machine.json", &profile) == LAPWING_UNREADABLE);
    CHECK_THAT(lapwing_error_message(), Catch::Matchers::StartsWith("/nowhere/machine.json: "));
    CHECK(lapwing_profile_parse("{}", 2, &profile) == LAPWING_UNREADABLE);
    CHECK(lapwing_profile_parse("", 0, &profile) == LAPWING_UNREADABLE);
    CHECK(profile == nullptr);
    CHECK(lapwing_profile_loggp(5e-6, 1e-6, 1e-6, 1e-6, 0, &profile) == LAPWING_INVALID);
    CHECK(lapwing_profile_loggp(-1, 1e-6, 1e-6, 1e-6, 1e-9, &profile) == LAPWING_INVALID);
    CHECK(lapwing_profile_loggp(5e-6, std::nan(""), 1e-6, 1e-6, 1e-9, &profile) == LAPWING_INVALID);
    CHECK_THAT(lapwing_error_message(), Catch::Matchers::StartsWith("loggp.o_s"));
    CHECK(profile == nullptr);

    REQUIRE(lapwing_profile_load(full.c_str(), &profile) == LAPWING_OK);
    CHECK_THAT(lapwing_error_message(), Catch::Matchers::StartsWith("loggp.o_s"));  // as it was
    lapwing_profile_free(profile);
}

TEST_CASE("pointers to nothing are refused in C", "[c]") {
    const auto profile = profile_of(lapwing::test::infiniband());
    const lapwing_workload workload = stream(64);
    const auto plan = plan_of(profile, workload);
    lapwing_profile* no_profile = nullptr;
    lapwing_plan* no_plan = nullptr;
    lapwing_summary summary{};
    lapwing_message message{};
    double seconds = -1;
    CHECK(lapwing_profile_load(nullptr, &no_profile) == LAPWING_INVALID);
    CHECK(lapwing_profile_load(full.c_str(), nullptr) == LAPWING_INVALID);
    CHECK(lapwing_profile_parse(nullptr, 3, &no_profile) == LAPWING_INVALID);
    CHECK(lapwing_profile_copy(nullptr, &no_profile) == LAPWING_INVALID);
    CHECK(lapwing_plan_make(nullptr, &workload, LAPWING_OURS, &no_plan) == LAPWING_INVALID);
    CHECK(lapwing_error_message() == std::string("the profile is NULL"));
    CHECK(lapwing_plan_make(profile.get(), nullptr, LAPWING_OURS, &no_plan) == LAPWING_INVALID);
    CHECK(lapwing_plan_make(profile.get(), &workload, LAPWING_OURS, nullptr) == LAPWING_INVALID);
    CHECK(lapwing_plan_copy(nullptr, &no_plan) == LAPWING_INVALID);
    CHECK(lapwing_plan_summary(nullptr, &summary) == LAPWING_INVALID);
    CHECK(lapwing_plan_summary(plan.get(), nullptr) == LAPWING_INVALID);
    CHECK(lapwing_plan_sizes(plan.get(), 0, 1, nullptr) == LAPWING_INVALID);
    CHECK_FALSE(lapwing_plan_next(nullptr, &message));
    CHECK_FALSE(lapwing_plan_next(plan.get(), nullptr));
    CHECK(lapwing_predict(nullptr, "bcast", nullptr, 4, 8, &seconds) == LAPWING_INVALID);
    CHECK(lapwing_predict(profile.get(), nullptr, nullptr, 4, 8, &seconds) == LAPWING_INVALID);
    CHECK(lapwing_predict(profile.get(), "bcast", nullptr, 4, 8, nullptr) == LAPWING_INVALID);
    CHECK(seconds == -1);
    lapwing_profile_free(nullptr);
    lapwing_plan_free(nullptr);
}

TEST_CASE("a copy in C outlives what it was copied from", "[c]") {
    auto profile = profile_of(lapwing::test::infiniband());
    auto plan = plan_of(profile, stream(1 << 20));
    lapwing_profile* same_machine = nullptr;
    lapwing_plan* same_plan = nullptr;
    REQUIRE(lapwing_profile_copy(profile.get(), &same_machine) == LAPWING_OK);
    REQUIRE(lapwing_plan_copy(plan.get(), &same_plan) == LAPWING_OK);
    profile.reset();
    plan.reset();
    const ProfileHandle kept_machine(same_machine, &lapwing_profile_free);
    const PlanHandle kept_plan(same_plan, &lapwing_plan_free);
    lapwing_summary summary{};
    REQUIRE(lapwing_plan_summary(same_plan, &summary) == LAPWING_OK);
    CHECK(summary.transport == std::string("two-sided"));
    CHECK(summary.volume == 1 << 20);
    CHECK(plan_of(kept_machine, stream(64)) != nullptr);
}

TEST_CASE("C predicts what C++ predicts", "[c]") {
    const auto machine = lapwing::test::full_profile();
    const auto profile = profile_of(machine);
    lapwing::Operation operation;
    operation.name = "alltoall";
    operation.ranks = 16;
    operation.size = 1024;
    double seconds = 0;
    REQUIRE(lapwing_predict(profile.get(), "alltoall", nullptr, 16, 1024, &seconds) == LAPWING_OK);
    CHECK(seconds == predict(machine, operation).seconds);
    operation.algorithm = "bruck";
    REQUIRE(lapwing_predict(profile.get(), "alltoall", "bruck", 16, 1024, &seconds) == LAPWING_OK);
    CHECK(seconds == predict(machine, operation).seconds);
    CHECK(lapwing_predict(profile.get(), "alltoal", nullptr, 16, 1024, &seconds) ==
          LAPWING_INVALID);
    CHECK_THAT(lapwing_error_message(), Catch::Matchers::Contains("did you mean"));
    CHECK(lapwing_predict(profile.get(), "alltoall", nullptr, -1, 8, &seconds) == LAPWING_INVALID);
}

TEST_CASE("each thread has the message of its own mistake in C", "[c]") {
    lapwing_profile* profile = nullptr;
    CHECK(lapwing_profile_load("/nowhere", &profile) == LAPWING_UNREADABLE);
    std::string other;
    std::thread([&] { other = lapwing_error_message(); }).join();
    CHECK(other.empty());
    CHECK_THAT(lapwing_error_message(), Catch::Matchers::StartsWith("/nowhere"));
    CHECK(std::strlen(lapwing_version()) >= 5);
}
