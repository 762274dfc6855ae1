#include "triangulation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../common/over_ranks.hpp"
#include "border.hpp"
#include "border_exchange.hpp"
#include "border_plan.hpp"
#include "collect_triangles.hpp"
#include "delaunay.hpp"
#include "distribute.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/agreement/require_same_plan.hpp"
#include "lapwing/pipeline/trace/gather_trace.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/rma/notified_put.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"
#include "questions.hpp"
#include "round.hpp"

namespace lapwing::triangulation {
namespace {

/// All ranks' strips. Collective over `ranks`.
std::vector<Strip> all_strips(const Communicator& ranks, const Strip& own) {
    std::vector<Strip> strips(static_cast<std::size_t>(ranks.size()));
    check_mpi(
        MPI_Allgather(&own, sizeof own, MPI_BYTE, strips.data(), sizeof own, MPI_BYTE, ranks.get()),
        "MPI_Allgather");
    return strips;
}

std::vector<Point> outlines(std::span<const Strip> strips) {
    std::vector<Point> points;
    for (const Strip& strip : strips)
        for (const Point& point : strip.outline)
            if (point.number != Point::none) points.push_back(point);
    return points;
}

/// One rank's part in a run.
class Run {
  public:
    Run(MPI_Comm original, const Job& job)
        : world_(original),
          job_(job),
          given_(distribute(world_, job)),
          border_(border_points(given_.points, static_cast<std::uint64_t>(world_.size()))),
          own_(take_apart(given_.own, border_)),
          strips_(all_strips(world_, describe(given_.own, own_, border_))),
          known_(outlines(strips_)),
          questions_(strips_, static_cast<std::size_t>(world_.rank())),
          rounds_(world_),
          insertion_(insertion_seconds(job)) {
        if (alone() || flat()) return;
        std::uint64_t frames = 0;
        for (const Strip& strip : strips_) frames += strip.frame;
        plan_ = require_same_plan(
            plan_border(job, {border_, frames / strips_.size(), world_.size()}), world_);
        schedule_ = chosen_schedule(job, plan_);
    }

    /// Triangulates, and returns when this rank's triangles are certain.
    void triangulate() {
        if (flat()) return;
        insert(known_);
        if (alone()) return triangulate_alone();
        switch (job_.transport) {
            case MessageTransport::put: {
                NotifiedPut transport(world_.get(), capacity());
                return triangulate_over(transport);
            }
            case MessageTransport::get: {
                NotifiedGet transport(world_.get(), capacity());
                return triangulate_over(transport);
            }
            default: {
                TwoSided transport(world_.get());
                return triangulate_over(transport);
            }
        }
    }

    /// Of all ranks. Collective.
    [[nodiscard]] Result result() const {
        Result result;
        result.points = given_.points;
        for (const Strip& strip : strips_) result.places += strip.points;
        result.schedule = schedule_;
        result.plan = plan_;
        result.seconds = over_ranks(seconds_, world_).most;
        result.insertion = insertion_;
        for (std::size_t phase = 0; phase < activities; ++phase)
            result.phases[phase] = over_ranks(trace_.seconds(static_cast<Activity>(phase)), world_);
        result.fetched = over_ranks(static_cast<double>(fetched_), world_);
        result.bytes = sum(bytes_);
        result.border = alone() || flat() ? 0 : border_;
        result.questions = sum(asked_);
        result.rounds = rounds_.count();
        return result;
    }
    /// The triangles that belong to this rank.
    [[nodiscard]] std::vector<Triangle> triangles() const {
        std::vector<Triangle> triangles;
        mesh_.for_each_face([&](const Face& face) {
            if (face.infinite()) return;
            const Point first = std::min({face.a, face.b, face.c}, lies_before);
            if (questions_.is_own(first))
                triangles.push_back(triangle_of(face.a.number, face.b.number, face.c.number));
        });
        return triangles;
    }
    [[nodiscard]] const Communicator& world() const { return world_; }
    [[nodiscard]] const Trace& trace() const { return trace_; }
    [[nodiscard]] std::uint64_t sum(std::uint64_t mine) const {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, world_.get()),
                  "MPI_Allreduce");
        return mine;
    }

  private:
    [[nodiscard]] bool alone() const { return world_.size() == 1; }
    /// Whether all points of all ranks lie on one line.
    [[nodiscard]] bool flat() const { return known_.size() < 3 || on_one_line(known_); }
    [[nodiscard]] std::size_t capacity() const {
        return BorderExchange<TwoSided>::capacity(border_);
    }
    [[nodiscard]] bool blocking() const { return schedule_ == Schedule::blocking; }

