# Everything that is done with stacks; `make help` lists it.

SWIFT ?= swift
PREFIX ?= /usr/local
# What `make run` opens.
CATALOG ?= Resources/catalog.json
# Where the catalogs for `make test-data` are.
DATA ?= ../shared/data

PROGRAM := .build/release/stacks
# Fully static: the program starts without a dynamic loader, and runs where no Swift is installed. lld, because the
# default linker warns of every function of the C library that Foundation uses.
RELEASE := -c release -Xswiftc -static-executable -Xswiftc -use-ld=lld
OURS := Package.swift Sources Tests

.DEFAULT_GOAL := help
.PHONY: help run build test test-data lint format install uninstall clean \
	build-dependencies test-dependencies

help: ## List what make can do.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

run: build ## Build, and open the bundled catalog (another: make run CATALOG=FILE).
	@$(PROGRAM) '$(CATALOG)'

build: build-dependencies ## Build the release at .build/release/stacks.
	$(SWIFT) build $(RELEASE) --product stacks

test: build test-dependencies ## Run all tests that need nothing but this repository.
	$(SWIFT) test --skip DataTests

test-data: build test-dependencies ## Run the tests over the catalogs in DATA.
	@test -d '$(DATA)' || { echo 'make: there are no catalogs in $(DATA): set DATA to their directory' >&2; exit 1; }
	STACKS_DATA='$(abspath $(DATA))' $(SWIFT) test --filter DataTests

lint: build-dependencies ## Check the format, the imports, and that nothing warns.
	$(SWIFT) format lint --strict --recursive $(OURS)
	@! grep -rnE '^[a-z ]*import CNcurses' Sources Tests | grep -vE '^(Sources/NcursesTerminal|Tests/NcursesTerminalTests)/'
	STACKS_STRICT=1 $(SWIFT) build --build-tests --scratch-path .build-lint \
		--explicit-target-dependency-import-check error

format: ## Format the sources.
	$(SWIFT) format --in-place --recursive $(OURS)

install: build ## Install below PREFIX, /usr/local by default.
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/stacks
	install -D -m 644 Resources/catalog.json $(DESTDIR)$(PREFIX)/share/stacks/catalog.json

uninstall: ## Remove what install installed.
	rm -f $(DESTDIR)$(PREFIX)/bin/stacks
	rm -rf $(DESTDIR)$(PREFIX)/share/stacks

clean: ## Remove what was built.
	rm -rf .build .build-lint

# Installs the Debian packages that are missing: "file that shows it is there:package" each.
define install-missing
missing=; \
for need in $(1); do [ -e "$${need%%:*}" ] || command -v "$${need%%:*}" >/dev/null 2>&1 || missing="$$missing $${need##*:}"; done; \
if [ -n "$$missing" ]; then \
	echo "stacks needs the Debian packages$$missing: installing them with apt-get"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	$$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing; \
fi
endef

build-dependencies:
	@command -v $(SWIFT) >/dev/null || { echo 'make: swift is not installed: get it from https://swift.org/install' >&2; exit 1; }
	@$(call install-missing,/usr/include/ncursesw/ncurses.h:libncurses-dev git:git)

test-dependencies:
	@$(call install-missing,tmux:tmux bash:bash)
