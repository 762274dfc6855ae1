// Every template over every transport, and a pipeline over every collective, gives the result of
// the blocking loop to the bit, for any steps, tiles, windows, sizes and remainders. The first
// argument is the number of random cases (0: collectives only), the second the most steps that they
// have. The cases depend on the number of ranks.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../support/check.hpp"
#include "../support/every_template.hpp"
#include "../support/random.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/transport/all_transports.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

using lapwing::Collective;
using lapwing::Communicator;
using lapwing::Messages;
using lapwing::Plan;
using lapwing::test::Random;
using lapwing::test::usual_steps;

namespace {

/// Groups of up to four neighbours: so all transports have all pairs of them as partners.
void transports(const Communicator& world, int trials, std::uint64_t most) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(world.get(), world.rank() / 4, 0, &part);
    {
        const Communicator group(part);
        if (group.size() > 1) {
            lapwing::all_transports(group.get(), 64 << 20, [&](const char* name, auto& transport) {
                const int before = lapwing::test::failures();
                Random random(31 + static_cast<std::uint64_t>(world.size()));
                lapwing::test::Group(transport, group.rank(), group.size())
                    .check(random, trials, most);
                MPI_Barrier(group.get());
                if (lapwing::test::failures() > before) std::fprintf(stderr, "with %s\n", name);
            });
        }
    }
    MPI_Comm_free(&part);
}

enum class Kind {
    alltoall,
    alltoallv,
    allgather,
    allgatherv,
    gather,
    gatherv,
    broadcast,
    scatter,
    scatterv,
    reduce,
    allreduce,
    reduce_scatter_block,
    reduce_scatter,
};
constexpr int kinds = 13;

using Sizes = std::vector<std::size_t>;

/// One of the collectives, by the step.
class Exchange {
  public:
    Exchange(Collective& transport, Kind kind, std::size_t unit, int root)
        : transport_(transport), kind_(kind), unit_(unit), root_(root) {}

    /// What the steps of a tile give to a collective and get from it: for each part, which is for
    /// or from one rank or all, the numbers of the first step, then those of the second.
    struct Tile {
        std::uint64_t first = 0;
        std::uint64_t steps = 0;
        std::vector<double> out;
        std::vector<double> in;
        void clear() { steps = 0; }
    };

    static void compute(std::uint64_t step, Tile& tile) {
        if (tile.steps++ == 0) tile.first = step;
    }
    [[nodiscard]] Collective::Request start(Tile& tile) {
        tile.out.clear();
        for (std::size_t part = 0; part < out().size(); ++part)
            for (std::uint64_t step = tile.first; step < tile.first + tile.steps; ++step)
                for (std::size_t i = 0; i < out()[part]; ++i)
                    tile.out.push_back(value(transport_.rank(), part, step, i));
        tile.in.assign(total(in()) * tile.steps, -1);
        return initiate(tile);
    }
    /// Appends what came, step by step.
    void consume(const Tile& tile, std::vector<double>& result) const {
        const Sizes parts = in();
        for (std::uint64_t step = 0; step < tile.steps; ++step) {
            const double* part = tile.in.data();
            for (const std::size_t size : parts) {
                result.insert(result.end(), part + step * size, part + (step + 1) * size);
                part += size * tile.steps;
            }
        }
    }
    /// The right result of all `steps`.
    [[nodiscard]] std::vector<double> expected(std::uint64_t steps) const {
        std::vector<double> result;
        const auto me = static_cast<std::size_t>(transport_.rank());
        const Sizes parts = in();
        for (std::uint64_t step = 0; step < steps; ++step) {
            for (std::size_t part = 0; part < parts.size(); ++part) {
                for (std::size_t i = 0; i < parts[part]; ++i) {
                    const auto from = static_cast<int>(part);
                    switch (kind_) {
                        case Kind::alltoall:
                        case Kind::alltoallv:
                            result.push_back(value(from, me, step, i));
                            break;
                        case Kind::allgather:
                        case Kind::allgatherv:
                        case Kind::gather:
                        case Kind::gatherv:
                            result.push_back(value(from, 0, step, i));
                            break;
                        case Kind::broadcast:
                            result.push_back(value(root_, 0, step, i));
                            break;
                        case Kind::scatter:
                        case Kind::scatterv:
                            result.push_back(value(root_, me, step, i));
                            break;
                        case Kind::reduce:
                        case Kind::allreduce:
                            result.push_back(sum(0, step, i));
                            break;
                        case Kind::reduce_scatter_block:
                        case Kind::reduce_scatter:
                            result.push_back(sum(me, step, i));
                            break;
                    }
                }
            }
        }
        return result;
    }

