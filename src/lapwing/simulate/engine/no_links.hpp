#pragma once

namespace lapwing::simulate {

/// Nothing that messages contend for on their way.
struct NoLinks {};

}  // namespace lapwing::simulate
