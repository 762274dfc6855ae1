#include "lapwing/fft/script.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

#include "lapwing/fft/blocks.hpp"
#include "lapwing/fft/route.hpp"
#include "lapwing/simulate/graph_writer.hpp"

namespace lapwing::fft {
namespace {

using Nodes = std::vector<std::uint32_t>;

/// Seconds of a transform of `count` lines.
double lines(std::size_t length, std::size_t count, const Rates& rates) {
    const auto n = static_cast<double>(length);
    return 5 * n * std::log2(n) * static_cast<double>(count) / rates.fft;
}

/// One turn from planes across one axis to planes across another, and the lines on either side.
struct Turn {
    Route route;
    std::size_t row = 0;  ///< elements
    bool rows = false;    ///< whether those lines are transformed
    bool last = false;
};

/// What one rank does.
class Part {
  public:
    Part(simulate::GraphWriter& writer, int rank, const Shape& shape, const Options& options,
         const Rates& rates)
        : writer_(writer), me_(rank), ranks_(shape.ranks), options_(options), rates_(rates) {}

    void operator()(const Turn& turn, std::uint64_t number) {
        turn_ = &turn;
        tags_ = number << 28U;
        switch (options_.schedule) {
            case Schedule::exchange:
                exchange();
                break;
            case Schedule::slabs:
            case Schedule::pencils:
            case Schedule::strips:
                overlapped();
                return;
            case Schedule::tiled:
                tiled();
                break;
        }
        finish(b().count(me_));
    }
    /// Seconds of lines so far.
    [[nodiscard]] double seconds_of_lines() const { return lines_; }

  private:
    [[nodiscard]] const Route& route() const { return turn_->route; }
    [[nodiscard]] const Blocks& a() const { return route().a(); }
    [[nodiscard]] const Blocks& b() const { return route().b(); }
    [[nodiscard]] std::size_t planes() const { return a().count(me_); }
    [[nodiscard]] int behind(int distance) const { return (me_ + distance) % ranks_; }
    [[nodiscard]] int before(int distance) const { return (me_ + ranks_ - distance) % ranks_; }

    void transform(std::size_t length, std::size_t count) {
        const double seconds = lines(length, count, rates_);
        lines_ += seconds;
        writer_.compute(seconds);
    }
    void columns() { transform(b().length(), turn_->row); }
    void rows(std::size_t count) {
        if (turn_->rows) transform(turn_->row, count);
    }
    void copy(std::size_t rows) {
        writer_.compute(static_cast<double>(rows * route().row()) / rates_.copy);
    }
    /// What is done with planes that have arrived.
    void finish(std::size_t planes) {
        if (turn_->last) {
            transform(a().length(), planes * turn_->row);
        } else {
            copy(planes * a().length());
        }
    }
    std::uint32_t send(int peer, std::uint64_t tag, std::uint64_t bytes) {
        return writer_.send(static_cast<std::uint64_t>(peer), tags_ + tag, bytes);
    }
    std::uint32_t receive(int peer, std::uint64_t tag, std::uint64_t bytes) {
        return writer_.receive(static_cast<std::uint64_t>(peer), tags_ + tag, bytes);
    }
    void await(const Nodes& nodes) {
        for (const std::uint32_t node : nodes) writer_.await(node);
    }

    struct Sent {
        std::uint32_t node = 0;
        std::size_t bytes = 0;
    };
    void complete(const Sent& sent) {
        writer_.await(sent.node);
        if (options_.transport == Transport::rma)
            writer_.compute(rates_.completing(static_cast<double>(sent.bytes)));
    }

    /// All receives that the others' messages need.
    void post() {
        arriving_.assign(route().stages(), {});
        for (int distance = 1; distance < ranks_; ++distance) {
            const int peer = before(distance);
            for (std::size_t i = 0; i < route().messages(peer, me_); ++i)
                if (const std::size_t bytes = route().bytes(peer, me_, i); bytes > 0)
                    arriving_[route().stage(peer, i)].push_back(receive(peer, i, bytes));
        }
    }
    /// Returns when everybody is here.
    void barrier(std::uint64_t which) {
        if (options_.transport != Transport::rma) return;
        for (int distance = 1; distance < ranks_; distance *= 2) {
            const std::uint64_t tag =
                (std::uint64_t{1} << 27U) + 2 * static_cast<std::uint64_t>(distance) + which;
            const Nodes both = {receive(before(distance), tag, 0), send(behind(distance), tag, 0)};
            await(both);
        }
    }
    /// Returns when all of a stage is here.
    void await_stage(std::size_t stage) {
        await(arriving_[stage]);
        barrier(1);
    }

