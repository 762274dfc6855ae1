#pragma once

#include <mpi.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

/// The communicators on which a rank exchanges messages with its partners, each of them with the
/// two ranks alone.
class PairChannels {
  public:
    /// Between this rank and one partner: a communicator for each direction, so that neither rank
    /// need initiate what it sends in turn with what it receives.
    struct Channels {
        Communicator outgoing;
        Communicator incoming;
    };

    /// `partners`: the ranks of `all` that this one exchanges messages with; each of them names
    /// this one, too. Collective over every pair.
    PairChannels(const Communicator& all, std::vector<int> partners) {
        MPI_Group group = MPI_GROUP_NULL;
        check_mpi(MPI_Comm_group(all.get(), &group), "MPI_Comm_group");
        // All ranks make their pairs in one order, by the lower rank and then the higher, or they
        // would wait for each other in a circle.
        std::sort(partners.begin(), partners.end());
        partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
        for (const int peer : partners) connect(all, group, peer);
        MPI_Group_free(&group);
    }

    /// Throws `std::invalid_argument` where `peer` is no partner.
    [[nodiscard]] const Channels& with(int peer) const {
        const auto found = channels_.find(peer);
        if (found == channels_.end())
            throw std::invalid_argument("collective: rank " + std::to_string(peer) +
                                        " is not one of the partners that were given");
        return found->second;
    }

  private:
    void connect(const Communicator& all, MPI_Group group, int peer) {
        const int rank = all.rank();
        const bool lower = rank < peer;
        const int ranks[] = {lower ? rank : peer, lower ? peer : rank};
        MPI_Group pair = MPI_GROUP_NULL;
        MPI_Comm both = MPI_COMM_NULL;
        check_mpi(MPI_Group_incl(group, 2, ranks, &pair), "MPI_Group_incl", peer);
        check_mpi(MPI_Comm_create_group(all.get(), pair, 0, &both), "MPI_Comm_create_group", peer);
        Communicator up(both);
        Communicator down(both);
        MPI_Comm_free(&both);
        MPI_Group_free(&pair);
        channels_.emplace(peer, lower ? Channels{std::move(up), std::move(down)}
                                      : Channels{std::move(down), std::move(up)});
    }

    std::map<int, Channels> channels_;  ///< by partner
};

}  // namespace lapwing