  private:
    /// Whole, so that sums are the same in whatever order.
    static double value(int rank, std::size_t part, std::uint64_t step, std::size_t i) {
        return static_cast<double>(
            (31 * static_cast<std::uint64_t>(rank) + 17 * part + 7 * step + 3 * i) % 1009);
    }
    [[nodiscard]] double sum(std::size_t part, std::uint64_t step, std::size_t i) const {
        double all = 0;
        for (int rank = 0; rank < transport_.size(); ++rank) all += value(rank, part, step, i);
        return all;
    }
    [[nodiscard]] static std::size_t total(const Sizes& parts) {
        std::size_t all = 0;
        for (const std::size_t size : parts) all += size;
        return all;
    }

    [[nodiscard]] bool varying() const {
        return kind_ == Kind::alltoallv || kind_ == Kind::allgatherv || kind_ == Kind::gatherv ||
               kind_ == Kind::scatterv || kind_ == Kind::reduce_scatter;
    }
    /// Numbers a step from one rank to another.
    [[nodiscard]] std::size_t size(int from, int to) const {
        return varying() ? unit_ * static_cast<std::size_t>((2 * from + to) % 4) : unit_;
    }
    template <class Size>
    [[nodiscard]] Sizes each(Size&& of) const {
        Sizes sizes;
        for (int rank = 0; rank < transport_.size(); ++rank) sizes.push_back(of(rank));
        return sizes;
    }
    /// Numbers a step in each part that this rank gives.
    [[nodiscard]] Sizes out() const {
        const int me = transport_.rank();
        switch (kind_) {
            case Kind::alltoall:
            case Kind::alltoallv:
                return each([&](int rank) { return size(me, rank); });
            case Kind::scatter:
            case Kind::scatterv:
                if (me != root_) return {};
                return each([&](int rank) { return size(root_, rank); });
            case Kind::broadcast:
                return me == root_ ? Sizes{unit_} : Sizes{};
            case Kind::reduce_scatter_block:
            case Kind::reduce_scatter:
                return each([&](int rank) { return size(0, rank); });
            default:
                return {size(me, 0)};
        }
    }
    /// Numbers a step in each part that it gets.
    [[nodiscard]] Sizes in() const {
        const int me = transport_.rank();
        switch (kind_) {
            case Kind::alltoall:
            case Kind::alltoallv:
                return each([&](int rank) { return size(rank, me); });
            case Kind::gather:
            case Kind::gatherv:
                if (me != root_) return {};
                [[fallthrough]];
            case Kind::allgather:
            case Kind::allgatherv:
                return each([&](int rank) { return size(rank, 0); });
            case Kind::scatter:
            case Kind::scatterv:
                return {size(root_, me)};
            case Kind::reduce:
                return me == root_ ? Sizes{unit_} : Sizes{};
            case Kind::reduce_scatter_block:
            case Kind::reduce_scatter:
                return {size(0, me)};
            default:
                return {unit_};
        }
    }
    /// Bytes, or numbers, of a whole tile.
    [[nodiscard]] static Sizes times(Sizes sizes, std::size_t factor) {
        for (std::size_t& size : sizes) size *= factor;
        return sizes;
    }

