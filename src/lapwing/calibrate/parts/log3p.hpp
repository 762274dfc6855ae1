#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/ranks/timed_start.hpp"
#include "lapwing/calibrate/sampling/sample_interleaved.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/calibrate/statistics/refine_sizes.hpp"
#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/compute/page_vector.hpp"
#include "lapwing/model/log3p.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/strided_type.hpp"

namespace lapwing {

/// What of log_3P to measure, and how long to take.
struct Log3POptions {
    std::vector<std::uint64_t> sizes = {1024,  2048,   4096,   8192,   16384,  32768,
                                        65536, 131072, 262144, 524288, 1048576};
    /// Powers of two and, beyond a cache line, others that are a line longer: in caches the two
    /// differ (see `model::crowding`). Half a page and a page: from there on each element is in a
    /// page of its own.
    std::vector<std::uint64_t> strides = {16, 64, 512, 576, 2048, 2112, 4096, 4160};
    /// Bytes that the elements of one message may be spread over: what would need more is taken
    /// from the largest message that does not.
    std::uint64_t span = std::uint64_t{128} << 20;
    double longest = 30e-3;  ///< seconds one message may take
    bool bends = true;  ///< sizes more where time is no straight line: `refine_where_nonlinear`

    /// Fewer entries, in a second.
    static Log3POptions quick() {
        Log3POptions options;
        options.sizes = {1024, 8192, 65536, 524288};
        options.strides = {16, 512, 576};
        options.longest = 10e-3;
        options.bends = false;
        return options;
    }
};

/// Measures what the middleware and the network each take of a message (Cameron, Ge, Sun 2007,
/// section 4.1), with doubles that lie side by side and `d` bytes apart, by `MPI_Type_vector`:
///
///     o_mw(s)     = T_self(s) - T_mem(s)        a message to oneself, less a copy
///     l_mw(s, d)  = T_self(s, d) - T_self(s)
///     o_net(s)    = T_peer(s) - o_mw(s)         a message to a peer
///
/// T_peer is half a round trip, as the usual benchmarks have it: back goes what has come, from
/// where it came to, for what is strided fills caches, and a rank that had two arrays would find
/// less of either there. Packing by hand is timed on one rank and, as half of what it makes a
/// message to a peer longer, on both; where that message takes clearly longer than its parts, as
/// between processors that pass on what one of them has just written, the second counts.
///
/// Messages in turn find processors awake, and where a wire's rate is that of a bucket with tokens
/// they find it half empty. What an operation of a program takes is another thing: the same data
/// is timed once more as a broadcast that both ranks begin at one moment after a rest, by
/// `TimedStart`; some MPIs pack for one what they do not for a send. In simulated time nobody
/// tires, and the two are the same.
///
/// The paper prints `T_peer = o_net + o_mw / 2`, but its equation 6 and its own figures have all of
/// o_mw in it (29 + 420 + 131 = 580 us). None is below 0. The paper reports the least of its
/// samples. Here it is the median, at the processor's fastest pace (see `ClockSpeed`).
template <Transport T>
class Log3PMeasurement {
  public:
    /// `communicator`: of the two ranks of `pair` alone, whose first is rank 0.
    Log3PMeasurement(TransportPair<T>& pair, MPI_Comm communicator, Log3POptions options)
        : pair_(pair),
          communicator_(communicator),
          options_(std::move(options)),
          start_(communicator) {
        check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
    }

    /// Rank 0 has the result in `profile.log3p`; its `profile.latency`, if it is there, says where
    /// messages bend.
    void run(const SamplingGoal& goal, NoiseCounts& noise, const StatusCallback& report,
             Profile& profile) {
        if (!simulated_time) add_sizes(profile);
        choose_cells();
        std::vector<Series> series;
        series.reserve(cells_.size());
        for (const Cell& cell : cells_)
            series.push_back(with_peer(cell.quantity) ? Series() : Series(pair_.clock_speed()));
        const auto times = medians(sample_interleaved(
            pair_, std::move(series), goal, noise,
            [&](double share) {
                if (report) report(share, "strided messages");
            },
            [&](std::size_t i) {
                const Cell& cell = cells_[i];
                if (!simulated_time) time(cell, 1);  // what it needs is in the caches then
                return time(cell, cell.repetitions);
            }));
        if (!pair_.first()) return;
        profile.log3p = tables(times, profile.interpolated);
    }

