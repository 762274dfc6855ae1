// Every rank computes numbers, step by step, and rank 0 gathers them. While a message of eight
// steps travels, the next steps are computed.
#include <mpi.h>

#include <cstdio>
#include <lapwing/lapwing.hpp>
#include <lapwing/transport/collective/collective.hpp>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 0;
    {
        constexpr std::uint64_t steps = 1000;
        lapwing::Collective ranks;
        const auto count = static_cast<std::size_t>(ranks.size());
        std::vector<double> all(ranks.rank() == 0 ? count * steps : 0);
        double* into = all.data();

        // Eight steps a message, and four messages in flight. lapwing::plan(machine, workload)
        // finds the best numbers for a machine.
        lapwing::Plan plan;
        plan.messages =
            lapwing::Messages::uniform(steps * sizeof(double), 8 * sizeof(double), sizeof(double));
        plan.window = 4;
        lapwing::pipeline(
            plan, steps,
            [&](std::uint64_t step, lapwing::Buffer& buffer) {
                const double number = static_cast<double>(step) + 0.25 * ranks.rank();
                buffer.append(&number, sizeof number);
            },
            [&](lapwing::Buffer& buffer) {
                auto request = ranks.gather(buffer.data(), into, buffer.size(), 0);
                if (ranks.rank() == 0) into += count * buffer.size() / sizeof(double);
                return request;
            });

        if (ranks.rank() == 0) {
            double sum = 0;
            for (const double number : all) sum += number;
            const auto n = static_cast<double>(count);
            const double right = n * 1000 * 999 / 2 + 1000 * 0.25 * n * (n - 1) / 2;
            std::printf("hello from %d ranks: the sum is %.2f, it should be %.2f\n", ranks.size(),
                        sum, right);
            status = sum == right ? 0 : 1;
        }
    }
    MPI_Finalize();
    return status;
}
