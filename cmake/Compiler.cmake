# Simulated ranks are copies of one module. GNU unique symbols (statics of templates and of inline
# functions) would be shared by all copies, so nothing that may end up in such a module has them.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)

# gcc tidies up its memory whenever that has grown by a few ten MB: a tenth of its time, where there is room.
if(PROJECT_IS_TOP_LEVEL)
    cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
    cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR each "${memory} / (${processors} + 2)")  # as many compilers run at once
    if(each GREATER 4000)
        add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param=ggc-min-heapsize=1000000 --param=ggc-min-expand=200>")
    endif()
endif()

if(LAPWING_SANITIZE OR LAPWING_FUZZ)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
    add_compile_options(${sanitizers} -fno-omit-frame-pointer)
    if(LAPWING_FUZZ)
        add_compile_options(-fsanitize=fuzzer-no-link -O1)
    else()
        # Instrumented code takes longest to optimise. Lines are enough to tell where it went wrong.
        add_compile_options(-O0 -g1)
    endif()
    add_compile_definitions(LAPWING_SANITIZED=1)
    add_link_options(${sanitizers})
endif()

# For our own targets only: what others wrote is compiled as they like it.
function(lapwing_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion $<$<COMPILE_LANGUAGE:C,CXX>:-Wshadow>
                                             $<$<BOOL:${LAPWING_WERROR}>:-Werror>)
    # gcc 12 is wrong about two things: std::string's operator+ does not overlap itself, and what
    # looks uninitialised in instrumented code is not.
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
        $<$<AND:$<BOOL:${LAPWING_SANITIZE}>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-maybe-uninitialized>)
    # clang counts signedness to -Wconversion. gcc does not, and a list of sizes in a test reads better bare.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>)
endfunction()

# For programs that wait for messages, print JSON or read options: optimises the loops that compute, and little else.
# Release builds take half the time to compile.
function(lapwing_optimise_loops target)
    target_compile_options(${target} PRIVATE
        "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-O1;-finline-small-functions;-ftree-vectorize;-fvect-cost-model=dynamic>")
endfunction()
