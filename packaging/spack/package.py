# For Spack 1.0 and later, in a repository of your own: `spack repo create mine`, this file as
# mine/packages/lapwing/package.py, `spack repo add mine`, and from a checkout
# `spack develop --path CHECKOUT lapwing@main`.
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Lapwing(CMakePackage):
    """Measures what a network costs, and hides communication behind computation."""

    license("BSD-3-Clause")

    version("main")

    variant("mpi", default=True, description="The native program, for the MPI of the environment")
    variant("fft", default=True, description="Distributed Fourier transforms; FFTW is under the GPL")
    variant("compress", default=True, description="Parallel compression")
    variant("triangulation", default=False, description="Triangulation; CGAL's is under the GPL")
    variant("fortran", default=True, description="The Fortran module")
    variant("simulation", default=False, description="Simulated clusters, by SimGrid")
    variant("shared", default=True, description="Shared libraries")
    variant("python", default=True, description="The command, and the Python library")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("nlohmann-json@3.9:")
    depends_on("cli11@2:", type="build")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("fftw@3 precision=float,double", when="+fft")
    depends_on("bzip2", when="+compress")
    depends_on("cgal@5.5:", when="+triangulation")
    depends_on("simgrid+smpi", when="+simulation")

    extends("python", when="+python")
    depends_on("python@3.11:", when="+python")
    depends_on("py-pip", type="build", when="+python")
    depends_on("py-scikit-build-core@0.10:", type="build", when="+python")
    depends_on("py-nanobind@2.2:", type="build", when="+python")
    depends_on("py-rich@13:", type=("build", "run"), when="+python")
    depends_on("py-numpy@1.24:", type=("build", "run"), when="+python")

    def cmake_args(self):
        flavours = {"mpi": "+mpi", "smpi": "+simulation"}
        return [
            self.define("LAPWING_MPI", [name for name, on in flavours.items() if on in self.spec]),
            self.define("LAPWING_TESTS", False),
            self.define_from_variant("LAPWING_FFT", "fft"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_BZip2", "~compress" in self.spec),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_CGAL", "~triangulation" in self.spec),
        ]

    @run_after("install")
    def install_python(self):
        """The command finds the native program beside itself."""
        if "+python" in self.spec:
            options = ["--no-deps", "--no-build-isolation", "--no-index", f"--prefix={self.prefix}"]
            python("-m", "pip", "install", *options, self.stage.source_path)
