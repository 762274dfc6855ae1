#pragma once

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/replay.hpp"
#include "lapwing/simulate/program/call.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::replay {

/// A program whose ranks make calls, one after the other, as a schedule that is written out. What
/// follows a send or a receive follows its start; what follows a computation or a wait, its end. A
/// schedule knows no communicators: messages of `MPI_COMM_WORLD` keep their tags, those of others
/// and of collectives get tags that no other messages have. Receives have the sizes of their
/// messages.
///
/// On a LogGOPS machine the schedule takes what the program takes. On a measured machine it may
/// not. There a rank of a program receives a message when it waits for it, a rank of a schedule as
/// soon as its processor is free.
///
/// Throws `std::invalid_argument` if a rank with a receive of any tag gets messages of several
/// communicators, which this receive could not tell apart.
[[nodiscard]] simulate::Graph program_graph(simulate::CallSource& source);

/// The same of a recorded program, with its collectives as the steps of the algorithms that
/// `replay` takes for them.
[[nodiscard]] simulate::Graph program_graph(const record::Recording& recording,
                                            const Options& options);

}  // namespace lapwing::replay
