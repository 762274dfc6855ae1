#include "lapwing/fft/distribution/route.hpp"

#include <algorithm>

namespace lapwing::fft {
namespace {

/// Bytes up to which the pieces of a part that go in one stage are sent as one message. Joining
/// longer ones saves nothing that counts, and delays what is needed sooner: an MPI finishes the
/// message that it has begun to send.
constexpr std::size_t longest_joined = 64 << 10;

}  // namespace

Route::Route(Schedule schedule, const BlockDistribution& a, const BlockDistribution& b,
             std::size_t row, const Group& group, std::size_t strips)
    : schedule_(schedule),
      a_(a),
      b_(b),
      row_(row),
      group_(group),
      strips_(schedule == Schedule::strips || schedule == Schedule::tails
                  ? std::clamp(strips, std::size_t{1}, b.most())
                  : 1) {}

Route Route::within(std::size_t planes, Schedule schedule, const BlockDistribution& a,
                    const BlockDistribution& b, std::size_t element, const Group& group) {
    if (overlaps(schedule)) schedule = Schedule::slabs;
    Route route(schedule, a, b, element, group);
    route.within_ = true;
    route.planes_ = planes;
    return route;
}

std::size_t Route::pieces(int source, int target) const {
    if (part(source, target) == 0) return 0;
    return schedule_ == Schedule::pencils ? b_.count(target) : strips_;
}

std::size_t Route::piece_begin(int source, int target, std::size_t plane, std::size_t index) const {
    if (schedule_ == Schedule::pencils) return index * row_;
    if (index == 0) return 0;
    const bool ends = strips_ == 1 || index > last_stage(source, plane);
    if (ends && joins(source, target)) return part(source, target);
    return strip_begin(target, index) * row_;
}

std::size_t Route::messages(int source, int target) const {
    const std::size_t pieces = this->pieces(source, target);
    if (overlaps(schedule_)) return planes(source) * pieces;
    return planes(source) == 0 ? 0 : pieces;
}

std::size_t Route::bytes(int source, int target, std::size_t index) const {
    if (!overlaps(schedule_)) return planes(source) * part(source, target);
    const std::size_t pieces = this->pieces(source, target);
    if (pieces == 0) return 0;
    const std::size_t plane = index / pieces;
    const std::size_t piece = index % pieces;
    return piece_begin(source, target, plane, piece + 1) -
           piece_begin(source, target, plane, piece);
}

std::size_t Route::place(int source, int target, std::size_t index) const {
    const std::size_t rows = b_.count(target);
    if (schedule_ == Schedule::pencils)
        return (index % rows * a_.length() + a_.first(source) + index / rows) * row_;
    const std::size_t before = a_.first(source) * rows * row_ * (within_ ? planes_ : 1);
    const std::size_t plane = index / strips_;
    return before + plane * part(source, target) +
           piece_begin(source, target, plane, index % strips_);
}

std::size_t Route::stage(int source, std::size_t index) const {
    return std::min(index % strips_, last_stage(source, index / strips_));
}

bool Route::joins(int source, int target) const {
    return schedule_ != Schedule::strips || part(source, target) <= longest_joined;
}

std::size_t Route::last_stage(int source, std::size_t plane) const {
    if (schedule_ == Schedule::tails && plane + 1 < planes(source)) return 0;
    std::size_t stage = strips_ - 1;
    // Strips of the result, [b][a], that end before the plane begins do not overwrite it.
    while (stage > 0 && strip_begin(source, stage) * a_.length() > plane * b_.length()) --stage;
    return stage;
}

}  // namespace lapwing::fft