    void triangulate_alone() {
        const double start = now();
        insert_own(own_.frame);
        insert_own(own_.interior);
        seconds_ = now() - start;
    }
    template <Transport T>
    void triangulate_over(T& transport) {
        BorderExchange<T> borders(transport, given_.own, border_, world_.rank(), world_.size());
        check_mpi(MPI_Barrier(world_.get()), "MPI_Barrier");
        const double start = now();
        const auto compute = [&] { insert_own(own_.frame); };
        const auto arrived = [&](std::span<const Point> points) {
            const auto end = std::ranges::find(points, Point::none, &Point::number);
            fetch(points.first(static_cast<std::size_t>(end - points.begin())));
        };
        if (blocking()) {
            borders.blocking(plan_, trace_, compute, arrived);
        } else {
            borders.overlapped(plan_, trace_, compute, arrived);
        }
        bytes_ += plan_.messages.volume() * strips_beside(world_.rank(), world_.size()).from.size();
        ask_early();
        ask_the_rest();
        seconds_ = now() - start;
    }

    /// Asks about what can be answered without the interiors, and inserts this rank's meanwhile.
    void ask_early() {
        const std::span<const Point> interior = own_.interior;
        std::size_t part = 0;
        const auto next_part = [&] {
            constexpr std::size_t parts = Round::pauses + 1;
            const std::size_t first = interior.size() * part / parts;
            const std::size_t end = interior.size() * ++part / parts;
            insert_own(interior.subspan(first, end - first));
            return end > first;
        };
        ask(uncertain(true), next_part);
        next_part();
    }
    /// Asks about what is not certain yet, unless it is on all ranks.
    void ask_the_rest() {
        const ByRank<Face> questions = uncertain(false);
        std::uint64_t count = 0;
        for (const auto& faces : questions) count += faces.size();
        const Trace::Time since = Trace::start();
        const std::uint64_t all = sum(count);
        trace_.add(Activity::wait, since);
        if (all > 0) ask(questions, [] { return false; });
    }
    [[nodiscard]] ByRank<Face> uncertain(bool early) {
        const Traced traced(trace_, Activity::computation);
        return questions_.about(mesh_, early);
    }
    /// One round of questions and answers. `meanwhile()` is called so many times as a round has
    /// pauses.
    template <class Meanwhile>
    void ask(const ByRank<Face>& questions, Meanwhile&& meanwhile) {
        for (const auto& faces : questions) asked_ += faces.size();
        const auto answer = [&](std::size_t rank, std::span<const Face> faces) {
            charge_insertion(3 * faces.size());
            return answers_.to(rank, faces, mesh_, questions_);
        };
        bytes_ += rounds_.run(questions, {blocking(), plan_.poll_interval}, trace_, answer,
                              meanwhile, [&](std::span<const Point> points) { fetch(points); });
    }

    void charge_insertion(std::size_t points) const {
        charge(insertion_ * static_cast<double>(points));
    }
    void insert(std::span<const Point> points) {
        mesh_.insert(points, [&](std::size_t count) {
            charge_insertion(count);
            poll();
        });
    }
    void insert_own(std::span<const Point> points) {
        const Traced traced(trace_, Activity::computation);
        insert(points);
    }
    void fetch(std::span<const Point> points) {
        fetched_ += points.size();
        insert(points);
    }

    Communicator world_;
    const Job& job_;
    Distributed given_;
    std::uint64_t border_;
    OwnPoints own_;
    std::vector<Strip> strips_;
    std::vector<Point> known_;  ///< the outlines of all strips
    Questions questions_;
    Answers answers_{static_cast<std::size_t>(world_.size())};
    Round rounds_;
    double insertion_;
    Plan plan_;
    Schedule schedule_ = Schedule::blocking;
    Delaunay mesh_;
    Trace trace_;
    double seconds_ = 0;
    std::uint64_t fetched_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t asked_ = 0;
};

}  // namespace

Result run(MPI_Comm original, const Job& job,
           const std::function<void(double, const char*)>& tell) {
    const auto tells = [&](const Run& part, double share, const char* what) {
        if (tell && part.world().rank() == 0) tell(share, what);
    };
    Run part(original, job);
    tells(part, 0.2, "triangulating");
    part.triangulate();
    Result result = part.result();
    const std::vector<Triangle> triangles = part.triangles();
    Checksum mine;
    for (const Triangle& triangle : triangles) mine.add(triangle);
    result.checksum = {part.sum(mine.triangles), part.sum(mine.sum)};
    if (!job.output.empty()) write_triangles(part.world(), job.output, triangles);
    if (!job.trace.empty()) write_trace(job.trace, part.trace().events(), part.world());
    if (job.verify) {
        tells(part, 0.6, "verifying");
        int same = 0;
        if (part.world().rank() == 0)
            same = sequential_checksum(all_points(part.world(), job)) == result.checksum ? 1 : 0;
        check_mpi(MPI_Bcast(&same, 1, MPI_INT, 0, part.world().get()), "MPI_Bcast", 0);
        result.verified = same != 0;
    }
    return result;
}

}  // namespace lapwing::triangulation
