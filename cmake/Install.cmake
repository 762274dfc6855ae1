# What is installed: headers; two libraries, and a third if FFTW is here (archives, or shared ones with
# BUILD_SHARED_LIBS); the C library, shared and static, with its Fortran module; a CMake package and pkg-config files.
# None of them names an MPI or a JSON library: a consumer brings its own MPI, and JSON stays inside one archive.
include(CMakePackageConfigHelpers)

install(DIRECTORY src/lapwing DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES src/lapwing/c/lapwing.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS lapwing_all lapwing lapwing_io EXPORT lapwingTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET lapwing_fft)
    install(TARGETS lapwing_fft EXPORT lapwingTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(TARGETS lapwing_c lapwing_c_static EXPORT lapwingTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET lapwing_fortran)
    set(modules ${CMAKE_INSTALL_INCLUDEDIR}/lapwing/fortran)
    install(TARGETS lapwing_fortran EXPORT lapwingTargets INCLUDES DESTINATION ${modules})
    install(FILES $<TARGET_PROPERTY:lapwing_fortran,Fortran_MODULE_DIRECTORY>/lapwing.mod src/lapwing/c/lapwing.f90
            DESTINATION ${modules})
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/lapwing)
install(EXPORT lapwingTargets NAMESPACE lapwing:: DESTINATION ${package} FILE lapwingConfig.cmake)
write_basic_package_version_file(lapwingConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lapwingConfigVersion.cmake DESTINATION ${package})

# Paths are relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name lapwing lapwing-c lapwing-fortran)
    if(name STREQUAL "lapwing-fortran" AND NOT TARGET lapwing_fortran)
        continue()
    endif()
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
