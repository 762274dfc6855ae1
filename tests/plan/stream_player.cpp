#include "lapwing/plan/stream_player.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "lapwing/plan/cut.hpp"
#include "lapwing/plan/plan.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::Messages;
using lapwing::Profile;
using lapwing::StreamPlayer;
using lapwing::Workload;

namespace {

/// A profile whose floods go by its own parameters, but messages of 8 KB `times` as fast.
Profile flooded(double times) {
    Profile profile = lapwing::test::infiniband();
    auto& table = profile.bandwidth;
    table.sizes = {8, 2048, 8192, 65536};
    for (const auto size : table.sizes) {
        const auto bytes = static_cast<double>(size);
        const double takes = std::max(profile.loggp.o_s, profile.loggp.G * bytes);
        table.unidirectional.push_back(bytes / takes * (size == 8192 ? times : 1));
    }
    table.bidirectional = table.unidirectional;
    return profile;
}

StreamPlayer player(const Profile& profile, const Workload& workload) {
    return {profile, workload, lapwing::flow(profile, workload)};
}

}  // namespace

TEST_CASE("a producer's messages are a receiver's with time reversed", "[plan]") {
    const Profile profile = lapwing::test::infiniband();
    Workload workload{.volume = 1 << 20, .compute = 1e-3, .grain = 8};
    const auto growing = Messages::uniform(1 << 20, 30000, 8);
    const StreamPlayer fetch = player(profile, workload);
    CHECK(fetch.seconds(growing) == fetch.consumed(growing));
    workload.direction = Direction::produce;
    const StreamPlayer produce = player(profile, workload);
    // The short one is last here, and so the first that time backwards has.
    REQUIRE(growing.runs().back().size < growing.runs().front().size);
    CHECK(produce.seconds(growing) != produce.consumed(growing));
    CHECK(produce.seconds(growing.reversed()) == produce.consumed(growing));
}

TEST_CASE("equal messages take what as many one after another do", "[plan]") {
    const auto times = GENERATE(1.0, 1.3);
    const auto size = GENERATE(8000U, 8192U, 50000U);
    const Profile profile = flooded(times);
    const Workload workload{.volume = 1 << 20, .compute = 1e-3, .grain = 8};
    const StreamPlayer all = player(profile, workload);
    CHECK(all.uniform(1 << 20, size) ==
          Approx(all.consumed(Messages::uniform(1 << 20, size, 8))).epsilon(1e-12));
}

TEST_CASE("a short message overtakes a long one that it follows to a receiver", "[plan]") {
    const Profile ordered = lapwing::test::infiniband();
    Profile profile = ordered;
    Workload workload{.volume = 300000, .compute = 0, .grain = 8};
    lapwing::Cut cut(workload.volume, workload.grain);
    for (const double size : {100000.0, 100000.0, 60000.0, 40000.0}) cut.message(size);
    const Messages messages = cut.finish();
    CHECK(player(ordered, workload).overtaking() == 0);
    profile.protocol.emplace().eager = 65536;
    CHECK(player(profile, workload).overtaking() == 0);
    profile.protocol->eager_overtakes = true;
    CHECK(player(profile, workload).overtaking() == 65536);
    // The wire is as long busy. What is computed meanwhile is not the message that comes late.
    CHECK(player(profile, workload).consumed(messages) ==
          Approx(player(ordered, workload).consumed(messages)).epsilon(0.01));
    workload.compute = 0.7 * 300000 * profile.loggp.G;
    const double t = workload.compute / 300000;
    const double G = profile.loggp.G;
    // All of the second message, and what is behind it, is consumed after the third has come.
    CHECK(player(profile, workload).consumed(messages) ==
          Approx(260000 * G + 200000 * t).epsilon(0.03));
    const StreamPlayer in_order = player(ordered, workload);
    CHECK(in_order.consumed(messages) == Approx(200000 * G + 200000 * t).epsilon(0.03));
    // Equal messages, the last of which is shorter.
    const auto equal = Messages::uniform(300000, 100000, 8);
    CHECK(player(profile, workload).uniform(300000, 70000) > in_order.uniform(300000, 70000));
    CHECK(player(profile, workload).consumed(equal) == in_order.consumed(equal));
    // A producer computes before it sends the next; what shares the wire is paced.
    workload.direction = Direction::produce;
    CHECK(player(profile, workload).overtaking() == 0);
    workload.direction = Direction::fetch;
    profile.nic = lapwing::Nic::sharing;
    CHECK(player(profile, workload).overtaking() == 0);
}

TEST_CASE("floods that lines do not tell are played by their own pace", "[plan]") {
    const Workload workload{.volume = 1 << 20, .compute = 0, .grain = 8};
    const Profile alike = flooded(1.02);
    CHECK(player(alike, workload).measured().empty());
    const Profile faster = flooded(1.25);
    const StreamPlayer all = player(faster, workload);
    REQUIRE(all.measured() == faster.bandwidth.sizes);
    const auto flow = lapwing::flow(faster, workload);
    CHECK(all.fastest(flow).costs.G == Approx(0.8 * faster.loggp.G));
    CHECK(all.uniform(1 << 20, 8192) < 0.85 * player(alike, workload).uniform(1 << 20, 8192));
    // What was measured with longer messages than there are says nothing.
    CHECK(player(faster, {.volume = 4096, .compute = 0, .grain = 8}).measured().empty());
}
