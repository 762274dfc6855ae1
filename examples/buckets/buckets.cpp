// Training of a network on all ranks: gradients are computed layer by layer, from the last layer to
// the first, and summed over all ranks in buckets of a few layers. A bucket is reduced while the
// next layers are computed.
//
//   example-buckets [LAYERS]
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <lapwing/compute/rates.hpp>
#include <lapwing/lapwing.hpp>
#include <lapwing/transport/collective/collective.hpp>
#include <span>
#include <vector>

#include "../argument.hpp"
#include "../seconds.hpp"

namespace {

constexpr int passes = 20;  // over a layer's weights, to compute its gradient

/// Layers of different sizes: where the weights of each of them end.
std::vector<std::size_t> ends_of(std::uint64_t layers) {
    std::vector<std::size_t> ends;
    std::size_t end = 0;
    for (std::uint64_t layer = 0; layer < layers; ++layer)
        ends.push_back(end += 1000 + 700 * (layer % 5));
    return ends;
}

/// Computes the gradient of this rank's samples at `weights`.
void gradient(int rank, std::span<const double> weights, std::span<double> result) {
    for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t i = 0; i < weights.size(); ++i)
            result[i] = 0.9 * result[i] + 0.01 * weights[i] + 0.001 * rank;
        lapwing::poll();
    }
    if constexpr (lapwing::simulated_time)
        lapwing::charge(passes * static_cast<double>(weights.size_bytes()) /
                        lapwing::simulated_rate("add"));
}

/// What one allreduce sums: gradients that lie side by side, and their sum.
struct Bucket {
    std::size_t first = 0;
    std::size_t count = 0;
    std::vector<double> sum;
    void clear() { count = 0; }
};

/// Runs a step of training, with buckets of `layers_each` layers, `window` of them in flight.
/// Returns the new weights.
std::vector<double> train(lapwing::Collective& ranks, const std::vector<std::size_t>& ends,
                          std::uint64_t layers_each, int window) {
    std::vector<double> weights(ends.back());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1.0 / static_cast<double>(i + 1);
    std::vector<double> gradients(weights.size());

    lapwing::Plan plan;
    plan.messages = lapwing::Messages::uniform(ends.size(), layers_each);  // counted in layers
    plan.window = window;
    plan.poll_interval = lapwing::simulated_time ? 0 : 20e-6;
    lapwing::pipeline<Bucket>(
        plan, ends.size(),
        [&](std::uint64_t step, Bucket& bucket) {
            const std::size_t layer = ends.size() - 1 - step;  // backwards
            const std::size_t first = layer > 0 ? ends[layer - 1] : 0;
            const std::size_t count = ends[layer] - first;
            gradient(ranks.rank(), std::span(weights).subspan(first, count),
                     std::span(gradients).subspan(first, count));
            bucket.first = first;
            bucket.count += count;
        },
        [&](Bucket& bucket) {
            bucket.sum.resize(bucket.count);
            return ranks.allreduce({gradients.data() + bucket.first, bucket.count},
                                   bucket.sum.data());
        },
        [&](Bucket& bucket) {
            for (std::size_t i = 0; i < bucket.count; ++i)
                weights[bucket.first + i] -= 0.1 * bucket.sum[i] / ranks.size();
        });
    return weights;
}

int run(std::uint64_t layers) {
    lapwing::Collective ranks;
    const auto ends = ends_of(layers);
    std::vector<double> ours;
    std::vector<double> blocking;
    const double overlapped = seconds([&] { ours = train(ranks, ends, 4, 4); });

    // Blocking: computes all layers, then reduces the same buckets one after the other.
    const double waiting = seconds([&] {
        std::vector<double> weights(ends.back());
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] = 1.0 / static_cast<double>(i + 1);
        std::vector<double> gradients(weights.size());
        for (std::size_t layer = ends.size(); layer-- > 0;) {
            const std::size_t first = layer > 0 ? ends[layer - 1] : 0;
            gradient(ranks.rank(), std::span(weights).subspan(first, ends[layer] - first),
                     std::span(gradients).subspan(first, ends[layer] - first));
        }
        std::vector<double> sum(weights.size());
        for (std::size_t end = ends.size(); end > 0;) {
            const std::size_t begin = end > 4 ? end - 4 : 0;
            const std::size_t first = begin > 0 ? ends[begin - 1] : 0;
            ranks.allreduce({gradients.data() + first, ends[end - 1] - first}, sum.data() + first)
                .wait();
            end = begin;
        }
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= 0.1 * sum[i] / ranks.size();
        blocking = weights;
    });

    int same = ours == blocking ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    double total = 0;
    for (const double weight : ours) total += weight;
    if (ranks.rank() == 0) {
        std::printf("%d ranks, %zu layers, %zu weights\n", ranks.size(), ends.size(), ends.back());
        std::printf("sum of the new weights %.12f, %s the blocking loop\n", total,
                    same == 1 ? "to the bit as in" : "but NOT as in");
        std::printf("blocking %.6e s, overlapped %.6e s\n", waiting, overlapped);
    }
    return same == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("example-buckets", argc, argv, [&] {
        return run(static_cast<std::uint64_t>(argument(argc, argv, 1, "LAYERS", 50)));
    });
}
