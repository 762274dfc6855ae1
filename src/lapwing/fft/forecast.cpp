#include "lapwing/fft/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "lapwing/fft/grid.hpp"
#include "lapwing/fft/possible.hpp"
#include "lapwing/fft/rates.hpp"
#include "lapwing/fft/script.hpp"
#include "lapwing/fft/steps.hpp"
#include "lapwing/model/computation.hpp"
#include "lapwing/model/packing.hpp"
#include "lapwing/profile/find_operation.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/measured.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::fft {
namespace {

/// What the engine plays within a second or two; when one asks for many ways, and for one.
constexpr double most_played_each = 1e6;
constexpr double most_played = 4e6;

/// A wider window, a larger tile or another schedule must save this share of the time.
constexpr double worthwhile = 1e-3;

/// So many times as long as another way, a way is not looked at any closer.
constexpr double hopeless = 1.1;

/// What a put costs is measured between two ranks; what many cost that go to one target, nowhere.
/// They must save this share of the time.
constexpr double doubt = 0.02;

/// Seconds, by which ways are compared.
double doubted(const Forecast& made) {
    return made.seconds * (made.options.transport == Transport::rma ? 1 + doubt : 1);
}

double rate(const Profile& profile, const char* kernel) {
    if (const auto seconds = model::computation(profile, kernel)) return 1 / *seconds;
    throw std::invalid_argument(std::string("the profile does not say what the kernel \"") +
                                kernel +
                                "\" costs: lapwing calibrate measures it in its part kernels");
}

const OperationCosts* find_put(const Profile& profile) {
    return find_operation(profile, "rma", "put");
}

/// The machine as puts see it: they take their target's processor nothing, wait for nobody, and are
/// complete when they have arrived.
Profile one_sided(const Profile& profile) {
    const OperationCosts* const put = find_put(profile);
    if (put == nullptr)
        throw std::invalid_argument(
            "the profile does not say what puts cost: lapwing calibrate measures it in its part "
            "operations");
    Profile result = profile;
    result.overhead = {.sizes = put->sizes,
                       .bursts = {1},
                       .send = {},
                       .receive = std::vector<double>(put->sizes.size())};
    for (const auto& by_burst : put->overhead) result.overhead.send.push_back({by_burst.front()});
    result.loggp.o_s = put->overhead.front().front();
    result.loggp.o_r = 0;
    if (!result.protocol) result.protocol = Protocol{};
    result.protocol->eager = std::nullopt;
    result.protocol->buffered = 0;
    return result;
}

/// What a put takes its initiator's processor beyond its initiation: what each of a long train
/// takes tells.
Line completing(const Profile& profile) {
    const OperationCosts* const put = find_put(profile);
    if (put == nullptr || put->asymptotic.empty()) return {};
    std::vector<double> seconds;
    for (std::size_t i = 0; i < put->sizes.size(); ++i)
        seconds.push_back(std::max(0.0, put->asymptotic[i] - put->overhead[i].front()));
    return fit_line(put->sizes, seconds, static_cast<double>(put->sizes.back()));
}

/// Plays transforms of one shape on one machine.
class Player {
  public:
    Player(const Profile& profile, const Shape& shape)
        : profile_(profile),
          shape_(checked(shape)),
          rates_{.fft = rate(profile, "fft"),
                 .copy = rate(profile, "copy"),
                 .completing = completing(profile),
                 .log3p = profile.log3p} {}

    [[nodiscard]] Forecast operator()(const Options& options) const {
        if (options.packing == Packing::derived && !knows_packing())
            throw std::invalid_argument(
                "the profile does not say what derived types cost: lapwing calibrate measures it "
                "in its part log3p");
        const Profile& seen = options.transport == Transport::rma ? one_sided_once() : profile_;
        const simulate::Measured costs(seen, static_cast<simulate::Rank>(shape_.ranks_per_node));
        const Script script = write(shape_, options, rates_);
        const auto finish = simulate::simulate(script.graph, costs).finish;
        return {options, static_cast<double>(finish) / (1e9 * simulate::Measured::nanosecond),
                script.lines};
    }

    [[nodiscard]] bool knows_packing() const {
        return rates_.log3p && !rates_.log3p->sizes.empty();
    }

  private:
    static const Shape& checked(const Shape& shape) {
        if (shape.ranks < 1 || shape.ranks_per_node < 1 || shape.element == 0)
            throw std::invalid_argument("fft: a transform takes at least one rank");
        require_countable(shape.size, shape.element);
        return shape;
    }
    const Profile& one_sided_once() const {
        if (!one_sided_) one_sided_ = one_sided(profile_);
        return *one_sided_;
    }

    const Profile& profile_;
    Shape shape_;
    Rates rates_;
    mutable std::optional<Profile> one_sided_;
};

/// What `rank` does in a forward transform.
std::vector<Step> steps_of(const Shape& shape, const Options& options, int rank) {
    const Dealt dealt = dealt_of(shape);
    const Grid grid = grid_of(options, dealt.spectrum(), shape.ranks);
    return Steps(dealt, grid, rank, options).forward();
}

/// What the engine plays: messages of all ranks in a transform, of which the last sends as many as
/// any, and, where these are whole arrays, the parts of planes that are packed.
double operations(const Shape& shape, const Options& options) {
    const auto steps = steps_of(shape, options, shape.ranks - 1);
    const auto sent = message_count(steps, options, [](int, int) { return true; });
    std::size_t packed = 0;
    if (!overlaps(options.schedule))
        for (const Step& step : steps)
            packed += step.route.planes(step.member) *
                      static_cast<std::size_t>(step.route.ranks()) * options.batch;
    return static_cast<double>(sent + packed) * shape.ranks;
}

/// What of one transform does not depend on how it is sent.
Options kept(const Options& wanted) {
    Options options;
    options.order = wanted.order;
    options.effort = wanted.effort;
    options.poll_interval = wanted.poll_interval;
    options.decomposition = wanted.decomposition;
    options.grid = wanted.grid;
    options.batch = wanted.batch;
    return options;
}

/// Planes that begin at the same place of a page drive each other out of the caches, unless there
/// is a cache line between them (Cameron, Ge, Sun 2007, section 4.3.4).
std::size_t padding_of(const Shape& shape, const Step& step) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t cache_line = 64;
    const std::size_t plane = step.route.plane(step.member);
    return plane > 0 && plane % page == 0 ? cache_line / shape.element : 0;
}

