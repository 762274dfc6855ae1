# Two commands for a newcomer: `make demo` and `make test`. Both install what is missing and build first.
.PHONY: build demo test package lint sanitize check format bench docs clean
.NOTPARALLEL:

python := build/venv/bin/python

# Everything but the tests, for which a user need not wait.
build:
	@scripts/install-dependencies
	@scripts/python-environment
	@echo "== C++"
	@cmake --preset release
	@cmake --build --preset release --target src/lapwing/all src/lapwing/c/all tools/all examples/all
	@scripts/install-package

demo: build
	@build/bin/lapwing demo

test: build
	@cmake --build --preset release
	ctest --preset release
	$(python) -m pytest -n 3 --dist worksteal -m "not alone and not nightly and not package"
	$(python) -m pytest -m "alone and not nightly and not package"

# Builds the wheel and installs it, with an MPI from pip, in a fresh environment.
package: build
	$(python) -m pytest -m package

lint: build
	@scripts/install-dependencies lint
	@scripts/lint

sanitize: build
	@scripts/install-dependencies sanitize
	@cmake --preset sanitizers
	@cmake --build --preset sanitizers
	ctest --preset sanitizers

# What every change must pass.
check: test package lint sanitize

format: build
	@scripts/install-dependencies lint
	@scripts/lint --fix

bench: build
	@scripts/install-dependencies bench
	@cmake --preset release -DLAPWING_BENCH=ON
	@cmake --build --preset release
	@for bench in build/bin/bench-*; do $$bench; done

# Builds the documents as a site.
docs: build
	@scripts/python-environment docs
	@scripts/build-docs

clean:
	rm -rf build
