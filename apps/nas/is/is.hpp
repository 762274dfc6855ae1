#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/options.hpp"
#include "../common/result.hpp"
#include "../common/zeroed_array.hpp"
#include "drawn_keys.hpp"
#include "kernels.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/tag.hpp"
#include "loops.hpp"
#include "owners.hpp"
#include "problem.hpp"
#include "settings.hpp"
#include "small_exchange.hpp"
#include "sorted_keys.hpp"
#include "sum.hpp"
#include "tiles.hpp"

namespace lapwing::nas::is {

/// One rank's part in the benchmark IS. In an iteration it counts its keys by bucket. The counts of
/// all ranks decide which rank gets which buckets. Tile by tile, it then sorts its keys by bucket
/// and sends them, and counts the values of what has arrived. The sums of these counts are the
/// ranks of the keys.
///
/// Overlapped, tiles travel while others are sorted and counted; the first ones are sorted while
/// ranks agree on the buckets. Blocking, there is one tile, and each step ends before the next.
template <Transport T, class Computation>
class Program {
  public:
    Program(T& transport, Computation& computation, const Problem& problem, const Options& options)
        : transport_(transport),
          computation_(computation),
          problem_(problem),
          way_(way(options)),
          rank_(static_cast<std::size_t>(transport.rank())),
          ranks_(static_cast<std::size_t>(transport.size())),
          first_key_(problem.keys_before(transport.rank(), transport.size())),
          tiles_(problem_, keys_of(rank_), way_.tiles),
          keys_(keys_of(rank_)),
          sorted_(keys_memory(keys_of(rank_))),
          arrived_(keys_memory(problem.most_keys(transport.size()))),
          next_(problem.buckets()),
          totals_(problem.buckets() + test_keys),
          values_(problem.values()),
          sum_(transport, totals_.size(), sum_tag),
          sizes_(transport, way_.tiles, sizes_tag),
          in_flight_(static_cast<int>(std::max<std::size_t>(way_.window * (ranks_ - 1), 1)),
                     Computation::poll_interval, computation.recorder()) {}

    void reset() {
        generate(problem_, first_key_, keys_.span());
        passed_ = 0;
    }
    void begin() {}
    void iterate(int iteration) {
        alter(iteration + 1);
        count();
        agree();
        exchange();
        sum_values();
        test_ranks(iteration + 1);
    }
    void end() {}
    /// Sorts the keys by the ranks of the last iteration.
    [[nodiscard]] Verification verify() {
        const double expected = test_keys * problem_.iterations + static_cast<double>(ranks_);
        std::array<double, 2> sums{passed_ + (is_sorted() ? 1.0 : 0.0),
                                   static_cast<double>(held())};
        sum_.start(sums);
        sum_.finish();
        return {sums[0] == expected && sums[1] == static_cast<double>(problem_.keys()), sums[0],
                expected};
    }
    /// How many keys of all ranks are less than each value that this rank has, or equal: what an
    /// iteration finds. From `least_value()` on.
    [[nodiscard]] std::span<const std::uint32_t> values_up_to() const {
        return values_.span().first(value_count());
    }
    [[nodiscard]] Key least_value() const {
        return static_cast<Key>(first_buckets_[rank_] << problem_.shift());
    }

  private:
    static constexpr int sum_tag = 0;
    static constexpr int sizes_tag = 1;
    static constexpr int first_tile_tag = 2;

    /// What the options ask for.
    struct Way {
        bool overlapped;
        bool computes;  ///< what messages can hide behind
        std::size_t tiles;
        std::size_t ahead;
        std::size_t window;
    };
    [[nodiscard]] static Way way(const Options& options) {
        if (options.schedule == Schedule::blocking) return {false, true, 1, 1, 1};
        const auto setting = [&](Place place) {
            return static_cast<std::size_t>(options.settings[place]);
        };
        return {true, options.schedule != Schedule::chain, setting(tiles),
                std::min(setting(ahead), setting(tiles)),
                std::min(setting(window), setting(tiles))};
    }
    /// A message that is received.
    struct Arrival {
        std::size_t place = 0;  ///< its first key, among those that arrive
        std::size_t keys = 0;
    };

