#pragma once

#include <cstddef>

/// What a section of a profile says about each of its members, beside the member's name: enough to
/// write it, read it and check it, so that each of these is one function for all sections. A
/// section has `template <class Self, class Visit> static void fields(Self& self, Visit&& visit)`,
/// which calls `visit(name, member, rule)` for each member, axes before the tables that lie along
/// them.
namespace lapwing::fields {

/// Nothing is asked of it.
struct Free {};
/// Nothing is asked of it, and earlier documents do not have it.
struct Later {};
/// A finite number, 0 or more.
struct Cost {};
/// A cost that documents have where it is not 0; earlier ones never.
struct LaterCost : Cost {};
/// A section that documents have where it was measured; earlier ones never.
struct LaterSection {};
/// Positive, increasing numbers: what a table lies along.
struct Axis {};
/// Whole numbers from 1 up, one for each entry of an axis.
struct Counts {
    std::size_t rows;
};
/// Costs, one for each entry of an axis; with `negative`, any finite numbers.
struct Column {
    std::size_t rows;
    bool negative = false;
};
/// Costs, a row for each entry of one axis, in it a value for each entry of another.
struct Grid {
    std::size_t rows;
    std::size_t columns;
    bool negative = false;
};

}  // namespace lapwing::fields
