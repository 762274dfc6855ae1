# Runs COMMAND on the file PLAIN, several times over, and unpacks what it made of it, PACKED:
#   cmake -DBZIP2=PROGRAM -DPLAIN=FILE -DPACKED=FILE.bz2 -P compress.cmake -- COMMAND ...
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/Command.cmake)

function(must_end_well)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "ended with ${status}")
    endif()
endfunction()

# Six blocks of 900 kB, and part of one, however much the file is.
execute_process(COMMAND cat ${PLAIN} ${PLAIN} ${PLAIN} ${PLAIN} ${PLAIN} COMMAND head -c 5500000
                OUTPUT_FILE ${PACKED}.in RESULT_VARIABLE status)
must_end_well()
execute_process(COMMAND ${command} ${PACKED}.in ${PACKED} RESULT_VARIABLE status)
must_end_well()
execute_process(COMMAND ${BZIP2} -dc ${PACKED} OUTPUT_FILE ${PACKED}.out RESULT_VARIABLE status)
must_end_well()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${PACKED}.in ${PACKED}.out RESULT_VARIABLE status)
must_end_well()
file(REMOVE ${PACKED} ${PACKED}.in ${PACKED}.out)
