#pragma once

#include <cstddef>

#include "lapwing/fft/distribution/block_distribution.hpp"
#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// The messages of one transpose, and where they arrive. An array distributed along axis `a`
/// becomes one distributed along axis `b`. A rank transforms and sends plane by plane; the *part*
/// of a plane for one rank is contiguous.
///
/// If planes lie across `a`, rank s sends rank d the rows of its planes that belong to d along `b`.
/// The buffer of d is ordered [a][local b], and a part arrives as one piece. With `pencils` it is
/// ordered [local b][a], the final order.
///
/// If both axes lie within planes (`within`), every rank has as many planes. The part of s for d is
/// what s has along `a` times what d gets along `b`. The buffer of d is ordered [rank s][plane].
///
/// With `strips` a part is cut into that many pieces, and messages go in stages. When stage s is
/// over, strip s of the result has arrived from all ranks. Strips up to s of the result lie in the
/// place of planes, and these planes have left. Stages therefore become shorter, and only the last
/// strip is transformed with no message in flight. If a part is short, its pieces of one stage
/// travel as one message. The first planes, whose place the first strip takes, are not cut. `tails`
/// cut only the last plane of a rank, and send all others in the first stage.
///
/// Ranks are counted as members of the group.
class Route {
  public:
    /// Planes lie across `a`. `row`: bytes of that part of a line along the third axis which is
    /// sent as one; if it is 0, nothing is sent.
    Route(Schedule schedule, const BlockDistribution& a, const BlockDistribution& b,
          std::size_t row, const Group& group = {}, std::size_t strips = 1);
    /// Both axes lie within planes, `planes` on each rank. `element`: bytes of one. Pencils are
    /// the parts of planes here.
    static Route within(std::size_t planes, Schedule schedule, const BlockDistribution& a,
                        const BlockDistribution& b, std::size_t element, const Group& group);

    /// Planes that a rank has before the transpose, and the most that any rank has.
    [[nodiscard]] std::size_t planes(int source) const {
        return within_ ? planes_ : a_.count(source);
    }
    [[nodiscard]] std::size_t most_planes() const { return within_ ? planes_ : a_.most(); }
    /// Bytes of a plane of `source`.
    [[nodiscard]] std::size_t plane(int source) const { return width(source) * b_.length() * row_; }
    /// Bytes of the part for `target`, and of the parts for the ranks before it.
    [[nodiscard]] std::size_t part(int source, int target) const {
        return width(source) * b_.count(target) * row_;
    }
    [[nodiscard]] std::size_t part_begin(int source, int target) const {
        return width(source) * b_.first(target) * row_;
    }
    /// Pieces into which a part is cut. Of a strip, a piece may be empty and then is no message.
    [[nodiscard]] std::size_t pieces(int source, int target) const;
    /// Where piece `index` of a part of `plane` begins, and the piece before it ends: bytes from
    /// the begin of the part.
    [[nodiscard]] std::size_t piece_begin(int source, int target, std::size_t plane,
                                          std::size_t index) const;
    /// Messages from `source` to `target`, with the empty ones.
    [[nodiscard]] std::size_t messages(int source, int target) const;
    /// The plane of message `index`; 0 if the message has parts of all planes.
    [[nodiscard]] std::size_t plane_of(int source, int target, std::size_t index) const {
        return index / pieces(source, target);
    }
    /// Bytes of message `index`.
    [[nodiscard]] std::size_t bytes(int source, int target, std::size_t index) const;
    /// Where message `index` arrives in the buffer of `target`, in bytes. With `exchange` and
    /// `tiled`, where plane `index` arrives.
    [[nodiscard]] std::size_t place(int source, int target, std::size_t index) const;

    /// Number of stages: that of strips, or 1.
    [[nodiscard]] std::size_t stages() const { return strips_; }
    /// The stage in which message `index` is sent.
    [[nodiscard]] std::size_t stage(int source, std::size_t index) const;
    /// The first row of a part that belongs to strip `index`. It is also the first plane of the
    /// result in that strip.
    [[nodiscard]] std::size_t strip_begin(int target, std::size_t index) const {
        return b_.count(target) * index / strips_;
    }

    [[nodiscard]] Schedule schedule() const { return schedule_; }
    [[nodiscard]] const BlockDistribution& a() const { return a_; }
    [[nodiscard]] const BlockDistribution& b() const { return b_; }
    [[nodiscard]] const Group& group() const { return group_; }
    [[nodiscard]] int ranks() const { return a_.ranks(); }
    /// Bytes of a row, or of an element if both axes lie within planes. Every message is a whole
    /// number of them.
    [[nodiscard]] std::size_t row() const { return row_; }

  private:
    /// Whether pieces of a part that go in the same stage are sent as one message.
    [[nodiscard]] bool joins(int source, int target) const;
    /// The stage in which the last piece of a plane is sent.
    [[nodiscard]] std::size_t last_stage(int source, std::size_t plane) const;
    /// Indices along `a` in one plane of a rank.
    [[nodiscard]] std::size_t width(int source) const { return within_ ? a_.count(source) : 1; }

    Schedule schedule_;
    BlockDistribution a_;
    BlockDistribution b_;
    std::size_t row_;
    Group group_;
    std::size_t strips_ = 1;
    bool within_ = false;
    std::size_t planes_ = 0;  ///< of every rank, if `within_`
};

}  // namespace lapwing::fft
