# robotd: every target is one or two readable lines. Tools come by exact version through `go run`.
GO ?= go
BIN := bin/robotd
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)

.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## bin/robotd, one static binary
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/robotd

run: build ## the simulated robot; the log names the page
	@$(BIN) run --open

install: build ## bin/robotd to $(DESTDIR)/usr/local/bin
	install -D -m 755 $(BIN) $(DESTDIR)/usr/local/bin/robotd

.PHONY: help build run install
