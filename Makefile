# robotd: every target is one or two readable lines. Tools come by exact version through `go run`.
GO ?= go
BIN := bin/robotd
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
RACE ?= ./...
# A profile for the compiler, or off. What robots run and what is measured has it; it costs a minute when nothing is cached.
PGO ?= off

.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## bin/robotd, one static binary
	@CGO_ENABLED=0 $(GO) build -pgo=$(PGO) -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/robotd

install cross: PGO = $(CURDIR)/bench/robotd.pgo
install: build ## bin/robotd to $(DESTDIR)/usr/local/bin
	install -D -m 755 $(BIN) $(DESTDIR)/usr/local/bin/robotd

run: build ## the simulated robot; its page opens in a browser if there is one
	@$(BIN) run --open

# Three packages at a time, the longest first, and four tests of each: many wait for robots that live in real time. vet has been there before,
# and nobody debugs these binaries. The limit is for a loaded machine.
test: build vet arch check ## everything that decides whether a change is good
	@tags=$$(.ci/tools) && $(GO) test -p 3 -parallel 4 -vet=off -ldflags='-s -w' -timeout 40m $${tags:+-tags $$tags} ./cmd/robotd ./...
	@.ci/soak 7 7 5m 0

race: ## the suite under the race detector; RACE=./actors/... for a part
	@$(GO) test -p 1 -race -timeout 60m $(RACE)

vet: ## go vet, of the peers' module too, and gofmt
	@$(GO) vet -tags e2e,storm,kernel,camera ./... && (cd bench && $(GO) vet ./...) && test -z "$$(gofmt -l . | tee /dev/stderr)"

arch: ## import rules, third-party homes, and no clock or goroutine in the core
	@$(GO) test -count=1 -run '^TestArch' ./cmd/robotd

lint: ## golangci-lint with the same import rules, staticcheck, gofumpt
	@$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...
	@$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tags e2e ./... && test -z "$$($(GO) run mvdan.cc/gofumpt@v0.12.0 -l . | tee /dev/stderr)"

fmt: ## gofumpt -w
	@$(GO) run mvdan.cc/gofumpt@v0.12.0 -w .

fuzz: ## every fuzz target for 30 s
	@.ci/fuzz 30s

cover: ## coverage of each package by the whole suite
	@.ci/cover

loaded: ## ten minutes of life and ten make test beside eight spinning processes, three hours
	@.ci/loaded life 10m && .ci/loaded rounds 10

flake: ## a hundred runs of the core's tests under the race detector
	@.ci/flake 100

# Any single one: go test -run '^$' -bench NAME -benchmem ./PACKAGE
bench: ## the goals and the peers in one table, bench/RESULTS.md
	@.ci/bench

profile: ## bench/robotd.pgo, by which the compiler knows what is called often
	@.ci/profile

soak: build ## half an hour of life for each of 20 seeds, twice
	@.ci/soak 1 20 30m 1

storm: ## acts and faults by chance: six hours in virtual time, ten minutes live
	@.ci/storm 1 6 1h && .ci/storm live 10m 12

day: ## a simulated day of a robot with every class and condition of the format; every stand-in must have had control
	@ROBOTD_DAY=24h $(GO) test -count=1 -timeout 30m -v -run '^TestRobotLivesWithEveryClassOfTheFormat$$' ./cmd/robotd/internal/headless

e2e: build ## the tests that drive a real Prometheus and a real browser
	@tags=$$(.ci/tools) && test -n "$$tags" && $(GO) test -count=1 -tags e2e ./metrics/... ./cmd/...

scrape: ## a real Prometheus scrapes the metrics
	@tags=$$(.ci/tools) && test -n "$$tags" && $(GO) test -count=1 -v -tags e2e -run Prometheus ./metrics/...

mutate: ## every checked-in mistake must be found by its test; ONLY='T-13: ' for some, without the next target
	@.ci/mutate "$(ONLY)" && { test -n "$(ONLY)" || .ci/gremlins; }

gremlins: ## every change of an operator in the core is found or explained; PACKAGES=behaviors/stack for some
	@.ci/gremlins $(PACKAGES)

rules: ## every rule of the documents with the tests that show it
	@$(GO) test -count=1 -v -run '^TestRuleTable$$' ./behaviors/rules

kills: ## a hundred recording processes are killed; each file opens and lacks less than a second
	@$(GO) test -count=1 -run '^TestKilled' ./metrics/record ./cmd/robotd -args -kills 100

rates: ## what actions achieve over 200 seeds, judged by the truth: actions/RATES.md
	@$(GO) test -count=1 -timeout 60m ./cmd/robotd/internal/rates -args -seeds 200 -write $(CURDIR)/actions/RATES.md && cat actions/RATES.md

faults: ## every device broken in every way: who notices, when the wheels stand, how it heals
	@$(GO) test -count=1 -v -run TestFaultMatrix ./cmd/robotd/internal/faultmatrix

test-kernel: ## a board's buses and lines on a stock Debian kernel in qemu; Linux's own drivers read our emulated chips
	@.ci/test-kernel

camera: ## the example of a camera process, on recorded pictures and with a live robot
	@.ci/camera

arm64: ## the hardware tests and a short life as arm64 code, in qemu
	@.ci/arm64

model: ## spin checks a model of the tick barrier; .ci/model --mutants seeds mistakes
	@.ci/model

check: build ## the shipped behaviors
	@$(BIN) check

docs: ## write the generated tables, references and schemas anew, and man pages and completions to bin/docs
	@$(GO) test ./metrics -run Readme -update
	@$(GO) test ./behaviors/format -run ListOfClasses -update && $(GO) test ./behaviors/condition -run Support -update && $(GO) test ./behaviors/reference -update
	@$(GO) test ./cmd/robotd/robotmain -run Schema -update && $(GO) test ./cmd/robotd/internal/control -run Reference -update
	@$(GO) run -ldflags '$(LDFLAGS)' ./cmd/robotd/docs bin/docs

deb: ## packages for Debian on arm64 and amd64, bin/robotd_VERSION_ARCH.deb; ARCHES=amd64 for one
	@PGO=$(CURDIR)/bench/robotd.pgo .ci/deb

package: ## a real systemd installs, breaks, upgrades, removes and purges the package
	@$(GO) test -count=1 -v -tags e2e -run 'Package|Units' ./cmd/robotd

cross: ## arm64, amd64 and riscv64
	@for arch in arm64 amd64 riscv64; do CGO_ENABLED=0 GOOS=linux GOARCH=$$arch $(GO) build -pgo=$(PGO) -trimpath -ldflags '$(LDFLAGS)' -o bin/robotd-linux-$$arch ./cmd/robotd && ls -sh bin/robotd-linux-$$arch || exit 1; done

ci: ## exactly what CI runs
	@bash .ci/run

clean: ## what the targets made
	rm -rf bin coverage.out

.PHONY: $(shell awk -F: '/^[a-z0-9-]+:/{print $$1}' $(firstword $(MAKEFILE_LIST)))
