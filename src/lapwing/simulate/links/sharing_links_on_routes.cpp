#include "lapwing/simulate/links/routes.hpp"
#include "lapwing/simulate/links/sharing_links_filling.hpp"

namespace lapwing::simulate {

template class SharingLinks<Routes>;

}  // namespace lapwing::simulate
