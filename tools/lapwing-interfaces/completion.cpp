#include "completion.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <map>

#include "network.hpp"

namespace lapwing::interfaces {

Completion::Completion(MPI_Request& request) : host_(simgrid::s4u::this_actor::get_host()) {
    Tags& tags = Tags::of_rank();
    tag_ = tags.take();
    tags_ = &tags;
    PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, tag_, tags.self, &request);
    // A synchronous message costs its receiver no overhead in SMPI.
    PMPI_Ssend_init(nullptr, 0, MPI_BYTE, 0, tag_, tags.self, &message_);
}

void Completion::complete() {
    expect_free_message(*host_);
    PMPI_Start(&message_);
    PMPI_Wait(&message_, MPI_STATUS_IGNORE);
    PMPI_Request_free(&message_);
    tags_->free.push_back(tag_);
}

Completion::Tags& Completion::Tags::of_rank() {
    static std::map<aid_t, Tags> all;
    Tags& tags = all[simgrid::s4u::this_actor::get_pid()];
    if (tags.self == MPI_COMM_NULL) PMPI_Comm_dup(MPI_COMM_SELF, &tags.self);
    return tags;
}

int Completion::Tags::take() {
    if (free.empty()) return next++;
    const int tag = free.back();
    free.pop_back();
    return tag;
}

}  // namespace lapwing::interfaces
