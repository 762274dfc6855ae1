#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/calibrate/sampling/series.hpp"

namespace lapwing {

/// How many messages a flood has if each takes about `each` seconds. They are 4 to `most`: enough
/// to be timed, but no more than keep the wire busy for about `longest` seconds.
std::uint64_t flood_count(double each, double longest, double most = 64);

/// What the messages of one burst took, in their order.
struct BurstTimes {
    std::vector<double> initiation;  ///< seconds to initiate each
    std::vector<double> received;    ///< seconds from the start of the burst until rank 1 had it
};

/// The benchmarks between two ranks that calibration is made of. Both ranks call each; what is
/// measured goes to series of rank 0. Where a benchmark repeats something `times` times, it does so
/// in a steady rhythm, each time after all is quiet. After a pause a message takes up to four times
/// as long. So one more repetition comes first. It warms the caches and does not count.
class PairBenchmarks {
  public:
    /// `bytes`: of the buffers. The messages of a benchmark lie side by side in them as far as they
    /// go.
    PairBenchmarks(TwoSidedPair& pair, std::size_t bytes);

    [[nodiscard]] TwoSidedPair& pair() { return pair_; }
    [[nodiscard]] Buffers& buffers() { return buffers_; }

    /// Half the round trip of `size` bytes, seconds: o_s + L + G S + o_r.
    double half_round_trip(std::uint64_t size);
    /// The same `times` times.
    void half_round_trips(std::uint64_t size, int times, Series& half);

    /// Exchanges: both ranks post a receive of `size` bytes, send as much, and wait for both.
    /// Seconds from the end of one exchange to the end of the next.
    void exchanges(std::uint64_t size, int times, Series& each);

    /// Seconds that each of `burst` sends of `size` bytes took to initiate, on average, with the
    /// receives posted: o_s(S, b) (Iancu 2.1, burst average).
    void bursts(std::uint64_t size, int burst, int times, Series& overhead);

    /// One burst, message by message. The result is rank 0's.
    BurstTimes burst_times(std::uint64_t size, int burst);

    /// Processor time that receiving `size` bytes takes on rank 0, seconds: o_r(S). Rank 0 does not
    /// touch the message until it should have arrived, `delay` seconds. From then on it tests the
    /// message now and then, for some messages move only in calls. What counts is the time in these
    /// calls, less what a call takes when there is nothing to do.
    void receptions(std::uint64_t size, double delay, int times, Series& overhead);

    /// Seconds from asking rank 1 for `count` messages of `size` bytes to the arrival of the last
    /// on rank 0. With `both_ways` rank 0 sends as many, and the last arrival of either rank
    /// counts.
    double flood(std::uint64_t size, std::uint64_t count, bool both_ways = false);

    /// Seconds that a message of a flood of `count >= 2` takes, less what the first one takes
    /// longer: a flood less a single message.
    void flood_gaps(std::uint64_t size, std::uint64_t count, bool both_ways, int times,
                    Series& gap);

    /// Seconds from asking for a message of `size` bytes, with one of `behind > 0` bytes sent right
    /// after it, to the arrival of the first.
    void first_of_two(std::uint64_t size, std::uint64_t behind, int times, Series& arrival);

    /// When a receive is posted: before its message arrives, or after.
    enum class Posted : std::uint8_t { before, after };
    /// Seconds from asking rank 1 for a message of `size` bytes, and an empty one behind it, until
    /// rank 0 has both. It waits for the empty one first, by which MPI finds the other: in the
    /// buffer of its receive if that is posted, among the unexpected messages otherwise. The calls
    /// are the same. Of messages that do not wait for their receives.
    void arrivals(std::uint64_t size, Posted posted, int times, Series& seconds);

  private:
    using Request = TwoSided::Request;

    [[nodiscard]] double now() const { return pair_.now(); }
    Request send(std::uint64_t index, std::uint64_t size);
    Request receive(std::uint64_t index, std::uint64_t size);
    Request send_empty();
    Request receive_empty();
    void exchange(std::uint64_t size);
    double receive_arrived(std::uint64_t size, double delay);
    void post_on_second(std::uint64_t size, int burst);
    void complete_all();
    [[nodiscard]] double test(Request& request, bool& done);
    void leave_alone(double seconds);

    TwoSidedPair& pair_;
    Buffers buffers_;
    double clock_;  ///< seconds that reading the clock takes
    std::vector<Request> requests_;
    std::vector<Request> outgoing_;
};

}  // namespace lapwing
