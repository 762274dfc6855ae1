# Simulated ranks are copies of one module. They would share GNU unique symbols (statics of templates and of inline
# functions), so nothing that may be linked into such a module has any.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)

# If there is memory enough, gcc collects garbage less often, which saves a tenth of its time.
if(PROJECT_IS_TOP_LEVEL)
    cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
    cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR each "${memory} / (${processors} + 2)")  # as Ninja runs so many compilers at once
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
        # Instrumented code takes long to optimise. Line numbers are all that a report needs.
        add_compile_options(-O0 -g1)
    endif()
    add_compile_definitions(LAPWING_SANITIZED=1)
    add_link_options(${sanitizers})
endif()

# Warnings, for our own targets only.
function(lapwing_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion $<$<COMPILE_LANGUAGE:C,CXX>:-Wshadow>
                                             $<$<BOOL:${LAPWING_WERROR}>:-Werror>)
    # gcc 12 warns wrongly of two things: overlapping memory in std::string's operator+, and uninitialised variables in
    # instrumented code.
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
        $<$<AND:$<BOOL:${LAPWING_SANITIZE}>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-maybe-uninitialized>)
    # -Wconversion of clang includes signedness. That of gcc does not, and lists of sizes in tests read better so.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>)
endfunction()

# For programs that wait for messages, print JSON or read options: optimises the loops that compute, and little else.
# Release builds take half the time to compile.
function(lapwing_optimise_loops target)
    target_compile_options(${target} PRIVATE
        "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-O1;-finline-small-functions;-ftree-vectorize;-fvect-cost-model=dynamic>")
endfunction()
