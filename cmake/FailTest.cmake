# A test that runs a program, which must end with another status than 0, print something that matches SAYS, and nothing that
# matches NEVER:
#   cmake -DSAYS=REGEX [-DNEVER=REGEX] -P FailTest.cmake -- COMMAND [ARGUMENTS ...]
# CTest would ignore the status, and fail if a launcher crashes after it has ended all ranks. Open MPI's sometimes does.
include(${CMAKE_CURRENT_LIST_DIR}/Command.cmake)
execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(status EQUAL 0)
    message(FATAL_ERROR "ended with 0")
endif()
if(NOT output MATCHES "${SAYS}")
    message(FATAL_ERROR "did not print ${SAYS}")
endif()
if(NEVER AND output MATCHES "${NEVER}")
    message(FATAL_ERROR "printed ${CMAKE_MATCH_0}")
endif()
