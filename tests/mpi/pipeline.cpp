// A pipeline sends the same bytes however its steps are gathered into messages.
#include "lapwing/pipeline/pipeline.hpp"

#include <mpi.h>

#include <cstring>
#include <vector>

#include "../support/check.hpp"
#include "../support/machine.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

using lapwing::Buffer;
using lapwing::Messages;
using lapwing::Plan;
using lapwing::TwoSided;
using lapwing::test::Random;

namespace {

/// What step `step` makes: `count` numbers.
std::vector<double> made(std::uint64_t step, std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = 1.0 / static_cast<double>(step * count + i + 1);
    return values;
}

void check(TwoSided& transport, const Plan& plan, std::uint64_t steps) {
    const std::size_t each = plan.messages.grain() / sizeof(double);
    if (transport.rank() == 1) {
        std::uint64_t sent = 0;
        lapwing::pipeline(
            plan, steps,
            [&](std::uint64_t step, Buffer& buffer) {
                const auto values = made(step, each);
                buffer.append(values.data(), values.size() * sizeof(double));
            },
            [&](Buffer& buffer) {
                return transport.send(buffer.data(), buffer.size(), 0,
                                      lapwing::message_tag(sent++));
            });
        CHECK(sent == plan.messages.count());
        return;
    }
    // The other side knows nothing of pipelines: it receives one message after another.
    std::vector<double> data(steps * each);
    for (auto at = plan.messages.begin(); !(at == Messages::end()); ++at)
        transport
            .receive(reinterpret_cast<std::byte*>(data.data()) + at.offset(), *at, 1,
                     lapwing::message_tag(at.index()))
            .wait();
    bool same = true;
    for (std::uint64_t step = 0; step < steps; ++step) {
        const auto values = made(step, each);
        same = same &&
               std::memcmp(values.data(), data.data() + step * each, each * sizeof(double)) == 0;
    }
    CHECK(same);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        TwoSided transport;
        if (transport.rank() < 2) {
            Random random(2);
            for (int trial = 0; trial < 60; ++trial) {
                const auto machine = lapwing::test::any_machine(random);
                const std::uint64_t grain = sizeof(double) * random.integer(1, 50);
                const auto steps = random.integer(1, 2000);
                Plan plan =
                    lapwing::plan(machine,
                                  {.volume = steps * grain,
                                   .compute = random.uniform(0, 3) * machine.loggp.G *
                                              static_cast<double>(steps * grain),
                                   .grain = grain,
                                   .direction = lapwing::Direction::produce},
                                  random.pick({lapwing::Method::lapwing, lapwing::Method::paper}));
                plan.window = static_cast<int>(random.integer(1, 20));
                check(transport, plan, steps);
            }
            for (const std::uint64_t tile : {1, 10, 100, 1000, 20000}) {
                for (const int window : {1, 2, 16}) {
                    Plan plan;
                    plan.messages = Messages::uniform(10007 * 64, tile * 64, 64);
                    plan.window = window;
                    check(transport, plan, 10007);
                }
            }
            Plan plan;
            plan.messages = Messages::uniform(4 << 20, 1 << 20, 64);  // not sent eagerly
            plan.window = 3;
            check(transport, plan, (4 << 20) / 64);
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
