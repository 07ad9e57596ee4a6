# Everything CI does is a target here. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION)
FUZZTIME ?= 1m
SOAKTURNS ?= 10000
SHARED ?= $(or $(CARGUARD_SHARED),../shared)

.PHONY: help build run test race test-system vm-test units packages ollama fuzz soak bench eval check clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

build: ## build bin/carguardd
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/carguardd ./cmd/carguardd

run: build ## build it and start the bench with a prompt
	./bin/carguardd bench

check: ## formatting and vet
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not gofmt-ed:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags systemtest ./...
	$(GO) vet -tags vmtest ./cross/vm/... ./canbus

test: check ## everything that needs only Go
	$(GO) test -timeout 20m ./...

race: ## the tests again under the race detector
	$(GO) test -race -short -timeout 30m ./...

test-system: build ## tests against real peers; installs them from Debian
	./cross/peers.sh
	{ $(GO) test -count=1 -timeout 40m -tags systemtest -run 'System' -v $$($(GO) list ./... | grep -v '/cross/vm$$') || echo FAIL; \
	  $(GO) test -count=1 -timeout 30m -tags systemtest -run 'System' -v ./cross/vm || echo FAIL; } | ./cross/summary.sh

vm-test: ## the daemon in guests with Debian's kernels: x86-64, 64-bit and 32-bit ARM (QEMU)
	$(GO) test -count=1 -timeout 30m -tags systemtest -run 'System' -v ./cross/vm | ./cross/summary.sh

units: ## verify the systemd units and score their sandbox
	./cross/peers.sh
	$(GO) test -count=1 -tags systemtest -run 'SystemUnits' -v ./systemd

packages: ## Debian packages for amd64, arm64 and armhf in dist/
	GO=$(GO) ./cross/packages/build.sh dist

ollama: ## build a real Ollama server from source, cached per machine (10 minutes)
	./cross/ollama/build.sh

fuzz: ## every fuzz target for FUZZTIME (a minute; ci takes 10s)
	./cross/fuzz.sh $(FUZZTIME)

soak: ## 10,000 turns with faults all the time; draws docs/soak.svg (about ten minutes)
	$(GO) test -count=1 -timeout 2h ./cmd/carguardd/rig/oracle -run '^TestSoak$$' -v -args -soak.turns $(SOAKTURNS) -soak.progress -soak.plot $(CURDIR)/docs/soak.svg

bench: build ## benchmarks beside their budgets
	./cross/bench.sh

eval: build ## measure the harness on recorded runs in $(SHARED)/carbench; writes docs/gates.md
	./bin/carguardd eval sim $(SHARED)/carbench
	./bin/carguardd eval replay --gates docs/gates.md --floor testdata/eval/floor.json $(SHARED)/carbench
	./bin/carguardd eval drive --floor testdata/eval/floor.json $(SHARED)/carbench

clean: ## remove what was built here
	rm -rf bin dist
