#include "interface.hpp"

#include <xbt/config.hpp>

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

namespace lapwing::interfaces {

Interface& Interface::of(const simgrid::s4u::Host& host) {
    static std::unordered_map<const simgrid::s4u::Host*, Interface> interfaces;
    return interfaces.try_emplace(&host, host).first->second;
}

void Interface::await_room() {
    if (settings_.full_queue || !full()) return;
    std::unique_lock lock(*mutex_);
    ++waiting_;
    room_->wait(lock, [&] { return !full(); });
    --waiting_;
}

double Interface::overhead(double plain, double bytes) const {
    double seconds = plain;
    if (!settings_.burst.empty() &&
        static_cast<double>(operations_) > settings_.burst.front().above) {
        const Step& step = step_of(settings_.burst, static_cast<double>(operations_));
        seconds = step.base + step.per_byte * bytes;
    }
    return full() ? seconds + settings_.full_queue.value_or(0) : seconds;
}

void Interface::begin(double bytes) {
    ++operations_;
    bytes_ += bytes;
}

void Interface::end(double bytes) {
    --operations_;
    bytes_ -= bytes;
    if (waiting_ > 0) room_->notify_one();
}

double initiation(const char* option, const simgrid::s4u::Host& host, double bytes) {
    static std::map<std::string, Steps> options;
    Steps& steps = options[option];
    if (steps.empty()) steps = read_steps(simgrid::config::get_value<std::string>(option));
    Interface& interface = Interface::of(host);
    interface.await_room();
    const Step& step = step_of(steps, bytes);
    return interface.overhead(step.base + step.per_byte * bytes, bytes);
}

}  // namespace lapwing::interfaces
