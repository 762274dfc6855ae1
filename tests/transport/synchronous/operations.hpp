#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/message_operation.hpp"
#include "synchronous.hpp"

namespace lapwing::synchronous {

class Send : public MessageOperation<Synchronous> {
  public:
    static constexpr const char* name = "issend";
    static constexpr const char* transport = "synchronous";

    using MessageOperation::MessageOperation;
};

template <class Visit>
void operations(MPI_Comm pair, std::size_t capacity, Visit&& visit) {
    Send send(pair, capacity);
    visit(send);
}

}  // namespace lapwing::synchronous