    Collective::Request initiate(Tile& tile) {
        const std::size_t bytes = tile.steps * sizeof(double);
        const std::size_t each = unit_ * bytes;
        const void* const from = tile.out.data();
        double* const into = tile.in.data();
        switch (kind_) {
            case Kind::alltoall:
                return transport_.alltoall(from, into, each);
            case Kind::alltoallv:
                return transport_.alltoallv(from, times(out(), bytes), into, times(in(), bytes));
            case Kind::allgather:
                return transport_.allgather(from, into, each);
            case Kind::allgatherv:
                return transport_.allgatherv(from, total(out()) * bytes, into, times(in(), bytes));
            case Kind::gather:
                return transport_.gather(from, into, each, root_);
            case Kind::gatherv:
                return transport_.gatherv(from, total(out()) * bytes, into, times(in(), bytes),
                                          root_);
            case Kind::broadcast:
                if (transport_.rank() == root_) tile.in = tile.out;
                return transport_.broadcast(tile.in.data(), each, root_);
            case Kind::scatter:
                return transport_.scatter(from, into, each, root_);
            case Kind::scatterv:
                return transport_.scatterv(from, times(out(), bytes), into, total(in()) * bytes,
                                           root_);
            case Kind::reduce:
                return transport_.reduce(tile.out, into, root_);
            case Kind::allreduce:
                return transport_.allreduce(tile.out, into);
            case Kind::reduce_scatter_block:
                return transport_.reduce_scatter_block(tile.out, into);
            default:
                return transport_.reduce_scatter(tile.out, into, each_rank(tile.steps));
        }
    }
    [[nodiscard]] Sizes each_rank(std::size_t factor) const { return times(out(), factor); }

    Collective& transport_;
    Kind kind_;
    std::size_t unit_;
    int root_;
};

void check_collective(Collective& transport, Kind kind, Random& random, std::uint64_t most) {
    const auto ranks = static_cast<std::uint64_t>(transport.size());
    const auto steps = random.integer(0, most);
    const auto tile = random.integer(2, 7);
    const int window = static_cast<int>(random.integer(2, 6));
    const std::size_t unit = random.pick({random.integer(0, 5), random.integer(1, 1000 / ranks)});
    Exchange exchange(transport, kind, unit, static_cast<int>(random.integer(0, ranks - 1)));
    const auto right = exchange.expected(steps);

    std::vector<double> blocking;
    for (std::uint64_t step = 0; step < steps; ++step) {
        Exchange::Tile buffer;
        Exchange::compute(step, buffer);
        exchange.start(buffer).wait();
        exchange.consume(buffer, blocking);
    }
    CHECK(blocking == right);

    struct Cut {
        std::uint64_t tile;
        int window;
    };
    std::vector<Cut> cuts = {{1, 1}, {tile, 1}, {1, window}, {tile, window}};
    // Among many ranks a call takes thousands of messages.
    if (ranks > 16) cuts = {cuts[random.integer(0, 3)]};
    for (const Cut cut : cuts) {
        Plan plan;
        plan.messages = Messages::uniform(steps, cut.tile);
        plan.window = cut.window;
        std::vector<double> result;
        lapwing::pipeline<Exchange::Tile>(
            plan, steps, Exchange::compute,
            [&](Exchange::Tile& buffer) { return exchange.start(buffer); },
            [&](const Exchange::Tile& buffer) { exchange.consume(buffer, result); });
        CHECK(result == right);
    }
}

void collectives(const Communicator& world, int trials, std::uint64_t most) {
    Collective transport(world.get());
    Random random(32 + static_cast<std::uint64_t>(world.size()));
    for (int trial = 0; trial < trials; ++trial) {
        for (int kind = 0; kind < kinds; ++kind) {
            const int before = lapwing::test::failures();
            check_collective(transport, static_cast<Kind>(kind), random, most);
            if (lapwing::test::failures() > before)
                std::fprintf(stderr, "with collective %d\n", kind);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        const Communicator world;
        const int trials = argc > 1 ? std::atoi(argv[1]) : std::max(1, 6 / world.size());
        const std::uint64_t most =
            argc > 2 ? std::strtoull(argv[2], nullptr, 10) : usual_steps(world.size());
        transports(world, trials, most);
        collectives(world, std::max(1, trials), most / 2);
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, world.get());
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
