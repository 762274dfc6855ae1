#pragma once

#include <cstddef>

/// Rules for the members of a section of a profile. A section declares each member once, with its
/// name and its rule. One function writes all sections, one reads them, and one validates them. A
/// section has `template <class Self, class Visit> static void fields(Self& self, Visit&& visit)`,
/// which calls `visit(name, member, rule)` for each member, axes before the tables that lie along
/// them.
namespace lapwing::fields {

/// Any value.
struct Free {};
/// Any value; documents may lack it.
struct Optional {};
/// A finite number, 0 or more.
struct Cost {};
/// A cost; documents have it unless it is 0.
struct OptionalCost : Cost {};
/// A cost; documents may lack it.
struct DefaultCost : Cost {};
/// A text; documents have it unless it is empty.
struct OptionalText {};
/// A list of sections; documents have it unless it is empty.
struct OptionalSections {};
/// Positive, increasing numbers along which tables lie.
struct Axis {};
/// Whole numbers, 1 or more, one for each entry of an axis.
struct Counts {
    std::size_t rows;
};
/// Costs, one for each entry of an axis. With `negative`, any finite numbers.
struct Column {
    std::size_t rows;
    bool negative = false;
};
/// Costs, one for each entry of an axis, or none at all; documents have them unless there are none.
struct OptionalColumn {
    std::size_t rows;
};
/// Costs, a row for each entry of one axis, with a value for each entry of another. With
/// `negative`, any finite numbers.
struct Grid {
    std::size_t rows;
    std::size_t columns;
    bool negative = false;
};

}  // namespace lapwing::fields