    [[nodiscard]] std::size_t keys_of(std::size_t rank) const {
        const auto before = [&](std::size_t of) {
            return problem_.keys_before(static_cast<int>(of), static_cast<int>(ranks_));
        };
        return before(rank + 1) - before(rank);
    }
    /// Memory for messages; in a record, addresses alone.
    using KeysMemory = std::conditional_t<Computation::performs,
                                          decltype(memory_for(std::declval<T&>(), std::size_t{})),
                                          ZeroedArray<std::uint8_t>>;
    [[nodiscard]] KeysMemory keys_memory(std::size_t keys) {
        if constexpr (Computation::performs) {
            return memory_for(transport_, keys * sizeof(Key));
        } else {
            return KeysMemory(keys * sizeof(Key));
        }
    }
    [[nodiscard]] Key* sorted() { return reinterpret_cast<Key*>(sorted_.data()); }
    [[nodiscard]] Key* arrived() { return reinterpret_cast<Key*>(arrived_.data()); }
    [[nodiscard]] int behind(std::size_t distance) const {
        return static_cast<int>((rank_ + distance) % ranks_);
    }
    [[nodiscard]] std::size_t value_count() const {
        return (first_buckets_[rank_ + 1] - first_buckets_[rank_]) << problem_.shift();
    }

    /// Computes what messages can hide behind: calls `loop(first, last)` for all of
    /// `[first, last)` in kernel `kernel`, and polls in between where messages need it.
    template <class Loop>
    void in_pieces(std::size_t kernel, std::size_t first, std::size_t last, Loop&& loop) {
        constexpr std::size_t piece = Computation::poll_interval > 0 ? 1 << 14 : std::size_t(-1);
        while (way_.computes && first < last) {
            const std::size_t end = first + std::min(piece, last - first);
            computation_.run(kernel, end - first, [&] { loop(first, end); });
            first = end;
            poll();
        }
    }
    template <class Wait>
    void traced(Activity activity, Wait&& wait) {
        const Traced<typename Computation::Recorder> traced(computation_.recorder(), activity);
        wait();
    }

