#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "lapwing/fft/lines/effort.hpp"

namespace lapwing::fft {

/// When data is sent to the rank that needs it next (Bell, Bonachea, Nishtala, Yelick 2006,
/// section 5.3; Hoefler, Gottschling, Lumsdaine 2008, section 4; `strips` and `tails` are Lapwing's
/// own).
enum class Schedule {
    exchange,  ///< all of it, after the last plane is transformed
    slabs,     ///< the part of a plane for one rank, as soon as that part is transformed
    pencils,   ///< each row, as soon as it is transformed, straight to where it stays
    tiled,     ///< some planes, in non-blocking all-to-alls
    strips,    ///< as slabs, but cut, and in an order in which the last lines can begin early
    tails,     ///< as slabs, but of a rank's last plane, which is cut, so that they can
};

/// How it is sent.
enum class Transport {
    collective,  ///< all-to-alls; with `exchange` a blocking one
    two_sided,   ///< non-blocking messages, for which receives are posted beforehand
    rma,         ///< one-sided puts
};

/// What is wanted in the end, or given at the beginning of an inverse transform.
enum class Order {
    transposed,  ///< planes along the second axis: [local n1][n0][n2]. Half the communication
    natural,     ///< planes along the first axis, as the input: [local n0][n1][n2]
};

/// How what goes to one rank is brought together for `exchange`, and for tiles of more than one
/// plane by copying (Cameron, Ge, Sun 2007, section 4.3.4).
enum class Packing {
    copy,     ///< when all planes are transformed
    derived,  ///< not at all: a derived type says where it lies, for `collective` to pack
    blocked,  ///< a few planes at a time, while they are in a cache
};

/// How an array is dealt to ranks.
enum class Decomposition {
    planes,     ///< in planes across one axis
    grid,       ///< in pencils across two axes, to ranks in a grid. Feeds more ranks than planes
    automatic,  ///< in planes, unless there are more ranks than planes
};

/// Elements along each axis. The last is contiguous in memory.
using Size = std::array<std::size_t, 3>;

/// How to transform. The same on all ranks. `forecasts` says which schedule, transport, tile,
/// strips, window and packing suit a machine.
struct Options {
    Schedule schedule = Schedule::slabs;
    Transport transport = Transport::two_sided;  ///< one that `fits`: for `tiled` `collective`
    Order order = Order::transposed;
    std::size_t tile = 1;  ///< planes in an all-to-all; for `tiled`
    /// Into which what one rank gets of a plane is cut; for `strips` and `tails`.
    std::size_t strips = 4;
    /// Messages in flight, or for `tiled` all-to-alls, for each of which a buffer of a tile is
    /// kept; nothing to `exchange`. 0 for as many as `window_of` says.
    int window = 0;
    Effort effort = Effort::measure;  ///< of planning lines
    /// Seconds between two looks at what is under way while lines are transformed, 0 for none. An
    /// MPI that advances only while it is called hides nothing else. Simulated time needs it not.
    double poll_interval = 1e-4;
    Decomposition decomposition = Decomposition::planes;
    /// Rows and columns, for a decomposition in a `grid`; 0 x 0 for those in which the rank with
    /// most has least.
    std::array<int, 2> grid{};
    /// Arrays in a transform, each `capacity()` elements behind the one before. With a schedule
    /// that `overlaps` one is transformed while another is sent, for which there is a second
    /// buffer.
    std::size_t batch = 1;
    /// For `exchange`. In place there is nowhere to pack to before all planes are transformed:
    /// `blocked` is `copy` then.
    Packing packing = Packing::copy;
    std::size_t block = 1;    ///< planes at a time, for `blocked`
    std::size_t padding = 0;  ///< elements between two of them, for `blocked`
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

/// Whether something is done with what arrives before all of an array has.
[[nodiscard]] constexpr bool overlaps(Schedule schedule) {
    return schedule != Schedule::exchange && schedule != Schedule::tiled;
}

/// Messages or all-to-alls in flight among `ranks` ranks where the options name no number: all; of
/// all-to-alls 2; and of two-sided `strips` 64 to each of the others. MPIs let messages to one rank
/// share the way, and those of an early stage would arrive with those of the last.
[[nodiscard]] constexpr std::size_t window_of(const Options& options, int ranks) {
    if (options.window > 0) return static_cast<std::size_t>(options.window);
    if (options.schedule == Schedule::tiled) return 2;
    if (options.schedule == Schedule::strips && options.transport == Transport::two_sided)
        return 64 * static_cast<std::size_t>(ranks > 1 ? ranks - 1 : 1);
    return std::numeric_limits<std::size_t>::max();
}

/// The transport that a schedule takes where none is named.
[[nodiscard]] constexpr Transport usual_transport(Schedule schedule) {
    return overlaps(schedule) ? Transport::two_sided : Transport::collective;
}

[[nodiscard]] constexpr const char* name(Schedule schedule) {
    constexpr const char* names[] = {"exchange", "slabs", "pencils", "tiled", "strips", "tails"};
    return names[static_cast<std::size_t>(schedule)];
}
[[nodiscard]] constexpr const char* name(Transport transport) {
    constexpr const char* names[] = {"collective", "two-sided", "rma"};
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
