#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "lapwing/fft/lines/effort.hpp"

namespace lapwing::fft {

/// When data is sent to the rank that needs it next. `exchange`, `slabs` and `pencils` are those of
/// Bell, Bonachea, Nishtala and Yelick (2006, section 5.3), `tiled` is that of Hoefler, Gottschling
/// and Lumsdaine (2008, section 4). `strips` and `tails` are Lapwing's own.
enum class Schedule {
    exchange,  ///< everything, after the last plane is transformed
    slabs,     ///< the part of a plane for one rank, as soon as that part is transformed
    pencils,   ///< each row to its final place, as soon as it is transformed
    tiled,     ///< a few planes at a time, by non-blocking all-to-alls
    strips,    ///< slabs cut into strips, sent in an order that lets the last lines begin early
    tails,     ///< slabs, of which only the last plane is cut into strips
};

/// How data is sent.
enum class Transport {
    collective,  ///< all-to-alls; blocking ones with `exchange`
    two_sided,   ///< non-blocking messages, whose receives are posted beforehand
    rma,         ///< one-sided puts, MPI's
    ucx,         ///< UCX's
    shmem,       ///< OpenSHMEM's
};

/// Whether a transport uses one-sided puts.
[[nodiscard]] constexpr bool is_put(Transport transport) {
    return transport != Transport::collective && transport != Transport::two_sided;
}

/// The layout of the output of a forward transform, and of the input of an inverse one.
enum class Order {
    transposed,  ///< planes across the second axis, [local n1][n0][n2]. Half the communication
    natural,     ///< as the input of a forward transform, [local n0][n1][n2]
};

/// How `exchange` packs the data for one rank (Cameron, Ge, Sun 2007, section 4.3.4). Tiles of more
/// than one plane always use `copy`.
enum class Packing {
    copy,     ///< copies, after all planes are transformed
    derived,  ///< MPI packs by a derived type; for `collective`
    blocked,  ///< copies a few planes at a time, while a cache holds them
};

/// How an array is distributed over ranks.
enum class Decomposition {
    planes,     ///< planes across one axis
    grid,       ///< pencils across two axes, over a grid of ranks; uses more ranks than planes
    automatic,  ///< planes, or a grid if there are more ranks than planes
};

/// Elements along each axis. The last axis is contiguous in memory.
using Size = std::array<std::size_t, 3>;

/// How to transform. All ranks give the same options. `forecasts` predicts which schedule,
/// transport, tile, strips, window and packing suit a machine.
struct Options {
    Schedule schedule = Schedule::slabs;
    Transport transport = Transport::two_sided;  ///< must fit the schedule, see `fits`
    Order order = Order::transposed;
    std::size_t tile = 1;    ///< planes in an all-to-all; for `tiled`
    std::size_t strips = 4;  ///< pieces into which a part of a plane is cut; for `strips`, `tails`
    /// Messages in flight; for `tiled`, all-to-alls in flight, each with a buffer of one tile. 0:
    /// the default of `window_of`. `exchange` does not use it.
    int window = 0;
    Effort effort = Effort::measure;  ///< how long FFTW searches for the fastest line
    /// Seconds between polls of pending messages while lines are transformed; 0: no polls. Without
    /// polls, an MPI that progresses only inside its calls hides nothing. Simulated clusters need
    /// none.
    double poll_interval = 1e-4;
    Decomposition decomposition = Decomposition::planes;
    /// Rows and columns of the grid, for the decomposition `grid`. 0 x 0: the grid with the
    /// smallest arrays.
    std::array<int, 2> grid{};
    /// Arrays in one transform, `capacity()` elements apart. A schedule that `overlaps` transforms
    /// one array while it sends another, and needs a second buffer.
    std::size_t batch = 1;
    /// For `exchange`. In place, `blocked` is `copy`: there is no buffer to pack into before all
    /// planes are transformed.
    Packing packing = Packing::copy;
    std::size_t block = 1;    ///< planes packed at a time, for `blocked`
    std::size_t padding = 0;  ///< elements between two planes of a block, for `blocked`
};

/// Whether a schedule can use a transport.
[[nodiscard]] constexpr bool fits(Schedule schedule, Transport transport) {
    switch (schedule) {
        case Schedule::exchange:
            return true;
        case Schedule::slabs:
        case Schedule::pencils:
        case Schedule::strips:
        case Schedule::tails:
            return transport != Transport::collective;
        case Schedule::tiled:
            return transport == Transport::collective;
    }
    return false;
}

/// Whether the arrays of a batch overlap. They do if the schedule sends parts of single planes.
/// `exchange` and `tiled` use an array only after all of it has arrived.
[[nodiscard]] constexpr bool overlaps(Schedule schedule) {
    return schedule != Schedule::exchange && schedule != Schedule::tiled;
}

/// Messages or all-to-alls in flight among `ranks` ranks. The default is 2 all-to-alls for `tiled`,
/// 64 messages to each other rank for two-sided `strips`, and otherwise all. `strips` need the
/// limit. An MPI shares the bandwidth to a rank among all messages to it, so messages of the first
/// stage would arrive as late as those of the last.
[[nodiscard]] constexpr std::size_t window_of(const Options& options, int ranks) {
    if (options.window > 0) return static_cast<std::size_t>(options.window);
    if (options.schedule == Schedule::tiled) return 2;
    if (options.schedule == Schedule::strips && options.transport == Transport::two_sided)
        return 64 * static_cast<std::size_t>(ranks > 1 ? ranks - 1 : 1);
    return std::numeric_limits<std::size_t>::max();
}

/// The transport of a schedule if none is given.
[[nodiscard]] constexpr Transport usual_transport(Schedule schedule) {
    return overlaps(schedule) ? Transport::two_sided : Transport::collective;
}

[[nodiscard]] constexpr const char* name(Schedule schedule) {
    constexpr const char* names[] = {"exchange", "slabs", "pencils", "tiled", "strips", "tails"};
    return names[static_cast<std::size_t>(schedule)];
}
[[nodiscard]] constexpr const char* name(Transport transport) {
    constexpr const char* names[] = {"collective", "two-sided", "rma", "ucx", "shmem"};
    return names[static_cast<std::size_t>(transport)];
}
[[nodiscard]] constexpr const char* name(Decomposition decomposition) {
    constexpr const char* names[] = {"1d", "2d", "auto"};
    return names[static_cast<std::size_t>(decomposition)];
}
[[nodiscard]] constexpr const char* name(Packing packing) {
    constexpr const char* names[] = {"copy", "derived", "blocked"};
    return names[static_cast<std::size_t>(packing)];
}
[[nodiscard]] constexpr const char* name(Order order) {
    return order == Order::natural ? "natural" : "transposed";
}

}  // namespace lapwing::fft
