#pragma once

#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/costs/message_costs.hpp"

namespace lapwing::simulate {

/// The tables of messages of a rank to itself. Such a message is a copy in memory: it occupies its
/// rank's processor, half of its time to send and half to receive, and nothing else.
///
/// Its time is `o_mw + T_mem` of the log_3P tables, measured on messages of a rank to itself
/// (Cameron, Ge, Sun 2007, equation 6). An empty one takes both overheads. Without these tables it
/// is both overheads of an empty message, and for each byte what the profile says of copies:
/// `collectives.copy`, else the kernel "copy". If no copy was measured, a byte takes `G`: memory is
/// not slower than the network.
[[nodiscard]] MessageCosts::Tables tables_of_copies(const Profile& profile);

}  // namespace lapwing::simulate
