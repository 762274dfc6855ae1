#pragma once

#include <string_view>

#include "lapwing/plan/plan_types.hpp"

namespace lapwing {

// Names of enumerators, as documents and command lines have them.

[[nodiscard]] std::string_view name(Pattern pattern);
[[nodiscard]] std::string_view name(Direction direction);
[[nodiscard]] std::string_view name(Dependence dependence);
[[nodiscard]] std::string_view name(Method method);
[[nodiscard]] std::string_view name(Bound bound);
[[nodiscard]] std::string_view name(PeerOrder order);
[[nodiscard]] std::string_view name(Packing packing);
[[nodiscard]] std::string_view name(MessageTransport transport);

// The enumerator of a name. All throw `std::invalid_argument` with the names there are.

[[nodiscard]] Pattern pattern_named(std::string_view name);
[[nodiscard]] Direction direction_named(std::string_view name);
[[nodiscard]] Dependence dependence_named(std::string_view name);
[[nodiscard]] Method method_named(std::string_view name);
[[nodiscard]] Bound bound_named(std::string_view name);
[[nodiscard]] PeerOrder order_named(std::string_view name);
[[nodiscard]] Packing packing_named(std::string_view name);
[[nodiscard]] MessageTransport transport_named(std::string_view name);

}  // namespace lapwing