  private:
    enum class Quantity {
        copy,
        self,
        peer,
        isolated_peer,
        packing,
        packed_peer,
        isolated_packed_peer
    };

    static bool with_peer(Quantity quantity) {
        return quantity != Quantity::copy && quantity != Quantity::self &&
               quantity != Quantity::packing;
    }
    /// Each begins at a moment of its own.
    static bool after_rest(Quantity quantity) {
        return quantity == Quantity::isolated_peer || quantity == Quantity::isolated_packed_peer;
    }

    /// One entry of a table to measure.
    struct Cell {
        Quantity quantity = Quantity::copy;
        std::size_t size = 0;               ///< its place in the table
        std::optional<std::size_t> stride;  ///< none: side by side
        int repetitions = 1;                ///< operations of one sample
    };

    using Row = std::vector<double>;  ///< [size]
    using Grid = std::vector<Row>;    ///< [size][stride]

    static constexpr std::uint64_t element = sizeof(double);
    static constexpr int tag = 32765;
    /// By which share a message packed by hand must take longer than its parts to be believed.
    static constexpr double telling = 0.1;

    [[nodiscard]] std::uint64_t spread(std::size_t size, std::size_t stride) const {
        return options_.sizes[size] / element * options_.strides[stride];
    }

    /// How often one sample repeats what takes `once` seconds: often enough for the clock, and
    /// messages in turn until they are steady. After a rest there is one.
    static int repetitions_of(Quantity quantity, double once) {
        if (simulated_time || after_rest(quantity)) return 1;
        const double long_enough = with_peer(quantity) ? 2e-3 : 50e-6;
        return static_cast<int>(std::clamp(long_enough / std::max(once, 1e-9), 1.0, 1000.0));
    }

    /// Everything there is to measure in the time a message may take.
    void choose_cells() {
        std::uint64_t room = options_.sizes.back();
        for (std::size_t i = 0; i < options_.sizes.size(); ++i)
            for (std::size_t j = 0; j < options_.strides.size(); ++j)
                if (i == 0 || spread(i, j) <= options_.span) room = std::max(room, spread(i, j));
        out_.assign(room / element, 1.0);
        in_.assign(room / element, 0.0);
        packed_.assign(options_.sizes.back() / element, 0.0);
        look_into_bends();

        const auto add = [&](Quantity quantity, std::size_t size,
                             std::optional<std::size_t> stride = std::nullopt) {
            Cell cell{quantity, size, stride};
            // A moment's disturbance must not end the table.
            const bool ends = quantity == Quantity::peer && !stride;
            const double once = pair_.from_first(least(cell, ends ? 7 : 2));
            cell.repetitions = repetitions_of(quantity, once);
            cells_.push_back(cell);
            return once;
        };
        for (std::size_t i = 0; i < options_.sizes.size(); ++i) {
            if (add(Quantity::peer, i) > options_.longest && i > 0) {
                // A slow wire bounds the sizes.
                cells_.pop_back();
                options_.sizes.resize(i);
                return;
            }
            add(Quantity::copy, i);
            add(Quantity::self, i);
            if (!simulated_time) add(Quantity::isolated_peer, i);
            for (std::size_t j = 0; j < options_.strides.size(); ++j) {
                if (i > 0 && spread(i, j) > options_.span) continue;
                add(Quantity::packing, i, j);
                add(Quantity::self, i, j);
                add(Quantity::peer, i, j);
                add(Quantity::packed_peer, i, j);
                if (simulated_time) continue;
                add(Quantity::isolated_peer, i, j);
                add(Quantity::isolated_packed_peer, i, j);
            }
        }
    }

