#include "lapwing/plan/evaluate/recurrences.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/candidates/message_cutter.hpp"
#include "lapwing/plan/costs/workload_costs.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::Messages;
using lapwing::MessageTransport;
using lapwing::Profile;
using lapwing::StreamRecurrence;
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

/// The recurrence of a stream, and the costs that it refers to.
class StreamOf {
  public:
    StreamOf(const Profile& profile, const Workload& workload)
        : costs_(workload_costs(profile, complete(workload), MessageTransport::two_sided)),
          recurrence_(costs_.computing) {}
    const StreamRecurrence* operator->() const { return &recurrence_; }

  private:
    lapwing::WorkloadCosts costs_;
    StreamRecurrence recurrence_;
};

}  // namespace

TEST_CASE("a producer's messages are a receiver's with time reversed", "[plan]") {
    const Profile profile = lapwing::test::infiniband();
    Workload workload{.volume = 1 << 20, .compute = 1e-3, .grain = 8};
    const auto growing = Messages::uniform(1 << 20, 30000, 8);
    const StreamOf fetch(profile, workload);
    CHECK(fetch->seconds(growing) == fetch->receiver_seconds(growing));
    workload.direction = Direction::produce;
    const StreamOf produce(profile, workload);
    // The short one is last here, and so the first that time backwards has.
    REQUIRE(growing.runs().back().size < growing.runs().front().size);
    CHECK(produce->seconds(growing) != produce->receiver_seconds(growing));
    CHECK(produce->seconds(growing.reversed()) == produce->receiver_seconds(growing));
}

TEST_CASE("who only sends waits until its last message is acknowledged", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const auto [L, o_s, o_r, g, G] = profile.loggp;
    const Workload workload{.volume = 3200, .compute = 1e-6, .grain = 8};
    // Fifty short ones take their sender longer than the wire, and their receiver longer still.
    const auto messages = Messages::uniform(3200, 64, 8);
    const double last = 50 * o_s + L + 64 * G;
    const double consumed = o_s + L + 64 * G + 50 * o_r + 1e-6;
    for (const double acknowledgement : {0.0, 1e-6, 5e-6}) {
        profile.one_sided.acknowledgement = acknowledgement;
        const StreamOf fetch(profile, workload);
        CHECK(fetch->seconds(messages) == Approx(std::max(consumed, last + acknowledgement)));
    }
    // Of more than the largest window, the next leaves when the first of them is acknowledged.
    profile.one_sided.acknowledgement = 1e-3;
    const StreamOf far(profile, workload);
    const double interval = (o_s + L + 1e-3) / 64;
    CHECK(far->seconds(messages) == Approx(last + 1e-3));
    CHECK(far->seconds(Messages::uniform(3200, 16, 8)) ==
          Approx(200 * interval + L + 16 * G + 1e-3));
}

