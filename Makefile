# Thin: every target is one line over CMake and the scripts in tools/.
PREFIX ?= /usr/local

.PHONY: help demo test test-all test-rest test-load check build python octave cuda petsc web npm site deb dist release release-check format \
  lint bench bench-tables fuzz attack nightly install uninstall clean
help:
	@echo 'make demo      set up, build, and show the program at work'
	@echo 'make test      set up, build, run the quick tests: some minutes, a compiler, CMake and Python'
	@echo 'make test-all  every test: two compilers, sanitizers, bindings, documents; gigabytes of packages'
	@echo 'make test-LEG  one leg of it: $(LEGS)'
	@echo 'make test-load the quick tests five times on a busy machine: none may fail for its slowness'
	@echo 'make check     while editing: format, layers, the quick tests of one compiler'
	@echo 'make build     the program at build/bin/perp, the libraries in build/lib'
	@echo 'make cuda      the program with devices by CUDA at build-cuda/bin/perp (needs nvcc, no GPU)'
	@echo 'make petsc     perp inside PETSc and perp-mpi, in build-petsc/lib and build-petsc/bin'
	@echo 'make python    the wheel of bindings/python in build-python'
	@echo 'make octave    the MEX files of bindings/octave in build-octave'
	@echo 'make web       the playground for browsers, build-web/play.html (needs emscripten)'
	@echo 'make npm       the npm package perp-lcp, in build-npm (needs emscripten)'
	@echo 'make site      the documentation, at build-site/index.html'
	@echo 'make deb       Debian packages, in build-deb'
	@echo 'make dist      the source archive, in build-dist: the same bytes wherever it is made'
	@echo 'make release VERSION=x   all archives of a version, checked, and what a person has to do'
	@echo 'make release-check   packages, lintian, a clean Debian, every command of the guides: an hour'
	@echo 'make install   to PREFIX=$(PREFIX);  make uninstall: removes it from there'
	@echo 'make bench     quick profiles next to the solvers of other libraries: a page'
	@echo 'make bench-tables   the same in normal size: more than an hour'
	@echo 'make fuzz      feed each reader random bytes for FUZZ_SECONDS=60'
	@echo 'make attack    20,000 problems whose truth is known: no verdict may be false'
	@echo 'make nightly   attack, an hour of each fuzz target, ten million solves, threads: hours'
	@echo 'make format    clang-format;  make lint: clang-tidy and cppcheck'
	@echo 'make clean     removes every build folder'

demo:
	@tools/setup demo
	@tools/build demo perp_program
	@tools/demo

test:
	@tools/setup test
	@tools/test quick

LEGS = dev clang cross tsan fuzz asan python octave petsc web npm rust windows release dist blocks site compilers
test-all:
	@tools/setup test-all
	@tools/test all
test-rest: # what `make test` has not run
	@tools/test rest
test-load: # a test that fails here depends on how fast the machine is
	@tools/setup test-load
	@tools/test-load
$(addprefix test-,$(LEGS)): test-%:
	@tools/setup $@
	@tools/test $*

check:
	@tools/setup check
	@tools/check

build:
	@tools/setup build
	@tools/build release

python:
	@tools/setup python
	@tools/build-python

octave:
	@tools/setup octave
	@tools/build-octave

web:
	@tools/setup web
	@tools/build-web

npm:
	@tools/setup npm
	@tools/build-npm

cuda:
	@tools/setup build
	@tools/build cuda perp_program

petsc:
	@tools/setup petsc
	@tools/build petsc perp_petsc perp_mpi

bench bench-tables:
	@tools/setup bench
	@tools/build release $@

attack:
	@tools/setup test-clang
	@tools/build clang test_attack
	PERP_ATTACK=20000 build-clang/tests/test_attack

FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= mtx spec record mat mps nl folder fclib
fuzz:
	@tools/setup test-fuzz
	@tools/build fuzz $(addprefix fuzz_,$(FUZZ_TARGETS))
	@mkdir -p $(addprefix build-fuzz/found-,$(FUZZ_TARGETS))
	for target in $(FUZZ_TARGETS); do \
	  corpus=$$target; [ $$target != mtx ] || corpus=corpus; \
	  most=2048; [ $$target != mat ] || most=9000; \
	  build-fuzz/tests/fuzz_$$target -max_total_time=$(FUZZ_SECONDS) -max_len=4096 \
	    -malloc_limit_mb=$$most -rss_limit_mb=$$most \
	    build-fuzz/found-$$target tests/fuzz/$$corpus || exit; done

nightly:
	@tools/setup test-all
	@tools/test-nightly

site:
	@tools/setup site
	@tools/build release perp_program
	@tools/build-python || [ $$? -eq 77 ]
	@tools/make-site

deb:
	@tools/setup deb
	@tools/make-deb

dist:
	@tools/make-dist

release:
	@tools/setup deb
	@tools/setup web
	@tools/release '$(VERSION)'

release-check:
	@tools/setup deb
	@tools/release-check

# Under sudo what is built belongs to the user, and so nothing of it is in the way of the next make.
install:
	@$(if $(SUDO_USER),sudo -u $(SUDO_USER)) $(MAKE) --no-print-directory build
	cmake --install build --prefix '$(PREFIX)'
	@install -D -m 644 build/install_manifest.txt '$(DESTDIR)$(PREFIX)/share/perp/installed.txt'
	@rm build/install_manifest.txt
	@[ "$$(id -u)" != 0 ] || [ -n "$(DESTDIR)" ] || ldconfig # programs find the shared libraries from now on

uninstall:
	@tools/uninstall '$(DESTDIR)' '$(PREFIX)'

format:
	@tools/check-format --fix

lint:
	@tools/setup lint
	@tools/lint

clean:
	rm -rf build build-*
