// What SimGrid's network tells of transfers, and asks of them.
#include "network.hpp"

#include <smpi/smpi.h>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <simgrid/s4u/Semaphore.hpp>
#include <simgrid/simix.hpp>
#include <xbt/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "workers.hpp"

/// Begins, once there is a simulation. A library that is preloaded is there before, so that whoever
/// preloads it calls this when the first rank's program is loaded.
extern "C" __attribute__((visibility("default"))) void lapwing_begin_interfaces();

namespace lapwing::interfaces {

namespace {

using simgrid::kernel::resource::Action;
using simgrid::s4u::Host;
using simgrid::s4u::Link;

/// A message of SMPI that is on its way.
struct Message {
    Interface* interface;
    double bytes;
};

Interface* initiator = nullptr;  ///< of the one-sided transfer that starts just now
std::unordered_map<const void*, Message> messages;                    ///< by SimGrid's action
std::unordered_map<const void*, simgrid::s4u::Semaphore*> transfers;  ///< who waits, by action
std::unordered_set<const Host*> free_messages;

/// The number of a host in its cluster: that of "n12", and of rank 3 of a host, "n12-3".
std::uint64_t number_of(const Host& host) {
    const std::string& name = host.get_name();
    return std::strtoull(name.c_str() + name.find_first_of("0123456789"), nullptr, 10);
}

/// A number in [0, 1) that depends on nothing but its arguments (the finaliser of SplitMix64).
double hashed(std::uint64_t seed, std::uint64_t from, std::uint64_t to) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15U * ((from << 32U) + to + 1);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return std::ldexp(static_cast<double>((z ^ (z >> 31U)) >> 11U), -53);
}

/// Share of the bandwidth that the route between two hosts has.
double route_share(const Settings& settings, const Host& from, const Host& to) {
    static const std::uint64_t half = [] {
        std::uint64_t last = 0;
        for (const Host* host : simgrid::s4u::Engine::get_instance()->get_all_hosts())
            last = std::max(last, number_of(*host));
        return (last + 1) / 2;
    }();
    const std::uint64_t a = number_of(from);
    const std::uint64_t b = number_of(to);
    const Range& range = (a < half) == (b < half) ? settings.near_routes : settings.far_routes;
    return range.slowest + (range.fastest - range.slowest) * hashed(settings.route_seed, a, b);
}

/// The action that SimGrid's network has made last.
const void* last_action() {
    for (auto* const model : simgrid::s4u::Engine::get_instance()->get_all_models()) {
        auto* const started = model->get_started_action_set();
        const bool network =
            dynamic_cast<simgrid::kernel::resource::NetworkModelIntf*>(model) != nullptr;
        if (network && !started->empty()) return &started->back();
    }
    return nullptr;
}

/// A message of SMPI starts: SimGrid asks for its factor when it has just made its action.
void track(Interface& interface, double bytes) {
    messages[last_action()] = {&interface, bytes};
    interface.begin(bytes);
}

double bandwidth_factor(double size, const Host* from, const Host* to, const std::vector<Link*>&,
                        const std::unordered_set<simgrid::s4u::NetZone*>&) {
    Interface& sender = Interface::of(*from);
    const Settings& settings = sender.settings();
    const double factor = step_of(settings.bandwidth_factors, size).base;
    if (from == to) {
        constexpr double at_once = 1e6;
        return size == envelope && free_messages.count(from) != 0 ? at_once : factor;
    }
    if (initiator == nullptr) track(sender, size - envelope);
    const Interface& interface = initiator != nullptr ? *initiator : sender;
    return factor * interface.bandwidth_share() * route_share(settings, *from, *to);
}

double latency_factor(double size, const Host* from, const Host* to, const std::vector<Link*>&,
                      const std::unordered_set<simgrid::s4u::NetZone*>&) {
    // SimGrid asks for the bandwidth first, so that this is the last question about a message.
    if (from == to && size == envelope && free_messages.erase(from) != 0) return 0;
    return step_of(Interface::of(*from).settings().latency_factors, size).base;
}

/// An action has ended, in whichever way.
void state_changed(simgrid::kernel::resource::NetworkAction& action, Action::State) {
    if (const auto found = transfers.find(&action); found != transfers.end()) {
        auto* const waiting = found->second;
        transfers.erase(found);
        waiting->release();
    } else if (const auto sent = messages.find(&action); sent != messages.end()) {
        const Message message = sent->second;
        messages.erase(sent);
        message.interface->end(message.bytes);
    }
}

double cost(const char* option, std::size_t size, const Host& from) {
    return is_worker() ? 0 : initiation(option, from, static_cast<double>(size));
}

/// Lets messages of both directions take the bus of an interface at once, where a link carries one
/// at a time: they share its bandwidth.
void share_buses(const simgrid::s4u::Engine& engine) {
    constexpr int any_number = -1;
    for (Link* const link : engine.get_all_links()) {
        const std::string& name = link->get_name();
        const bool bus = name.rfind("bus", 0) == 0 || name.find("_limiter") != std::string::npos;
        if (bus) link->set_concurrency_limit(any_number);
    }
}

bool begun = false;
bool asked = false;  ///< SimGrid asks this library for factors

/// Makes SimGrid ask this library. Returns whether it asks for factors, too.
bool begin() {
    auto& engine = *simgrid::s4u::Engine::get_instance();
    smpi_register_op_cost_callback(SmpiOperation::SEND, [](std::size_t size, Host* from, Host*) {
        return cost("smpi/os", size, *from);
    });
    smpi_register_op_cost_callback(SmpiOperation::ISEND, [](std::size_t size, Host* from, Host*) {
        return cost("smpi/ois", size, *from);
    });
    Link::on_communication_state_change_cb(state_changed);
    share_buses(engine);
    // A platform that says no factors leaves them to SMPI.
    if (Interface::of(*engine.get_all_hosts().front()).settings().bandwidth_factors.empty())
        return false;
    auto* const network = engine.get_netzone_root()->get_network_model();
    network->set_bw_factor_cb(bandwidth_factor);
    network->set_lat_factor_cb(latency_factor);
    return true;
}

/// Begins when the first rank's program is loaded, or the first of all.
const bool loaded = [] {
    lapwing_begin_interfaces();
    return true;
}();

}  // namespace