TEST_CASE("short messages that share the wire take their initiations one after another", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const auto [L, o_s, o_r, g, G] = profile.loggp;
    Workload workload{.volume = 640'000, .compute = 0, .grain = 8};
    lapwing::MessageCutter cut(workload.volume, workload.grain);
    cut.append(639'200);
    for (int i = 0; i < 100; ++i) cut.append(8);
    const Messages messages = cut.finish();
    REQUIRE(G * 8 < o_s);
    REQUIRE(G * 639'200 > 100 * o_s);
    // In order, the short ones wait behind the long one. Paced, they are initiated when it is over.
    CHECK(StreamOf(profile, workload)->pace(messages.runs()) == 0);
    CHECK(StreamOf(profile, workload)->seconds(messages) ==
          Approx(o_s + L + G * 639'200 + 101 * o_r));
    profile.nic = lapwing::Nic::sharing;
    CHECK(StreamOf(profile, workload)->pace(messages.runs()) == G);
    CHECK(StreamOf(profile, workload)->seconds(messages) ==
          Approx(G * 639'200 + L + std::max(100 * o_s + 8 * G + o_r, o_s + 101 * o_r)));
}

TEST_CASE("equal messages take what as many one after another do", "[plan]") {
    const auto times = GENERATE(1.0, 1.3);
    const auto size = GENERATE(8000U, 8192U, 50000U);
    const Profile profile = flooded(times);
    const Workload workload{.volume = 1 << 20, .compute = 1e-3, .grain = 8};
    const StreamOf all(profile, workload);
    CHECK(all->receiver_seconds(1 << 20, size) ==
          Approx(all->receiver_seconds(Messages::uniform(1 << 20, size, 8))).epsilon(1e-12));
}

TEST_CASE("a short message overtakes a long one that it follows to a receiver", "[plan]") {
    const Profile ordered = lapwing::test::infiniband();
    Profile profile = ordered;
    Workload workload{.volume = 300000, .compute = 0, .grain = 8};
    lapwing::MessageCutter cut(workload.volume, workload.grain);
    for (const double size : {100000.0, 100000.0, 60000.0, 40000.0}) cut.append(size);
    const Messages messages = cut.finish();
    CHECK(StreamOf(ordered, workload)->overtaken_above() == 0);
    profile.protocol.emplace().eager = 65536;
    CHECK(StreamOf(profile, workload)->overtaken_above() == 0);
    profile.protocol->eager_overtakes = true;
    CHECK(StreamOf(profile, workload)->overtaken_above() == 65536);
    // The wire is as long busy. What is computed meanwhile is not the message that comes late.
    CHECK(StreamOf(profile, workload)->receiver_seconds(messages) ==
          Approx(StreamOf(ordered, workload)->receiver_seconds(messages)).epsilon(0.01));
    workload.compute = 0.7 * 300000 * profile.loggp.G;
    const double t = workload.compute / 300000;
    const double G = profile.loggp.G;
    // All of the second message, and what is behind it, is consumed after the third has come.
    CHECK(StreamOf(profile, workload)->receiver_seconds(messages) ==
          Approx(260000 * G + 200000 * t).epsilon(0.03));
    const StreamOf in_order(ordered, workload);
    CHECK(in_order->receiver_seconds(messages) == Approx(200000 * G + 200000 * t).epsilon(0.03));
    // Equal messages, the last of which is shorter.
    const auto equal = Messages::uniform(300000, 100000, 8);
    CHECK(StreamOf(profile, workload)->receiver_seconds(300000, 70000) >
          in_order->receiver_seconds(300000, 70000));
    CHECK(StreamOf(profile, workload)->receiver_seconds(equal) ==
          in_order->receiver_seconds(equal));
    // A producer computes before it sends the next; what shares the wire is paced.
    workload.direction = Direction::produce;
    CHECK(StreamOf(profile, workload)->overtaken_above() == 0);
    workload.direction = Direction::fetch;
    profile.nic = lapwing::Nic::sharing;
    CHECK(StreamOf(profile, workload)->overtaken_above() == 0);
}

TEST_CASE("floods that lines do not tell are played by their own pace", "[plan]") {
    const Workload workload{.volume = 1 << 20, .compute = 0, .grain = 8};
    const Profile alike = flooded(1.02);
    CHECK(StreamOf(alike, workload)->measured_sizes().empty());
    const Profile faster = flooded(1.25);
    const StreamOf all(faster, workload);
    REQUIRE(all->measured_sizes() == faster.bandwidth.sizes);
    lapwing::model::Stream fastest = all->line();
    fastest.G = 0.8 * faster.loggp.G;
    CHECK(all->lower_bound() == Approx(lapwing::model::stream_limit(fastest, 1 << 20)));
    CHECK(all->receiver_seconds(1 << 20, 8192) <
          0.85 * StreamOf(alike, workload)->receiver_seconds(1 << 20, 8192));
    // What was measured with longer messages than there are says nothing.
    CHECK(StreamOf(faster, {.volume = 4096, .compute = 0, .grain = 8})->measured_sizes().empty());
}