    /// Those where messages side by side bend, if rank 0 knows: what these tables say is added to
    /// what those cost, and has to be known at the same sizes.
    void add_sizes(const Profile& profile) {
        std::vector<std::uint64_t> known;
        if (pair_.first() && options_.bends && profile.latency) known = profile.latency->sizes;
        known.resize(static_cast<std::size_t>(pair_.from_first(static_cast<double>(known.size()))));
        auto& sizes = options_.sizes;
        const auto [least, most] = std::pair(sizes.front(), sizes.back());
        for (const std::uint64_t one : known) {
            const auto size =
                static_cast<std::uint64_t>(pair_.from_first(static_cast<double>(one)));
            // Whole elements on both sides of it.
            const std::uint64_t below = size / element * element;
            for (const std::uint64_t each : {below, size == below ? below : below + element})
                if (each > least && each < most) sizes.push_back(each);
        }
        sort_sizes();
    }
    void sort_sizes() {
        auto& sizes = options_.sizes;
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    }

    /// Sizes more where strided messages of the first stride bend, in turn and after a rest.
    void look_into_bends() {
        if (!options_.bends || options_.strides.empty()) return;
        // Either from what there was: where both bend, one finds enough.
        const auto table = options_.sizes;
        auto found = table;
        for (const Quantity quantity : {Quantity::peer, Quantity::isolated_peer}) {
            if (simulated_time && after_rest(quantity)) continue;
            // What begins after a rest is not known as well.
            const double share = after_rest(quantity) ? 0.15 : 0.05;
            const auto more = refine_where_nonlinear(
                table, element, options_.longest,
                [&](std::uint64_t size) {
                    options_.sizes = {size};
                    Cell cell{quantity, 0, 0};
                    cell.repetitions = repetitions_of(quantity, pair_.from_first(least(cell, 2)));
                    return pair_.from_first(least(cell, after_rest(quantity) ? 15 : 3));
                },
                share);
            found.insert(found.end(), more.begin(), more.end());
        }
        options_.sizes = found;
        sort_sizes();
    }

    /// The least of some samples.
    double least(const Cell& cell, int samples) {
        double least = time(cell, cell.repetitions);
        for (int i = 1; i < samples && !simulated_time; ++i)
            least = std::min(least, time(cell, cell.repetitions));
        return least;
    }

    /// Seconds one operation of `cell` takes, on rank 0: the mean of `repetitions`.
    double time(const Cell& cell, int repetitions) {
        const std::uint64_t size = options_.sizes[cell.size];
        const auto count = static_cast<int>(elements(cell));
        switch (cell.quantity) {
            case Quantity::peer: {
                const StridedType type = type_of(cell);
                return half_round_trip(
                    repetitions, [&] { send(out_.data(), 1, type.get()); },
                    [&] { receive(out_.data(), 1, type.get()); });
            }
            case Quantity::packed_peer:
                return half_round_trip(
                    repetitions,
                    [&] {
                        pack(cell);
                        send(packed_.data(), count, MPI_DOUBLE);
                    },
                    [&] {
                        receive(packed_.data(), count, MPI_DOUBLE);
                        unpack(cell);
                    });
            case Quantity::isolated_peer: {
                const StridedType type = type_of(cell);
                return isolated([&] { broadcast(out_.data(), 1, type.get()); });
            }
            case Quantity::isolated_packed_peer:
                return isolated([&] {
                    if (pair_.first()) pack(cell);
                    broadcast(packed_.data(), count, MPI_DOUBLE);
                    if (!pair_.first()) unpack(cell);
                });
            default:
                break;
        }
        if (!pair_.first()) return 0;
        switch (cell.quantity) {
            case Quantity::self: {
                const StridedType type = type_of(cell);
                return mean(repetitions, [&] { to_self(type.get()); });
            }
            case Quantity::packing:
                return mean(repetitions,
                            [&] {
                                pack(cell);
                                unpack(cell);
                            }) /
                       2;
            default:
                return mean(repetitions, [&] { copy_(in_.data(), out_.data(), size); });
        }
    }

