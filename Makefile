# The workshop. `make` alone shows what there is.

SHELL         := bash
.SHELLFLAGS   := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS     += --no-print-directory

GO   ?= go
TOOL := $(GO) tool -modfile=tools/go.mod

# Executions per fuzz target: about 10 s over all of them on two cores. A
# count, because a fuzz run that ends by time can fail with "context deadline
# exceeded" without a finding (go.dev/issue/75804).
FUZZ_RUNS ?= 3000x

# Packages that hold Ginkgo specs take its flags, the others do not know them.
GINKGO_PACKAGES = $(GO) list -f '{{range .TestImports}}{{if eq . "github.com/onsi/ginkgo/v2"}}{{$$.ImportPath}}{{end}}{{end}}{{range .XTestImports}}{{if eq . "github.com/onsi/ginkgo/v2"}}{{$$.ImportPath}}{{end}}{{end}}' ./... | sort -u
GINKGO_FLAGS = -ginkgo.randomize-all -ginkgo.fail-on-pending -ginkgo.fail-on-empty -ginkgo.no-color

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# One after another, in this order, also under -j: they share two cores.
.PHONY: check
check: ## Everything that a change must pass
	$(MAKE) test
	$(MAKE) format
	$(MAKE) vet
	$(MAKE) lint
	$(MAKE) race
	$(MAKE) shapes
	$(MAKE) fuzz
	$(MAKE) example
	$(MAKE) tidy
	$(MAKE) modules

.PHONY: test
test: ## What the README says: all tests, plainly
	$(GO) test ./...

.PHONY: format
format: ## Fail when a file is not formatted by gofmt
	@odd=$$(gofmt -l .); if [ -n "$$odd" ]; then printf 'not formatted, run gofmt -w:\n%s\n' "$$odd"; exit 1; fi

.PHONY: vet
vet: ## go vet
	$(GO) vet ./...

# Task types of tests have fields and parents that only reflection reads, so
# what is unused is looked for in production code.
.PHONY: lint
lint: ## staticcheck
	$(TOOL) staticcheck -checks=inherit,-U1000 ./...
	$(TOOL) staticcheck -checks=U1000 -tests=false ./...

.PHONY: race
race: ## All tests under the race detector, specs in random order
	@specs=$$($(GINKGO_PACKAGES)); \
	rest=$$($(GO) list ./... | grep -vxF "$$specs"); \
	set -x; \
	$(GO) test -race $$rest; \
	$(GO) test -race $$specs $(GINKGO_FLAGS)

# Which Configure is a type's own is read off what the compiler wrote, so it
# is tried on builds that write something else.
SHAPES = -ginkgo.no-color -ginkgo.fail-on-empty -ginkgo.focus '(Shapes of task types|Layers|Definition errors|A thousand concurrent first calls|Templates|Clashing keys|Callbacks and middlewares|Declaring guards|Bound fields|The lifecycle)'

.PHONY: shapes
shapes: ## Definitions of types under other compiler flags
	$(GO) test -trimpath ./task/...
	$(GO) test -trimpath ./spec $(SHAPES)
	$(GO) test -gcflags=all=-l ./task/...
	$(GO) test -gcflags=all=-l ./spec $(SHAPES)

.PHONY: fuzz
fuzz: ## A short run of every fuzz target
	@{ grep -rn --include='*_test.go' -oE '^func Fuzz[A-Za-z0-9_]*' . || true; } | \
	sed -E 's|^(.*)/[^/]*:[0-9]+:func (Fuzz.*)$$|\1 \2|' | sort -u | \
	while read -r folder target; do \
		( set -x; $(GO) test -run='^$$' -fuzz="^$$target\$$" -fuzztime=$(FUZZ_RUNS) "$$folder" </dev/null ); \
	done

.PHONY: example
example: ## Run the main example
	$(GO) run ./examples/webhooks

.PHONY: tidy
tidy: ## Fail when go.mod or go.sum is not tidy
	$(GO) mod tidy -diff

.PHONY: modules
modules: ## Build, vet and test the modules beside the root
	@find . -name go.mod -not -path ./go.mod -not -path './tools/*' -not -path '*/testdata/*' -not -path '*/.*/*' | sort | \
	while read -r file; do \
		dir=$$(dirname "$$file"); \
		( set -x; $(GO) -C "$$dir" build ./... && $(GO) -C "$$dir" vet ./... && $(GO) -C "$$dir" test ./... ) </dev/null; \
	done

.PHONY: specs
specs: ## Read the specs as pages, in their order
	$(TOOL) ginkgo -v --no-color ./spec

.PHONY: cover
cover: ## Coverage per function, of all packages together
	$(GO) test -coverpkg=./... -coverprofile=cover.out ./...
	$(GO) tool cover -func=cover.out | tail -n 40
