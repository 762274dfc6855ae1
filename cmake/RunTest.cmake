# A test that runs a program, which must end with status 0 and print something that matches EXPECTED:
#   cmake -DEXPECTED=REGEX -P RunTest.cmake -- COMMAND [ARGUMENTS ...]
include(${CMAKE_CURRENT_LIST_DIR}/Command.cmake)
execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "ended with ${status}")
endif()
if(NOT output MATCHES "${EXPECTED}")
    message(FATAL_ERROR "did not print ${EXPECTED}")
endif()
