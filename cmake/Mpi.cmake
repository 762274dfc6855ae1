# Every MPI that is here, side by side. CMake's FindMPI finds one; so Open MPI, MPICH and SimGrid's SMPI
# each get an imported target of our own, and FindMPI serves machines that have none of these by name.
#
#   lapwing_add_mpi_program(name SOURCES ... [LIBRARIES ...])    name.openmpi, name.mpich, name.smpi
#   lapwing_add_mpi_test(name SOURCES ... RANKS 1 2 ... [LIBRARIES ...])
#   LAPWING_MPI_FOUND                                            the flavours that are built

set(LAPWING_MPI_FOUND)
find_package(PkgConfig QUIET)

function(_lapwing_pkgconfig_mpi flavour module)
    if(NOT flavour IN_LIST LAPWING_MPI OR NOT PkgConfig_FOUND)
        return()
    endif()
    pkg_check_modules(LAPWING_${flavour} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(LAPWING_${flavour}_FOUND)
        add_library(lapwing::${flavour} INTERFACE IMPORTED GLOBAL)
        target_link_libraries(lapwing::${flavour} INTERFACE PkgConfig::LAPWING_${flavour})
        set(LAPWING_MPI_FOUND ${LAPWING_MPI_FOUND} ${flavour} PARENT_SCOPE)
    endif()
endfunction()

_lapwing_pkgconfig_mpi(openmpi ompi-c)
_lapwing_pkgconfig_mpi(mpich mpich)

if(NOT LAPWING_MPI_FOUND AND "mpi" IN_LIST LAPWING_MPI)
    find_package(MPI QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND)
        add_library(lapwing::mpi INTERFACE IMPORTED GLOBAL)
        target_link_libraries(lapwing::mpi INTERFACE MPI::MPI_CXX)
        list(APPEND LAPWING_MPI_FOUND mpi)
    endif()
endif()

if("smpi" IN_LIST LAPWING_MPI)
    find_path(SMPI_INCLUDE_DIR smpi/mpi.h)
    find_library(SIMGRID_LIBRARY simgrid)
    mark_as_advanced(SMPI_INCLUDE_DIR SIMGRID_LIBRARY)
    if(SMPI_INCLUDE_DIR AND SIMGRID_LIBRARY)
        add_library(lapwing::smpi INTERFACE IMPORTED GLOBAL)
        target_include_directories(lapwing::smpi INTERFACE ${SMPI_INCLUDE_DIR}/smpi)
        # Not what smpicxx adds, "-include smpi/smpi_helpers.h": its macros over exit, free, sleep and the like
        # break headers with members of these names. Instead our programs take time from MPI_Wtime, charge
        # computation explicitly and end by return or MPI_Abort.
        target_compile_definitions(lapwing::smpi INTERFACE LAPWING_SMPI=1)
        target_link_libraries(lapwing::smpi INTERFACE ${SIMGRID_LIBRARY})
        target_link_options(lapwing::smpi INTERFACE LINKER:-z,defs)
        list(APPEND LAPWING_MPI_FOUND smpi)
    endif()
endif()

if(LAPWING_MPI_FOUND)
    string(REPLACE ";" ", " found "${LAPWING_MPI_FOUND}")
    message(STATUS "MPI: ${found}")
else()
    message(STATUS "MPI: none found, building what needs none")
endif()

# Sets `result` to the name of a program in a flavour: the nameless flavour has the plain name.
function(lapwing_mpi_target result name flavour)
    if(flavour STREQUAL "mpi")
        set(${result} ${name} PARENT_SCOPE)
    else()
        set(${result} ${name}.${flavour} PARENT_SCOPE)
    endif()
endfunction()

function(lapwing_add_mpi_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    foreach(flavour IN LISTS LAPWING_MPI_FOUND)
        lapwing_mpi_target(target ${name} ${flavour})
        if(flavour STREQUAL "smpi")
            # smpirun loads a program once for each rank, so it is a module.
            add_library(${target} MODULE ${arg_SOURCES})
            # The launcher looks up main by name.
            set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" CXX_VISIBILITY_PRESET default
                                  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
        else()
            add_executable(${target} ${arg_SOURCES})
        endif()
        # The C interface is all we use: without these the MPIs that still have C++ bindings include them.
        target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
        target_link_libraries(${target} PRIVATE lapwing::lapwing lapwing::${flavour} ${arg_LIBRARIES})
        lapwing_warnings(${target})
    endforeach()
endfunction()

# Real MPI under ctest: local, oversubscribed, unbound, as root if need be, and without ssh.
find_program(LAPWING_MPIRUN_OPENMPI NAMES mpirun.openmpi mpirun)
find_program(LAPWING_MPIEXEC_MPICH NAMES mpiexec.mpich mpiexec.hydra mpiexec)
mark_as_advanced(LAPWING_MPIRUN_OPENMPI LAPWING_MPIEXEC_MPICH)
set(_lapwing_launch_openmpi ${LAPWING_MPIRUN_OPENMPI} --oversubscribe --bind-to none -n)
set(_lapwing_environment_openmpi
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
    # Containers often forbid reading another process's memory.
    OMPI_MCA_btl_vader_single_copy_mechanism=none)
set(_lapwing_launch_mpich ${LAPWING_MPIEXEC_MPICH} -launcher fork -n)
set(_lapwing_launch_mpi ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG})

function(lapwing_add_mpi_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;RANKS;LIBRARIES")
    lapwing_add_mpi_program(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
    foreach(flavour IN LISTS LAPWING_MPI_FOUND)
        if(NOT _lapwing_launch_${flavour}) # smpi: simulated runs need a platform, pytest has those
            continue()
        endif()
        set(environment ${_lapwing_environment_${flavour}})
        if(LAPWING_SANITIZE)
            # An MPI library keeps memory until the process ends, and that is not our leak.
            list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
        endif()
        lapwing_mpi_target(target ${name} ${flavour})
        foreach(ranks IN LISTS arg_RANKS)
            set(test mpi/${target}/${ranks})
            add_test(NAME ${test} COMMAND ${_lapwing_launch_${flavour}} ${ranks} $<TARGET_FILE:${target}>)
            set_tests_properties(${test} PROPERTIES PROCESSORS ${ranks} TIMEOUT 120
                                                    ENVIRONMENT "${environment}")
        endforeach()
    endforeach()
endfunction()
