# jtop: "make" lists the targets.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION)
PREFIX  ?= /usr/local
FUZZTIME ?= 20s
SHELL   := /bin/bash

.DEFAULT_GOAL := help
.PHONY: help build demo test race fuzz bench lint golden jdks install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the static binary bin/jtop
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/jtop ./cmd/jtop

demo: build ## run jtop on the bundled Java services (installs a JRE with apt where there is none and you are root)
	@.ci/demo.sh

test: ## run every check and test (as root, installs tmux, gcc, JMeter and test JDKs that are missing)
	@.ci/test.sh

race: ## run the tests of PKG (default all) under the race detector, without the other checks
	@. .ci/env.sh && use_unpacked_17 && go test -race -count=1 $(or $(PKG),./...)

fuzz: ## run each fuzz target for FUZZTIME (default 20s)
	@.ci/fuzz.sh $(FUZZTIME)

bench: ## run the benchmarks
	@. .ci/env.sh && go test -run '^$$' -bench . -benchmem ./...

lint: ## run golangci-lint with the project's rules
	@command -v golangci-lint >/dev/null || { echo "golangci-lint v2 is missing: go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0"; exit 1; }
	golangci-lint run ./...

golden: ## rewrite the golden screens from what is drawn now; look at the diff before you commit it
	go test -count=1 $$(go list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... | awk '/ [^ ]*tui\/tuitest/ { print $$1 }') -update

jdks: ## install the JDKs that the tests watch (JTOP_JDKS or ~/.cache/jtop/jdks)
	@. .ci/env.sh && .ci/jdks.sh

install: build ## install the binary to PREFIX/bin (default /usr/local)
	install -D -m 0755 bin/jtop $(DESTDIR)$(PREFIX)/bin/jtop

clean: ## remove what was built
	rm -rf bin
