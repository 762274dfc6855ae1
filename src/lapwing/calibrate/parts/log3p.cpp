#include "lapwing/calibrate/parts/log3p.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "lapwing/calibrate/parts/log3p_tables.hpp"
#include "lapwing/calibrate/ranks/timed_start.hpp"
#include "lapwing/calibrate/sampling/sample_interleaved.hpp"
#include "lapwing/calibrate/statistics/refine_sizes.hpp"
#include "lapwing/calibrate/statistics/switch_sizes.hpp"
#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/compute/page_vector.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/strided_type.hpp"

namespace lapwing {
namespace {

using Quantity = Log3PCell::Quantity;

constexpr std::uint64_t element = sizeof(double);
constexpr int strided_tag = 32765;

class Log3PMeasurement {
  public:
    Log3PMeasurement(Context& context, Log3POptions options)
        : context_(context),
          pair_(context.pair),
          communicator_(context.ranks),
          options_(std::move(options)),
          start_(communicator_) {
        check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
    }

    void run(Profile& profile);

  private:
    void add_sizes_of(const Profile& profile);
    void refine_sizes();
    void allocate();
    void choose_cells();
    double add_cell(Quantity quantity, std::size_t size,
                    std::optional<std::size_t> stride = std::nullopt);
    void add_strided_cells(std::size_t size, std::size_t stride);

    double least(const Log3PCell& cell, int samples);
    double time(const Log3PCell& cell, int repetitions);
    double time_with_peer(const Log3PCell& cell, int repetitions);
    double time_alone(const Log3PCell& cell, int repetitions);
    template <class Action>
    double mean(int repetitions, Action&& action);
    template <class Send, class Receive>
    double half_round_trip(int repetitions, Send&& sending, Receive&& receiving);
    /// Seconds of `operation` from one moment until the last rank is done, after one that warms up
    /// and a rest.
    template <class Action>
    double isolated(Action&& action) {
        return start_.time(action, action);
    }

    void to_self(MPI_Datatype type);
    void send(const void* from, int count, MPI_Datatype type);
    void receive(void* to, int count, MPI_Datatype type);
    void broadcast(void* data, int count, MPI_Datatype type);
    void pack(const Log3PCell& cell);
    void unpack(const Log3PCell& cell);
    [[nodiscard]] std::size_t elements(const Log3PCell& cell) const {
        return static_cast<std::size_t>(options_.sizes[cell.size] / element);
    }
    [[nodiscard]] std::size_t stride_of(const Log3PCell& cell) const;
    [[nodiscard]] StridedType type_of(const Log3PCell& cell) const;

