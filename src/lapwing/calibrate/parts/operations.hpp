#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/packet_train.hpp"
#include "lapwing/calibrate/sampling/sampling.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/transport/operation.hpp"

namespace lapwing {

/// What to measure of each way to move bytes.
struct OperationOptions {
    std::vector<std::uint64_t> sizes = {8, 512, 4096, 32768, 262144, 1048576};  ///< increasing
    std::vector<int> bursts = {1, 16};                                          ///< increasing
    double longest = 20e-3;  ///< seconds one burst may keep the wire busy

    /// Fewer entries, in a few seconds.
    static OperationOptions quick() {
        return {.sizes = {8, 4096, 65536, 1048576}, .bursts = {1, 16}, .longest = 10e-3};
    }
};

/// An operation as its measurement sees it: a name, and trains that can be run.
struct TrainRunner {
    std::string name;
    std::string transport;
    /// `run_train` of the operation: bytes, count, work, more.
    std::function<PacketTrain(std::uint64_t, std::uint64_t, const Chain*, std::uint64_t)> run;
};

/// Trains of `operation`, which has to outlive the result.
template <Operation O>
TrainRunner trains_of(RankPair& pair, O& operation) {
    return {O::name, O::transport,
            [&pair, &operation](std::uint64_t bytes, std::uint64_t count, const Chain* work,
                                std::uint64_t more) {
                return run_train(pair, operation, bytes, count, work, more);
            }};
}

/// Measures one way to move bytes, in about `sampling.goal.budget` seconds, and adds its costs to
/// `profile.operations`; they are rank 0's.
///
/// - latency: a single operation;
/// - o(S, b): the initiation of a train of b operations, over b (Iancu 2.1, burst average);
/// - asymptotic o(S), which computation does not hide: a train with computation after each
///   operation, less that computation, less the same with one operation (the method of Bell 2003,
///   cited by Iancu);
/// - g and bandwidth: a train whose first operation has arrived long before the last leaves, less
/// its
///   first quarter.
void measure_operation(const Sampling& sampling, const OperationOptions& options,
                       const TrainRunner& trains, Profile& profile);

/// Measures every way to move bytes, one after the other. Both ranks call it. `visit_all(visitor)`
/// calls `visitor(operation)` for each `Operation`, in the same order on both ranks.
template <class VisitAll>
void measure_operations(const Sampling& sampling, const OperationOptions& options,
                        VisitAll&& visit_all, Profile& profile) {
    double ways = 0;
    visit_all([&](auto&) { ++ways; });
    double done = 0;
    visit_all([&](auto& operation) {
        measure_operation(sampling.part(done / ways, (done + 1) / ways), options,
                          trains_of(sampling.pair, operation), profile);
        ++done;
    });
}

}  // namespace lapwing