    [[nodiscard]] std::size_t elements(const Cell& cell) const {
        return static_cast<std::size_t>(options_.sizes[cell.size] / element);
    }
    /// Elements from one to the next.
    [[nodiscard]] std::size_t stride_of(const Cell& cell) const {
        return static_cast<std::size_t>(options_.strides[*cell.stride] / element);
    }

    [[nodiscard]] StridedType type_of(const Cell& cell) const {
        const std::uint64_t stride = cell.stride ? options_.strides[*cell.stride] : element;
        return {static_cast<int>(elements(cell)), static_cast<int>(stride / element)};
    }

    template <class Action>
    double mean(int repetitions, Action&& action) {
        const double start = pair_.transport().now();
        for (int i = 0; i < repetitions; ++i) action();
        return (pair_.transport().now() - start) / repetitions;
    }

    void to_self(MPI_Datatype type) {
        MPI_Request incoming = MPI_REQUEST_NULL;
        check_mpi(MPI_Irecv(in_.data(), 1, type, rank_, tag, communicator_, &incoming), "MPI_Irecv",
                  rank_);
        check_mpi(MPI_Send(out_.data(), 1, type, rank_, tag, communicator_), "MPI_Send", rank_);
        check_mpi(MPI_Wait(&incoming, MPI_STATUS_IGNORE), "MPI_Wait", rank_);
    }

    /// Between `out_` and `packed_`.
    void pack(const Cell& cell) {
        copy_.pack(packed_.data(), out_.data(), elements(cell), stride_of(cell));
    }
    void unpack(const Cell& cell) {
        copy_.unpack(out_.data(), packed_.data(), elements(cell), stride_of(cell));
    }

    /// Seconds of a message, as one side sends and the other receives it.
    template <class Send, class Receive>
    double half_round_trip(int repetitions, Send&& sending, Receive&& receiving) {
        const auto one_way = [&](bool sends) { sends ? sending() : receiving(); };
        pair_.barrier();
        return mean(repetitions,
                    [&] {
                        one_way(pair_.first());
                        one_way(!pair_.first());
                    }) /
               2;
    }

    /// Seconds of `operation` from one moment to when the last rank is done, after one that warms
    /// up and a rest.
    template <class Operation>
    double isolated(Operation&& operation) {
        return start_.time(operation, operation);
    }

    void send(const void* from, int count, MPI_Datatype type) {
        check_mpi(MPI_Send(from, count, type, pair_.peer(), tag, communicator_), "MPI_Send",
                  pair_.peer());
    }

    /// From rank 0, the pair's first.
    void broadcast(void* data, int count, MPI_Datatype type) {
        check_mpi(MPI_Bcast(data, count, type, 0, communicator_), "MPI_Bcast");
    }

    void receive(void* to, int count, MPI_Datatype type) {
        check_mpi(MPI_Recv(to, count, type, pair_.peer(), tag, communicator_, MPI_STATUS_IGNORE),
                  "MPI_Recv", pair_.peer());
    }

