# make demo and make test work on a fresh Debian 12 or 13 with nothing but make and git: they install what is missing.

CARGO ?= cargo
BIARCH = target/x86_64-unknown-linux-gnu/release/biarch

.PHONY: help build demo dist test test-full soak fuzz-syscalls bench figures clean
help:
	@echo 'make demo       real 32-bit programs, run without one 32-bit system call'
	@echo 'make test       every test; about ten minutes'
	@echo 'make test-full  also all of Python and Perl test suites: an hour'
	@echo 'make soak       PostgreSQL and a compiler, ten minutes each natively and under biarch; SOAK=600'
	@echo 'make fuzz-syscalls  random system calls, natively and under biarch; SEED=1 CASES=20000'
	@echo 'make bench      the tables of speed and memory'
	@echo 'make figures    docs/history.md, with the figures of this machine; keep it quiet'
	@echo 'make dist       target/dist: static programs and Debian packages, for x86-64 and AArch64'
	@echo 'make build      $(BIARCH)'
	@echo 'make clean      deletes target/'

build:
	@packaging/install-dependencies.sh build
	@$(CARGO) build --quiet --locked --release --package biarch

demo: build
	@$(CARGO) build --quiet --locked --release --package biarch-tests --bin launcher
	@packaging/demo.sh

dist:
	@packaging/install-dependencies.sh dist
	@CARGO='$(CARGO)' packaging/dist.sh

# The suites run the release build, which is what a user has.
test:
	@packaging/install-dependencies.sh test
	@$(CARGO) build --quiet --locked --release --package biarch
	@CARGO='$(CARGO)' tests/run

test-full:
	@packaging/install-dependencies.sh full
	@$(CARGO) build --quiet --locked --release --package biarch
	@CARGO='$(CARGO)' tests/run --full

SOAK ?= 600
soak:
	@packaging/install-dependencies.sh full
	@$(CARGO) build --quiet --locked --release --package biarch
	@BIARCH_SOAK=$(SOAK) CARGO='$(CARGO)' tests/run --package biarch-tests --test programs -- soak --include-ignored

SEED ?= 1
CASES ?= 20000
fuzz-syscalls: build
	@$(CARGO) build --quiet --locked --release --package biarch-tests --bin launcher
	@BIARCH=$(BIARCH) $(CARGO) run --quiet --locked --release --package biarch-tests --bin fuzz-syscalls -- \
		--launcher target/x86_64-unknown-linux-gnu/release/launcher --seed $(SEED) --cases $(CASES)

bench:
	@packaging/install-dependencies.sh full
	@$(CARGO) build --quiet --locked --release --package biarch
	@$(CARGO) run --quiet --locked --release --package biarch-bench --bin bench
	@$(CARGO) run --quiet --locked --release --package biarch-bench --bin peers
	@$(CARGO) run --quiet --locked --release --package biarch-bench --bin method
	@$(CARGO) run --quiet --locked --release --package biarch-bench --bin bridge

# Half an hour on a quiet machine.
figures: build
	@$(BIARCH) compare --full --json >target/figures.json
	@$(BIARCH) compare target/figures.json --html target/figures.html
	@$(BIARCH) compare history --markdown target/figures.json >docs/history.md

clean:
	rm -rf target
