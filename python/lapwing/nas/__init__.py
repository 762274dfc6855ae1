"""The NAS Parallel Benchmarks MG, CG and IS on a target."""
