#include "lapwing/simulate/collectives/make_collective.hpp"

#include <algorithm>
#include <stdexcept>

#include "lapwing/simulate/collectives/makers.hpp"
#include "lapwing/simulate/collectives/unknown_name.hpp"

namespace lapwing::simulate {
namespace {

/// Calls `visit(algorithm)` for all algorithms, by operation.
template <class Visit>
void each_algorithm(Visit&& visit) {
    for (const auto& each : makers::algorithms_for_all()) visit(each);
    for (const auto& each : makers::algorithms_for_parts()) visit(each);
}

}  // namespace

std::vector<std::string> collective_operations() {
    std::vector<std::string> names;
    each_algorithm([&](const makers::Algorithm& each) {
        if (names.empty() || names.back() != each.operation) names.emplace_back(each.operation);
    });
    return names;
}

std::vector<std::string> collective_algorithms(std::string_view operation) {
    std::vector<std::string> names;
    each_algorithm([&](const makers::Algorithm& each) {
        if (each.operation == operation) names.emplace_back(each.name);
    });
    if (names.empty()) throw_unknown_name("collective", operation, collective_operations());
    return names;
}

std::unique_ptr<Collective> make_collective(const CollectiveChoice& choice) {
    const auto names = collective_algorithms(choice.operation);
    const makers::Algorithm* found = nullptr;
    each_algorithm([&](const makers::Algorithm& each) {
        if (each.operation == choice.operation && each.name == choice.algorithm) found = &each;
    });
    if (found == nullptr)
        throw_unknown_name("algorithm for " + choice.operation, choice.algorithm, names);
    if (choice.ranks == 0) throw std::invalid_argument("there must be a rank");
    if (choice.segment == 0) throw std::invalid_argument("a segment must have a byte");
    if (choice.window == 0) throw std::invalid_argument("a window must have a message");
    if (choice.radix < 2) throw std::invalid_argument("a radix must be 2 or more");
    if (choice.group == 0) throw std::invalid_argument("a group must have a rank");
    if (!choice.sizes.empty() && choice.sizes.size() != choice.ranks)
        throw std::invalid_argument(std::to_string(choice.sizes.size()) + " sizes for " +
                                    std::to_string(choice.ranks) + " ranks");
    return found->make(choice);
}

}  // namespace lapwing::simulate