    /// The tables of the model from the seconds each cell took.
    Log3P tables(const std::vector<double>& times, std::vector<std::string>& interpolated) const {
        const std::size_t rows = options_.sizes.size();
        const std::size_t columns = options_.strides.size();
        const Grid none(rows, Row(columns));
        Log3P result;
        result.sizes = options_.sizes;
        result.strides = options_.strides;
        result.element = element;
        result.T_mem.resize(rows);
        result.l_mw = result.packing = result.remote = result.packed = result.ratio = none;
        result.isolated_strided = result.isolated_packed = none;
        result.isolated.resize(rows);
        Row to_self(rows);
        result.peer.resize(rows);
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            const auto& [quantity, i, j, repetitions] = cells_[k];
            const auto to = [&, i = i, j = j](Row& side_by_side, Grid& strided) -> double& {
                return j ? strided[i][*j] : side_by_side[i];
            };
            if (quantity == Quantity::copy) result.T_mem[i] = times[k];
            if (quantity == Quantity::packing) result.packing[i][*j] = times[k];
            if (quantity == Quantity::self) to(to_self, result.l_mw) = times[k];
            if (quantity == Quantity::peer) to(result.peer, result.remote) = times[k];
            if (quantity == Quantity::packed_peer) result.packed[i][*j] = times[k];
            if (quantity == Quantity::isolated_peer)
                to(result.isolated, result.isolated_strided) = times[k];
            if (quantity == Quantity::isolated_packed_peer)
                result.isolated_packed[i][*j] = times[k];
        }
        if (simulated_time) {
            result.isolated = result.peer;
            result.isolated_strided = result.remote;
            result.isolated_packed = result.packed;
        }
        for (std::size_t i = 0; i < rows; ++i) {
            result.o_mw.push_back(std::max(0.0, to_self[i] - result.T_mem[i]));
            result.o_net.push_back(std::max(0.0, result.peer[i] - result.o_mw[i]));
            for (double& time : result.l_mw[i]) time = std::max(0.0, time - to_self[i]);
            for (std::size_t j = 0; j < columns; ++j) {
                const double in_message = (result.packed[i][j] - result.peer[i]) / 2;
                const double beyond = 2 * (in_message - result.packing[i][j]);
                if (beyond > telling * result.packed[i][j]) result.packing[i][j] = in_message;
            }
        }
        for (std::size_t j = 0; j < columns; ++j) {
            Row middleware;
            for (std::size_t i = 0; i < rows; ++i) {
                if (i > 0 && spread(i, j) > options_.span) {
                    const double larger = static_cast<double>(result.sizes[i]) /
                                          static_cast<double>(result.sizes[i - 1]);
                    result.l_mw[i][j] = larger * result.l_mw[i - 1][j];
                    result.packing[i][j] = larger * result.packing[i - 1][j];
                    // What the stride adds grows; what the wire takes is known.
                    const auto extend = [&, i = i, j = j](Grid& strided, const Row& wire) {
                        const double added = std::max(0.0, strided[i - 1][j] - wire[i - 1]);
                        strided[i][j] = wire[i] + larger * added;
                    };
                    extend(result.remote, result.peer);
                    extend(result.packed, result.peer);
                    extend(result.isolated_strided, result.isolated);
                    extend(result.isolated_packed, result.isolated);
                    const std::string place =
                        "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
                    for (const char* table : {"l_mw", "packing", "remote", "packed",
                                              "isolated_strided", "isolated_packed", "ratio"})
                        interpolated.push_back(std::string("log3p.") + table + place);
                }
                const model::Log3PTerms sum{result.o_mw[i], result.l_mw[i][j], result.o_net[i]};
                result.ratio[i][j] = model::ratio(sum, result.remote[i][j]);
                middleware.push_back(sum.o_mw + sum.l_mw);
            }
            result.crossover.push_back(model::crossover(result.sizes, middleware, result.o_net));
        }
        return result;
    }

    TransportPair<T>& pair_;
    MPI_Comm communicator_;
    int rank_ = 0;
    Log3POptions options_;
    MemoryCopy copy_;
    PageVector<double> out_;
    PageVector<double> in_;
    PageVector<double> packed_;
    std::vector<Cell> cells_;
    TimedStart start_;
};

/// Measures log_3P; see `Log3PMeasurement`.
template <Transport T>
void measure_log3p(TransportPair<T>& pair, MPI_Comm communicator, const Log3POptions& options,
                   const SamplingGoal& goal, NoiseCounts& noise, const StatusCallback& report,
                   Profile& profile) {
    Log3PMeasurement(pair, communicator, options).run(goal, noise, report, profile);
}

}  // namespace lapwing
