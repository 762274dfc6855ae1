#pragma once

#include <string_view>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

// What plans and workloads say, in the words of documents and command lines.

[[nodiscard]] std::string_view name(Pattern pattern);
[[nodiscard]] std::string_view name(Direction direction);
[[nodiscard]] std::string_view name(Dependence dependence);
[[nodiscard]] std::string_view name(Method method);
[[nodiscard]] std::string_view name(Bound bound);
[[nodiscard]] std::string_view name(PeerOrder order);
[[nodiscard]] std::string_view name(Packing packing);
[[nodiscard]] std::string_view name(MessageTransport transport);

// The other way round. All throw `std::invalid_argument`, naming what there is to choose from.

[[nodiscard]] Pattern pattern_named(std::string_view name);
[[nodiscard]] Direction direction_named(std::string_view name);
[[nodiscard]] Dependence dependence_named(std::string_view name);
[[nodiscard]] Method method_named(std::string_view name);
[[nodiscard]] Bound bound_named(std::string_view name);
[[nodiscard]] PeerOrder order_named(std::string_view name);
[[nodiscard]] Packing packing_named(std::string_view name);
[[nodiscard]] MessageTransport transport_named(std::string_view name);

}  // namespace lapwing
