#include "lapwing/fft/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "lapwing/fft/blocks.hpp"
#include "lapwing/fft/message_count.hpp"
#include "lapwing/fft/possible.hpp"
#include "lapwing/fft/route.hpp"
#include "lapwing/fft/script.hpp"
#include "lapwing/model/computation.hpp"
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
    for (const OperationCosts& operation : profile.operations)
        if (operation.name == "put" && operation.transport == "rma" && !operation.bursts.empty())
            return &operation;
    return nullptr;
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
                 .completing = completing(profile)} {}

    [[nodiscard]] Forecast operator()(const Options& options) const {
        const Profile& seen = options.transport == Transport::rma ? one_sided_once() : profile_;
        const simulate::Measured costs(seen, static_cast<simulate::Rank>(shape_.ranks_per_node));
        const Script script = write(shape_, options, rates_);
        const auto finish = simulate::simulate(script.graph, costs).finish;
        return {options, static_cast<double>(finish) / (1e9 * simulate::Measured::nanosecond),
                script.lines};
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

/// Messages of all ranks in a transform, of which the last sends as many as any.
double messages(const Shape& shape, const Options& options) {
    const Route route(options.schedule, {shape.size[0], shape.ranks}, {shape.size[1], shape.ranks},
                      1, {}, options.strips);
    std::uint64_t of_last = 0;
    for (int target = 0; target < shape.ranks; ++target)
        of_last += message_count(route, shape.ranks - 1, target, options);
    const double turns = options.order == Order::natural ? 2 : 1;
    return turns * static_cast<double>(of_last) * shape.ranks;
}

}  // namespace

Forecast forecast(const Profile& profile, const Shape& shape, const Options& options) {
    require_possible(options, shape.ranks);
    const Player play(profile, shape);
    if (messages(shape, options) > most_played)
        throw std::invalid_argument(std::string("fft: ") + name(options.schedule) +
                                    " of this size are more messages than can be played");
    return play(options);
}

std::vector<Forecast> forecasts(const Profile& profile, const Shape& shape, Order order) {
    const Player play(profile, shape);
    std::vector<Forecast> all;
    /// The fastest of some ways, each of which must pay.
    const auto offer = [&](std::vector<Forecast>& best, Options options) {
        options.order = order;
        if (messages(shape, options) > most_played_each) return false;
        const Forecast made = play(options);
        if (!best.empty() && made.seconds > (1 - worthwhile) * best[0].seconds) return false;
        best.assign(1, made);
        return true;
    };
    const auto with = [&](Schedule schedule, Transport transport) {
        if (!fits(schedule, transport)) return;
        if (transport == Transport::rma && find_put(profile) == nullptr) return;
        std::vector<Forecast> best;
        Options options;
        options.schedule = schedule;
        options.transport = transport;
        if (schedule == Schedule::strips) options.strips = 2;
        offer(best, options);
        if (schedule == Schedule::strips)
            for (options.strips = 4; options.strips <= 16; options.strips *= 2)
                offer(best, options);
        if (schedule == Schedule::tiled) {
            const std::size_t planes = Blocks(shape.size[0], shape.ranks).most();
            for (options.tile = 2; options.tile <= planes; options.tile *= 2) offer(best, options);
        }
        // A window saves little: not what is far behind anyway.
        const bool near = !best.empty() && std::all_of(all.begin(), all.end(), [&](auto& other) {
            return best[0].seconds < hopeless * other.seconds;
        });
        if (schedule != Schedule::exchange && near) {
            options = best[0].options;
            for (const int window : {3, 4, 8, 16, 64}) {
                options.window = window;
                offer(best, options);
            }
        }
        all.insert(all.end(), best.begin(), best.end());
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
