# The transports that are here: each is a folder src/lapwing/transport/NAME, and adding one changes no other file.
#
#   lapwing_list_transports(flavour directory [FOLDERS ...])
#
# writes two headers into `directory`, for programs of one MPI flavour:
#
#   lapwing/calibrate/all_operations.hpp    all_operations(pair, capacity, visit): visits every operation of every
#                                           folder that has an operations.hpp
#   lapwing/transport/all_transports.hpp    all_transports(communicator, capacity, visit): visits every transport
#                                           with messages of every folder that has a transports.hpp
#
# FOLDERS are searched after src/lapwing/transport. If a transport's folder has a file `flavours`, it is for the flavours
# named there, one a line, and for no others. If it has a file `needs`, it is for real MPI alone, and only where there is a
# target lapwing::NAME for each library named there, one a line.

# Sets `result` to whether the transport in `folder` is for programs of a flavour.
function(_lapwing_is_for result folder flavour)
    set(${result} OFF PARENT_SCOPE)
    foreach(file flavours needs)
        set(${file})
        file(GLOB marker CONFIGURE_DEPENDS ${folder}/${file})
        if(marker)
            set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${marker})
            file(STRINGS ${marker} ${file})
        endif()
    endforeach()
    if(flavours AND NOT flavour IN_LIST flavours)
        return()
    endif()
    foreach(library IN LISTS needs)
        if(flavour STREQUAL "smpi" OR NOT TARGET lapwing::${library})
            return()
        endif()
    endforeach()
    set(${result} ON PARENT_SCOPE)
endfunction()

# Writes one of the headers: its function calls lapwing::FOLDER::`each` for every folder that has `each`.hpp.
function(_lapwing_write_list flavour header each ranks summary)
    set(includes)
    set(calls)
    foreach(parent IN LISTS ARGN)
        file(GLOB headers CONFIGURE_DEPENDS ${parent}/*/${each}.hpp)
        foreach(file IN LISTS headers)
            get_filename_component(folder ${file} DIRECTORY)
            _lapwing_is_for(wanted ${folder} ${flavour})
            if(NOT wanted)
                continue()
            endif()
            get_filename_component(name ${folder} NAME)
            file(RELATIVE_PATH include ${PROJECT_SOURCE_DIR}/src ${file})
            string(APPEND includes "#include \"${include}\"\n")
            string(APPEND calls "    ${name}::${each}(${ranks}, capacity, visit);\n")
        endforeach()
    endforeach()
    file(CONFIGURE OUTPUT ${header} @ONLY CONTENT [[
#pragma once

// Written by cmake/Transports.cmake.

#include <mpi.h>

#include <cstddef>

@includes@
namespace lapwing {

/// @summary@
template <class Visit>
void all_@each@(MPI_Comm @ranks@, std::size_t capacity, Visit&& visit) {
@calls@}

}  // namespace lapwing
]])
endfunction()

function(lapwing_list_transports flavour directory)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FOLDERS")
    set(folders ${PROJECT_SOURCE_DIR}/src/lapwing/transport ${arg_FOLDERS})
    _lapwing_write_list(${flavour} ${directory}/lapwing/calibrate/all_operations.hpp operations pair
        "Calls `visit(operation)` for every way of every transport to move bytes between the two ranks of `pair`, both\n\
/// of which call this. `capacity` bytes is the largest an operation may move." ${folders})
    _lapwing_write_list(${flavour} ${directory}/lapwing/transport/all_transports.hpp transports communicator
        "Calls `visit(name, transport)` for every transport with messages, on every rank of `communicator`. `capacity`\n\
/// bytes is the memory it has to have where it moves nothing else." ${folders})
endfunction()
