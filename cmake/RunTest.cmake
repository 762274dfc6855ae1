# A program under ctest that must end well and print what it should:
#   cmake -DEXPECTED=REGEX -P RunTest.cmake -- COMMAND [ARGUMENTS ...]
include(${CMAKE_CURRENT_LIST_DIR}/Command.cmake)
execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "ended with ${status}")
endif()
if(NOT output MATCHES "${EXPECTED}")
    message(FATAL_ERROR "did not print ${EXPECTED}")
endif()
