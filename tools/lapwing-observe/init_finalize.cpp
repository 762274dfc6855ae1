// How C and C++ programs begin and end.

#include "entry_point.hpp"

namespace lapwing::observe {

LAPWING_SEEN int MPI_Init(int* argc, char*** argv) {
    const int result = PMPI_Init(argc, argv);
    begin_observing(MPI_THREAD_SINGLE);
    return result;
}

LAPWING_SEEN int MPI_Init_thread(int* argc, char*** argv, int asked, int* has) {
    const int result = PMPI_Init_thread(argc, argv, asked, has);
    begin_observing(*has);
    return result;
}

LAPWING_SEEN int MPI_Finalize() {
    end_observing();
    return PMPI_Finalize();
}

}  // namespace lapwing::observe
