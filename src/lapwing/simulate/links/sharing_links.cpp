#include "lapwing/simulate/links/sharing_links_filling.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace lapwing::simulate {

template class SharingLinks<Topology::View>;

}  // namespace lapwing::simulate
