// The five schedules give the same result to the bit, for all sizes and bursts.
#include "lapwing/pipeline/templates.hpp"

#include <mpi.h>

#include <cstring>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

using lapwing::TemplateSchedule;

namespace {

std::vector<std::byte> pattern(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 31 % 251);
    return bytes;
}

void check(lapwing::TwoSided& transport, TemplateSchedule schedule, std::size_t volume,
           std::uint64_t size, int burst) {
    const auto expected = pattern(volume);
    if (transport.rank() == 1) {
        lapwing::feed(
            transport, 0, expected,
            {lapwing::Messages::uniform(volume, size), lapwing::outstanding(schedule, burst)});
        return;
    }
    std::vector<std::byte> data(volume);
    std::uint64_t next = 0;
    bool right = true;
    lapwing::run_schedule(schedule, lapwing::Source{transport, 1, std::span(data)}, size, burst,
                          [&](std::uint64_t offset, std::uint64_t bytes) {
                              right = right && offset == next &&
                                      std::memcmp(data.data() + offset, expected.data() + offset,
                                                  bytes) == 0;
                              next += bytes;
                          });
    CHECK(right);
    CHECK(next == volume);
    CHECK(data == expected);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        if (transport.rank() < 2) {
            for (const auto schedule :
                 {TemplateSchedule::A, TemplateSchedule::B, TemplateSchedule::C,
                  TemplateSchedule::D, TemplateSchedule::E}) {
                for (const int burst : {1, 2, 8, 64}) {
                    for (const std::uint64_t size : {256, 4096, 65536, 1048576})
                        check(transport, schedule, 1 << 20, size, burst);
                    check(transport, schedule, 100001, 1000, burst);  // a remainder
                    check(transport, schedule, 1, 1000, burst);
                }
            }
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