    void exchange() {
        for (std::size_t plane = 0; plane < planes(); ++plane) {
            columns();
            rows(b().length());
        }
        copy(planes() * b().length());
        post();
        barrier(0);
        std::deque<Sent> sent;
        for (int distance = 1; distance < ranks_; ++distance) {
            const int peer = behind(distance);
            for (std::size_t i = 0; i < route().messages(me_, peer); ++i) {
                const std::size_t bytes = route().bytes(me_, peer, i);
                sent.push_back({send(peer, i, bytes), bytes});
            }
        }
        // An all-to-all copies what stays too, at no cost that anybody knows.
        if (options_.transport != Transport::collective) copy(planes() * b().count(me_));
        for (const Sent& each : sent) complete(each);
        await_stage(0);
    }

    void overlapped() {
        const std::size_t window = window_of(options_, ranks_);
        const std::size_t stages = route().stages();
        post();
        std::deque<Sent> sent;
        std::vector<std::size_t> launched(stages);
        std::size_t completed = 0;
        const auto complete_oldest = [&] {
            complete(sent.front());
            sent.pop_front();
            ++completed;
        };
        const auto take = [&](std::size_t stage) {
            while (completed < launched[stage]) complete_oldest();
            await_stage(stage);
            finish(stages == 1
                       ? b().count(me_)
                       : route().strip_begin(me_, stage + 1) - route().strip_begin(me_, stage));
        };
        // Who has nothing to send is awaited too.
        if (planes() == 0) barrier(0);
        for (std::size_t stage = 0; stage < stages; ++stage) {
            for (std::size_t plane = 0; plane < planes(); ++plane) {
                if (stage == 0) columns();
                if (stage == 0 && plane == 0) barrier(0);
                for (int distance = 1; distance <= ranks_; ++distance) {
                    const int peer = behind(distance);
                    const std::size_t pieces = route().pieces(me_, peer);
                    for (std::size_t i = plane * pieces; i < (plane + 1) * pieces; ++i) {
                        const std::size_t bytes = route().bytes(me_, peer, i);
                        if (bytes == 0 || route().stage(me_, i) != stage) continue;
                        rows(bytes / route().row());
                        if (peer == me_) {
                            copy(bytes / route().row());
                            continue;
                        }
                        if (sent.size() >= window) complete_oldest();
                        sent.push_back({send(peer, i, bytes), bytes});
                    }
                }
            }
            launched[stage] = completed + sent.size();
            if (stage > 0) take(stage - 1);
        }
        take(stages - 1);
    }

    void tiled() {
        const std::size_t tile = std::min(options_.tile, a().most());
        const std::size_t window = window_of(options_, ranks_);
        std::deque<Nodes> under_way;
        for (std::size_t first = 0; first < a().most(); first += tile) {
            if (under_way.size() == window) {
                await(under_way.front());
                under_way.pop_front();
            }
            for (std::size_t plane = first; plane < std::min(first + tile, planes()); ++plane) {
                columns();
                rows(b().length());
                if (tile > 1) copy(b().length());
            }
            under_way.push_back(all_to_all(first, tile));
        }
        for (const Nodes& nodes : under_way) await(nodes);
    }
    Nodes all_to_all(std::size_t first, std::size_t tile) {
        const auto part = [&](int from, int to) {
            const std::size_t all = a().count(from);
            const std::size_t here = all <= first ? 0 : std::min(tile, all - first);
            return here * b().count(to) * route().row();
        };
        Nodes nodes;
        for (int peer = 0; peer < ranks_; ++peer)
            if (peer != me_) nodes.push_back(receive(peer, first, part(peer, me_)));
        for (int peer = 0; peer < ranks_; ++peer)
            if (peer != me_) nodes.push_back(send(peer, first, part(me_, peer)));
        return nodes;
    }

    simulate::GraphWriter& writer_;
    int me_;
    int ranks_;
    const Options& options_;
    const Rates& rates_;
    const Turn* turn_ = nullptr;
    std::uint64_t tags_ = 0;
    std::vector<Nodes> arriving_;  ///< by stage
    double lines_ = 0;
};

}  // namespace

Script write(const Shape& shape, const Options& options, const Rates& rates) {
    const bool natural = options.order == Order::natural;
    const auto turn = [&](std::size_t axis, bool rows, bool last) {
        const auto blocks = [&](std::size_t which) {
            return Blocks(shape.size[which], shape.ranks);
        };
        return Turn{Route(options.schedule, blocks(axis), blocks(1 - axis),
                          shape.size[2] * shape.element, {}, options.strips),
                    shape.size[2], rows, last};
    };
    std::vector<Turn> turns = {turn(0, true, !natural)};
    if (natural) turns.push_back(turn(1, false, false));

    Script script;
    simulate::GraphWriter writer(script.graph);
    for (int rank = 0; rank < shape.ranks; ++rank) {
        writer.begin_rank();
        Part part(writer, rank, shape, options, rates);
        for (std::size_t number = 0; number < turns.size(); ++number) part(turns[number], number);
        script.lines = std::max(script.lines, part.seconds_of_lines());
    }
    return script;
}

}  // namespace lapwing::fft