    /// The first rank changes two keys in each iteration.
    void alter(int iteration) {
        if (!Computation::performs || rank_ > 0) return;
        const auto i = static_cast<std::size_t>(iteration);
        keys_[i] = static_cast<Key>(i);
        keys_[i + static_cast<std::size_t>(problem_.iterations)] =
            static_cast<Key>(problem_.values() - i);
    }
    /// Counts the keys of each tile and bucket.
    void count() {
        for (std::size_t tile = 0; tile < tiles_.count(); ++tile) {
            if constexpr (!Computation::performs) tiles_.draw_keys(tile, drawn(rank_, tile));
            computation_.run(counting, tiles_.size(tile), [&] {
                tiles_.count_keys(tile,
                                  keys_.span().subspan(tiles_.first(tile), tiles_.size(tile)));
            });
        }
    }
    /// Agrees with all ranks on the keys of each rank, and tells each how many come in each tile.
    /// Sorts meanwhile.
    void agree() {
        sorted_keys_ = sorted_tiles_ = 0;
        const std::size_t ahead = way_.overlapped ? tiles_.first(way_.ahead) : 0;
        const std::size_t rounds = sum_.rounds() + sizes_.rounds();
        std::size_t round = 0;
        const auto advance = [&](auto& messages) {
            for (std::size_t i = 0; i < messages.rounds(); ++i) {
                sort_until(ahead * ++round / rounds);
                traced(Activity::wait, [&] { messages.advance(); });
            }
            traced(Activity::wait, [&] { messages.finish(); });
        };
        add_totals();
        sum_.start(totals_);
        advance(sum_);
        choose_owners();
        write_sizes();
        sizes_.start();
        advance(sizes_);
        if (!way_.overlapped) sort_until(tiles_.first(1));
    }
    /// Adds up the tiles' counts, and appends the keys that are tested.
    void add_totals() {
        std::fill(totals_.begin(), totals_.end(), 0.0);
        for (std::size_t tile = 0; tile < tiles_.count(); ++tile) {
            const auto begins = tiles_.begins(tile);
            for (std::size_t bucket = 0; bucket < problem_.buckets(); ++bucket)
                totals_[bucket] += begins[bucket + 1] - begins[bucket];
        }
        for (std::size_t i = 0; i < test_keys && Computation::performs; ++i)
            if (const auto place = problem_.tests[i].place - first_key_; place < keys_.size())
                totals_[problem_.buckets() + i] = keys_[place];
    }
    void choose_owners() {
        const auto totals = std::span(totals_).first(problem_.buckets());
        if constexpr (!Computation::performs)
            for (std::size_t bucket = 0; bucket < totals.size(); ++bucket)
                totals[bucket] =
                    static_cast<double>(problem_.expected_below(bucket + 1, problem_.keys()) -
                                        problem_.expected_below(bucket, problem_.keys()));
        first_buckets_ = first_buckets(totals, ranks_);
    }
    void write_sizes() {
        for (std::size_t distance = 0; distance < ranks_; ++distance)
            for (std::size_t tile = 0; tile < tiles_.count(); ++tile) {
                const auto keys = part(tile, behind(distance)).size();
                sizes_.at(distance)[tile] = static_cast<std::uint32_t>(keys);
            }
    }
    /// How many keys of a tile come from the rank that is `distance` before this one.
    [[nodiscard]] std::size_t size_from(std::size_t distance, std::size_t tile) {
        if constexpr (Computation::performs) return sizes_.at(distance)[tile];
        const DrawnKeys keys = drawn((rank_ + ranks_ - distance) % ranks_, tile);
        return keys.below(first_buckets_[rank_ + 1]) - keys.below(first_buckets_[rank_]);
    }
    /// In a record: the keys of a rank's tile.
    [[nodiscard]] DrawnKeys drawn(std::size_t rank, std::size_t tile) const {
        return {problem_, TileBounds(keys_of(rank), tiles_.count()).size(tile),
                rank * tiles_.count() + tile};
    }
    /// The sorted keys of a tile that go to a rank.
    [[nodiscard]] std::span<const Key> part(std::size_t tile, int to) {
        const auto begins = tiles_.begins(tile);
        const auto rank = static_cast<std::size_t>(to);
        const std::size_t first = begins[first_buckets_[rank]];
        return {sorted() + tiles_.first(tile) + first, begins[first_buckets_[rank + 1]] - first};
    }
    /// Sorts keys up to number `end`, from where it ended before.
    void sort_until(std::size_t end) {
        while (sorted_keys_ < end) {
            const std::size_t first = tiles_.first(sorted_tiles_);
            if (sorted_keys_ == first)
                std::copy_n(tiles_.begins(sorted_tiles_).data(), next_.size(), next_.data());
            const std::size_t stop = std::min(end, tiles_.first(sorted_tiles_ + 1));
            in_pieces(sorting, sorted_keys_, stop, [&](std::size_t from, std::size_t to) {
                if (from == first) bring_into_cache({sorted() + first, tiles_.size(sorted_tiles_)});
                sort_by_bucket(keys_.span().subspan(from, to - from), problem_.shift(),
                               next_.data(), sorted() + first);
            });
            sorted_keys_ = stop;
            if (stop == tiles_.first(sorted_tiles_ + 1)) ++sorted_tiles_;
        }
    }
    /// Sorts and sends tile by tile, and counts the values of what arrives.
    void exchange() {
        clear_values();
        arriving_keys_ = 0;
        for (std::size_t tile = 0; tile < way_.window; ++tile) receive(tile);
        for (std::size_t tile = 0; tile < tiles_.count(); ++tile) {
            sort_until(tiles_.first(tile + 1));
            send(tile);
            if (way_.overlapped) count_values_of(part(tile, transport_.rank()));
            if (tile + 1 < way_.window) continue;
            take_oldest();
            if (tile + 1 < tiles_.count()) receive(tile + 1);
        }
        for (std::size_t left = 1; left < way_.window; ++left) take_oldest();
        traced(Activity::wait, [&] { leaving_.clear(); });
        if (!way_.overlapped) count_all_values();
    }
    void clear_values() {
        computation_.run(clearing, value_count(),
                         [&] { std::fill_n(values_.data(), value_count(), 0U); });
    }
    void send(std::size_t tile) {
        for (std::size_t distance = 1; distance < ranks_; ++distance) {
            const int to = behind(distance);
            const auto keys = part(tile, to);
            if (keys.empty()) continue;
            traced(Activity::initiation, [&] {
                leaving_.push_back(transport_.send(keys.data(), keys.size_bytes(), to, tag(tile)));
            });
        }
    }
    /// Initiates the receives of a tile.
    void receive(std::size_t tile) {
        for (std::size_t distance = 1; distance < ranks_; ++distance) {
            Arrival& arrival = in_flight_.next_attachment();
            arrival = {arriving_keys_, size_from(distance, tile)};
            arriving_keys_ += arrival.keys;
            if (Computation::performs && arriving_keys_ * sizeof(Key) > arrived_.size())
                throw std::length_error("IS: too many keys for one rank");
            in_flight_.launch([&]() -> typename T::Request {
                if (arrival.keys == 0) return {};
                return transport_.receive(arrived() + arrival.place, arrival.keys * sizeof(Key),
                                          behind(ranks_ - distance), tag(tile));
            });
        }
    }
    /// Awaits the messages of the oldest tile in flight; overlapped, counts what each brings.
    void take_oldest() {
        for (std::size_t distance = 1; distance < ranks_; ++distance)
            in_flight_.wait_oldest([&](const Arrival& arrival, const auto& /*request*/) {
                if (way_.overlapped) count_values_of({arrived() + arrival.place, arrival.keys});
            });
    }
    [[nodiscard]] static int tag(std::size_t tile) { return message_tag(first_tile_tag + tile); }
    void count_all_values() {
        count_values_of(part(0, transport_.rank()));
        count_values_of({arrived(), arriving_keys_});
    }
    void count_values_of(std::span<const Key> keys) {
        in_pieces(ranking, 0, keys.size(), [&](std::size_t first, std::size_t last) {
            count_values(keys.subspan(first, last - first), least_value(), values_.data());
        });
    }
    void sum_values() {
        computation_.run(summing, value_count(),
                         [&] { sum_up(values_.span().first(value_count())); });
    }