/// The fastest of some ways, each of which must pay.
class Best {
  public:
    Best(const Player& play, const Shape& shape) : play_(play), shape_(shape) {}

    void offer(const Options& options) {
        if (operations(shape_, options) > most_played_each) return;
        const Forecast made = play_(options);
        if (!best_ || made.seconds <= (1 - worthwhile) * best_->seconds) best_ = made;
    }
    [[nodiscard]] const std::optional<Forecast>& get() const { return best_; }

  private:
    const Player& play_;
    const Shape& shape_;
    std::optional<Forecast> best_;
};

}  // namespace

Forecast forecast(const Profile& profile, const Shape& shape, const Options& options) {
    require_possible(options, shape.ranks);
    const Player play(profile, shape);
    if (operations(shape, options) > most_played)
        throw std::invalid_argument(std::string("fft: ") + name(options.schedule) +
                                    " of this size are more messages than can be played");
    return play(options);
}

namespace {

/// See `packings`.
std::vector<Forecast> packings(const Player& play, const Shape& shape, Options options) {
    std::vector<Forecast> all;
    const auto add = [&](const Best& best) {
        if (best.get()) all.push_back(*best.get());
    };
    Best copied(play, shape);
    options.packing = Packing::copy;
    copied.offer(options);
    add(copied);
    if (!play.knows_packing()) return all;
    if (options.transport == Transport::collective) {
        Best typed(play, shape);
        options.packing = Packing::derived;
        typed.offer(options);
        add(typed);
    }
    const Step first = steps_of(shape, options, 0).front();
    Best blocked(play, shape);
    options.packing = Packing::blocked;
    options.padding = padding_of(shape, first);
    for (options.block = 1; options.block < first.route.most_planes(); options.block *= 2)
        blocked.offer(options);
    add(blocked);
    const auto counted = [](const Forecast& made) {
        return made.seconds * (made.options.packing == Packing::copy ? 1 - worthwhile : 1);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Forecast& a, const Forecast& b) { return counted(a) < counted(b); });
    return all;
}

}  // namespace

std::vector<Forecast> packings(const Profile& profile, const Shape& shape, const Options& options) {
    Options exchange = kept(options);
    exchange.schedule = Schedule::exchange;
    exchange.transport = options.transport;
    require_possible(exchange, shape.ranks);
    return packings(Player(profile, shape), shape, exchange);
}

Packing packing_by_loggp(const Profile& profile, const Shape& shape, const Options& options) {
    const Step first = steps_of(shape, kept(options), 0).front();
    if (options.transport != Transport::collective || !profile.log3p) return Packing::copy;
    const int other = shape.ranks > 1 ? 1 : 0;
    const auto part = static_cast<double>(first.route.part(first.member, other));
    const auto plane = static_cast<double>(first.route.plane(first.member));
    const auto planes = static_cast<double>(first.route.planes(first.member));
    const double apart = model::apart(*profile.log3p, part, plane);
    const bool pack = model::packing_by_loggp(*profile.log3p, planes * part, apart).pack();
    return pack ? Packing::copy : Packing::derived;
}

std::vector<Forecast> forecasts(const Profile& profile, const Shape& shape, const Options& wanted) {
    require_possible(kept(wanted), shape.ranks);
    const Player play(profile, shape);
    std::vector<Forecast> all;
    const auto with = [&](Schedule schedule, Transport transport) {
        if (!fits(schedule, transport)) return;
        if (transport == Transport::rma && find_put(profile) == nullptr) return;
        Options options = kept(wanted);
        options.schedule = schedule;
        options.transport = transport;
        if (schedule == Schedule::exchange) {
            const auto packed = packings(play, shape, options);
            if (!packed.empty()) all.push_back(packed.front());
            return;
        }
        Best best(play, shape);
        if (schedule == Schedule::strips) {
            for (options.strips = 2; options.strips <= 16; options.strips *= 2) best.offer(options);
        } else {
            best.offer(options);
        }
        if (schedule == Schedule::tiled) {
            const std::size_t planes = steps_of(shape, options, 0).front().route.most_planes();
            for (options.tile = 2; options.tile <= planes; options.tile *= 2) best.offer(options);
        }
        if (!best.get()) return;
        // A window saves little: not what is far behind anyway.
        const bool near = std::all_of(all.begin(), all.end(), [&](const Forecast& other) {
            return best.get()->seconds < hopeless * other.seconds;
        });
        if (near) {
            options = best.get()->options;
            for (const int window : {3, 4, 8, 16, 64}) {
                options.window = window;
                best.offer(options);
            }
        }
        all.push_back(*best.get());
    };
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::tiled,
                                Schedule::strips, Schedule::pencils})
        for (const auto transport : {Transport::two_sided, Transport::collective, Transport::rma})
            with(schedule, transport);
    std::stable_sort(all.begin(), all.end(),
                     [](const Forecast& a, const Forecast& b) { return doubted(a) < doubted(b); });
    return all;
}

}  // namespace lapwing::fft
