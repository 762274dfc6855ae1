# The native programs of a wheel, in the package's folder `native`: for each MPI in LAPWING_PREFIX_..., and to run where there
# is neither a compiler nor any library but the C library's and MPI.
set(CMAKE_INSTALL_BINDIR lapwing/native)
set(CMAKE_DISABLE_FIND_PACKAGE_BZip2 ON)
set(CMAKE_DISABLE_FIND_PACKAGE_CGAL ON)
add_link_options(-static-libstdc++ -static-libgcc)
include(cmake/Mpi.cmake)
add_subdirectory(src/lapwing/calibrate)
add_subdirectory(apps/nas)
add_subdirectory(tools)