    /// Compares the ranks of those test keys that this rank has.
    void test_ranks(int iteration) {
        if constexpr (!Computation::performs) return;
        const double before = std::accumulate(
            totals_.begin(), totals_.begin() + static_cast<std::ptrdiff_t>(first_buckets_[rank_]),
            0.0);
        for (std::size_t i = 0; i < test_keys; ++i) {
            const auto value =
                static_cast<std::size_t>(totals_[problem_.buckets() + i]) - least_value();
            if (value >= value_count()) continue;  // or it is less than the least one
            const double rank = before + (value > 0 ? values_[value - 1] : 0);
            const TestKey& test = problem_.tests[i];
            if (rank == static_cast<double>(test.rank + test.change * iteration)) ++passed_;
        }
    }
    /// Keys that this rank has.
    [[nodiscard]] std::size_t held() const {
        return value_count() > 0 ? values_[value_count() - 1] : 0;
    }
    /// Whether the keys of the last iteration are in order in the places that their ranks say.
    [[nodiscard]] bool is_sorted() {
        SortedKeys sorted(values_up_to(), least_value());
        for (std::size_t tile = 0; tile < tiles_.count(); ++tile)
            sorted.put(part(tile, transport_.rank()));
        sorted.put({arrived(), arriving_keys_});
        return sorted.in_order(transport_, sizes_tag);
    }

    T& transport_;
    Computation& computation_;
    Problem problem_;
    Way way_;
    std::size_t rank_;
    std::size_t ranks_;
    std::size_t first_key_;
    Tiles tiles_;
    ZeroedArray<Key> keys_;
    KeysMemory sorted_;                ///< the keys, tile by tile
    KeysMemory arrived_;               ///< what other ranks sent
    std::vector<std::uint32_t> next_;  ///< places in the tile that is sorted, by bucket
    std::vector<double> totals_;       ///< keys of all ranks by bucket, then the test keys
    std::vector<std::size_t> first_buckets_;
    ZeroedArray<std::uint32_t> values_;  ///< keys of each value, then of all values up to it
    Sum<T> sum_;
    SmallExchange<T> sizes_;
    using Recorder = typename Computation::Recorder;
    MessageWindow<typename T::Request, Arrival, Recorder> in_flight_;
    std::vector<typename T::Request> leaving_;
    std::size_t sorted_keys_ = 0;
    std::size_t sorted_tiles_ = 0;  ///< whole ones
    std::size_t arriving_keys_ = 0;
    int passed_ = 0;  ///< test keys that had the right rank
};

}  // namespace lapwing::nas::is