    Context& context_;
    TwoSidedPair& pair_;
    MPI_Comm communicator_;
    int rank_ = 0;
    Log3POptions options_;
    MemoryCopy copy_;
    PageVector<double> out_;
    PageVector<double> in_;
    PageVector<double> packed_;
    std::vector<Log3PCell> cells_;
    TimedStart start_;
};

/// How often one sample repeats what takes `once` seconds: often enough for the clock, and for
/// messages in turn to become steady. After a rest there is one.
int repetitions_of(const Log3PCell& cell, double once) {
    if (simulated_time || cell.is_isolated()) return 1;
    const double long_enough = cell.has_peer() ? 2e-3 : 50e-6;
    return static_cast<int>(std::clamp(long_enough / std::max(once, 1e-9), 1.0, 1000.0));
}

void Log3PMeasurement::run(Profile& profile) {
    if (!simulated_time) add_sizes_of(profile);
    allocate();
    refine_sizes();
    choose_cells();
    std::vector<Series> series;
    series.reserve(cells_.size());
    for (const Log3PCell& cell : cells_)
        series.push_back(cell.has_peer() ? Series()
                                         : Series(context_.sampling.environment.clock()));
    const auto times = medians(sample_interleaved(
        context_.sampling, "strided messages", std::move(series), [&](std::size_t i) {
            const Log3PCell& cell = cells_[i];
            if (!simulated_time) time(cell, 1);  // brings what it needs into the caches
            return time(cell, cell.repetitions);
        }));
    if (!pair_.first()) return;
    profile.log3p = log3p_tables(options_, cells_, times, profile.interpolated);
}

/// Adds the sizes at which messages side by side bend, if rank 0 knows: these tables are added to
/// what those messages cost, and have to be known at the same sizes.
void Log3PMeasurement::add_sizes_of(const Profile& profile) {
    std::vector<std::uint64_t> known;
    if (pair_.first() && options_.refine && profile.latency) known = profile.latency->sizes;
    known.resize(static_cast<std::size_t>(pair_.from_first(static_cast<double>(known.size()))));
    auto& sizes = options_.sizes;
    const auto [least, most] = std::pair(sizes.front(), sizes.back());
    for (const std::uint64_t one : known) {
        const auto size = static_cast<std::uint64_t>(pair_.from_first(static_cast<double>(one)));
        // Whole elements on both sides of it.
        const std::uint64_t below = size / element * element;
        for (const std::uint64_t each : {below, size == below ? below : below + element})
            if (each > least && each < most) sizes.push_back(each);
    }
    sizes = sorted_unique(std::move(sizes));
}

/// Memory for the messages that are spread farthest, as far as they may be.
void Log3PMeasurement::allocate() {
    std::uint64_t room = options_.sizes.back();
    for (std::size_t i = 0; i < options_.sizes.size(); ++i)
        for (std::size_t j = 0; j < options_.strides.size(); ++j)
            if (i == 0 || spread(options_, i, j) <= options_.span)
                room = std::max(room, spread(options_, i, j));
    out_.assign(room / element, 1.0);
    in_.assign(room / element, 0.0);
    packed_.assign(options_.sizes.back() / element, 0.0);
}

/// Adds sizes where strided messages of the first stride bend, in turn and after a rest.
void Log3PMeasurement::refine_sizes() {
    if (!options_.refine || options_.strides.empty()) return;
    // Both from the same table: where both bend, one finds enough.
    const auto table = options_.sizes;
    auto found = table;
    for (const Quantity quantity : {Quantity::peer, Quantity::isolated_peer}) {
        Log3PCell cell{quantity, 0, 0};
        if (simulated_time && cell.is_isolated()) continue;
        // A time after a rest is not known as well.
        const double share = cell.is_isolated() ? 0.15 : 0.05;
        const auto more = refine_where_nonlinear(
            table, element, options_.longest,
            [&](std::uint64_t size) {
                options_.sizes = {size};
                cell.repetitions = 1;
                cell.repetitions = repetitions_of(cell, pair_.from_first(least(cell, 2)));
                return pair_.from_first(least(cell, cell.is_isolated() ? 15 : 3));
            },
            share);
        found.insert(found.end(), more.begin(), more.end());
    }
    options_.sizes = sorted_unique(std::move(found));
}

/// All that can be measured in the time a message may take.
void Log3PMeasurement::choose_cells() {
    for (std::size_t i = 0; i < options_.sizes.size(); ++i) {
        if (add_cell(Quantity::peer, i) > options_.longest && i > 0) {
            // A slow wire bounds the sizes.
            cells_.pop_back();
            options_.sizes.resize(i);
            return;
        }
        add_cell(Quantity::copy, i);
        add_cell(Quantity::self, i);
        if (!simulated_time) add_cell(Quantity::isolated_peer, i);
        for (std::size_t j = 0; j < options_.strides.size(); ++j)
            if (i == 0 || spread(options_, i, j) <= options_.span) add_strided_cells(i, j);
    }
}

void Log3PMeasurement::add_strided_cells(std::size_t size, std::size_t stride) {
    add_cell(Quantity::packing, size, stride);
    add_cell(Quantity::self, size, stride);
    add_cell(Quantity::peer, size, stride);
    add_cell(Quantity::packed_peer, size, stride);
    if (simulated_time) return;
    add_cell(Quantity::isolated_peer, size, stride);
    add_cell(Quantity::isolated_packed_peer, size, stride);
}

/// Returns the seconds that it takes once, about; the same on both ranks.
double Log3PMeasurement::add_cell(Quantity quantity, std::size_t size,
                                  std::optional<std::size_t> stride) {
    Log3PCell cell{quantity, size, stride};
    // A moment's disturbance must not end the table.
    const bool ends_table = quantity == Quantity::peer && !stride;
    const double once = pair_.from_first(least(cell, ends_table ? 7 : 2));
    cell.repetitions = repetitions_of(cell, once);
    cells_.push_back(cell);
    return once;
}

/// The least of some samples.
double Log3PMeasurement::least(const Log3PCell& cell, int samples) {
    double least = time(cell, cell.repetitions);
    for (int i = 1; i < samples && !simulated_time; ++i)
        least = std::min(least, time(cell, cell.repetitions));
    return least;
}

/// Seconds that one operation of `cell` takes, on rank 0: the mean of `repetitions`.
double Log3PMeasurement::time(const Log3PCell& cell, int repetitions) {
    if (cell.has_peer()) return time_with_peer(cell, repetitions);
    return pair_.first() ? time_alone(cell, repetitions) : 0;
}

double Log3PMeasurement::time_with_peer(const Log3PCell& cell, int repetitions) {
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
        default:
            return isolated([&] {
                if (pair_.first()) pack(cell);
                broadcast(packed_.data(), count, MPI_DOUBLE);
                if (!pair_.first()) unpack(cell);
            });
    }
}

double Log3PMeasurement::time_alone(const Log3PCell& cell, int repetitions) {
    if (cell.quantity == Quantity::self) {
        const StridedType type = type_of(cell);
        return mean(repetitions, [&] { to_self(type.get()); });
    }
    if (cell.quantity == Quantity::packing)
        return mean(repetitions,
                    [&] {
                        pack(cell);
                        unpack(cell);
                    }) /
               2;
    const std::uint64_t size = options_.sizes[cell.size];
    return mean(repetitions, [&] { copy_(in_.data(), out_.data(), size); });
}

template <class Action>
double Log3PMeasurement::mean(int repetitions, Action&& action) {
    const double start = pair_.now();
    for (int i = 0; i < repetitions; ++i) action();
    return (pair_.now() - start) / repetitions;
}

/// Seconds of a message, as one rank sends and the other receives it.
template <class Send, class Receive>
double Log3PMeasurement::half_round_trip(int repetitions, Send&& sending, Receive&& receiving) {
    const auto one_way = [&](bool sends) { sends ? sending() : receiving(); };
    pair_.barrier();
    return mean(repetitions,
                [&] {
                    one_way(pair_.first());
                    one_way(!pair_.first());
                }) /
           2;
}

/// Elements from one to the next.
std::size_t Log3PMeasurement::stride_of(const Log3PCell& cell) const {
    return static_cast<std::size_t>(options_.strides[*cell.stride] / element);
}

StridedType Log3PMeasurement::type_of(const Log3PCell& cell) const {
    const std::size_t stride = cell.stride ? stride_of(cell) : 1;
    return {static_cast<int>(elements(cell)), static_cast<int>(stride)};
}

/// From `out_` to `packed_`.
void Log3PMeasurement::pack(const Log3PCell& cell) {
    copy_.pack(packed_.data(), out_.data(), elements(cell), stride_of(cell));
}

/// From `packed_` to `out_`.
void Log3PMeasurement::unpack(const Log3PCell& cell) {
    copy_.unpack(out_.data(), packed_.data(), elements(cell), stride_of(cell));
}

void Log3PMeasurement::to_self(MPI_Datatype type) {
    MPI_Request incoming = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(in_.data(), 1, type, rank_, strided_tag, communicator_, &incoming),
              "MPI_Irecv", rank_);
    check_mpi(MPI_Send(out_.data(), 1, type, rank_, strided_tag, communicator_), "MPI_Send", rank_);
    check_mpi(MPI_Wait(&incoming, MPI_STATUS_IGNORE), "MPI_Wait", rank_);
}

void Log3PMeasurement::send(const void* from, int count, MPI_Datatype type) {
    check_mpi(MPI_Send(from, count, type, pair_.peer(), strided_tag, communicator_), "MPI_Send",
              pair_.peer());
}

void Log3PMeasurement::receive(void* to, int count, MPI_Datatype type) {
    check_mpi(
        MPI_Recv(to, count, type, pair_.peer(), strided_tag, communicator_, MPI_STATUS_IGNORE),
        "MPI_Recv", pair_.peer());
}

/// From rank 0, the pair's first.
void Log3PMeasurement::broadcast(void* data, int count, MPI_Datatype type) {
    check_mpi(MPI_Bcast(data, count, type, 0, communicator_), "MPI_Bcast");
}

}  // namespace

Log3POptions Log3POptions::quick() {
    Log3POptions options;
    options.sizes = {1024, 8192, 65536, 524288};
    options.strides = {16, 512, 576};
    options.longest = 10e-3;
    options.refine = false;
    return options;
}

void measure_log3p(Context& context, const Log3POptions& options, Profile& profile) {
    Log3PMeasurement(context, options).run(profile);
}

}  // namespace lapwing