void transfer(Host& from, Host& to, double bytes, Interface& of) {
    // No wait for the communication itself: an actor that waits so takes a part of its host's
    // processor, and with one activity at a time, as serialising clusters have it, all of it.
    const auto arrived = simgrid::s4u::Semaphore::create(0);
    // In the kernel nothing comes between: its question about factors is about this transfer.
    const auto communication = simgrid::kernel::actor::simcall_answered([&] {
        initiator = &of;
        auto started = simgrid::s4u::Comm::sendto_async(
            &from, &to, static_cast<std::uint64_t>(bytes + envelope));
        initiator = nullptr;
        transfers[last_action()] = arrived.get();
        return started;
    });
    arrived->acquire();
}

double packet_time(const Host& from, const Host& to) {
    std::vector<Link*> links;
    double latency = 0;
    from.route_to(&to, links, &latency);
    double bandwidth = INFINITY;
    for (const Link* link : links) bandwidth = std::min(bandwidth, link->get_bandwidth());
    const Settings& settings = Interface::of(from).settings();
    if (settings.latency_factors.empty()) return latency + envelope / bandwidth;
    return latency * step_of(settings.latency_factors, envelope).base +
           envelope / (bandwidth * step_of(settings.bandwidth_factors, envelope).base);
}

void begin_once() {
    if (begun || !simgrid::s4u::Engine::is_initialized()) return;
    begun = true;
    asked = begin();
}

void expect_free_message(const Host& host) {
    if (asked) free_messages.insert(&host);
}

}  // namespace lapwing::interfaces

void lapwing_begin_interfaces() { lapwing::interfaces::begin_once(); }
