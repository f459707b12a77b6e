# All tasks for stacks; `make help` lists them.

SWIFT ?= swift
PREFIX ?= /usr/local
# The catalog that `make run` opens.
CATALOG ?= Resources/catalog.json
# The directory of the catalogs for `make test-data`.
DATA ?= ../shared/data
# The directory of gen_catalog.py and ttybench.py for `make bench`, and the directory for the catalogs that it makes.
TOOLS ?= ../shared/tools
BENCH ?= /tmp/stacks-bench
# The catalogs that `make bench` measures, and the number of runs.
BENCH_SIZES ?= 11 100k 1m 10m
BENCH_RUNS ?= 5
# The duration of `make fuzz` in seconds.
FUZZ_SECONDS ?= 600
# The fuzz targets, run one after another.
FUZZ_TARGETS ?= values catalog preferences text field path profile record query pattern snapshot journal config import \
	keys index edits connect replies schema picture
# The number of keys that `make soak` types.
SOAK_KEYS ?= 1000000
# The number of moves that `make test-pictures-moves` makes in each terminal.
MOVES ?= 10000
# The checks that `make reliability` runs; by default all.
CHECKS ?=
# A file with the output of `make reliability`, whose figures `make guide` writes.
FIGURES ?=
# The sanitizers that `make sanitize` runs.
SANITIZERS ?= thread address

PROGRAM := .build/release/stacks
# The program that reads what is not a local JSON file; stacks looks for it beside itself.
CONNECTOR := .build/release/stacks-connect
# Both programs, from the same objects. Swift's libraries are linked into them; Package.swift makes stacks fully static,
# while the C libraries of stacks-connect stay dynamic, so that the system keeps them up to date. Uses lld, because the
# default linker warns about every function of the C library that FoundationEssentials uses. Without a build id, which is
# a hash of the symbols, too: their paths would make other programs of the same sources in another directory.
RELEASE := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --build-id=none
# The build for tests, in which a warning or an undeclared dependency is an error: `make lint` and all tests share it.
# STRICT= builds it with a compiler that warns about more.
STRICT ?= 1
DEBUG := $(if $(STRICT),STACKS_STRICT=1) $(SWIFT) build --explicit-target-dependency-import-check $(if $(STRICT),error,warn)
# The tests that DEBUG has built. They run without "swift test", which runs one process at a time.
TESTS := .build/debug/stacksPackageTests.xctest
OURS := Package.swift Sources Tests

.DEFAULT_GOAL := help
.PHONY: help run build build-stacks build-connector build-tests connector-dependencies check test test-data test-clickhouse test-page test-pictures-xterm test-pictures-foot test-pictures-kitty \
	test-pictures-placeholders test-pictures-moves reference-readers bench bench-connect reliability reliability-short reliability-full reliability-proof soak fuzz \
	sanitize nightly lint format guide install uninstall deb deb-test dist dist-test archive-test dist-sources release \
	lint-workflows docs clean build-dependencies test-dependencies \
	bench-dependencies bench-connect-dependencies install-dependencies deb-dependencies reliability-dependencies

help: ## List all targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

run: build-stacks ## Build, and open the bundled catalog, or another: make run CATALOG=FILE.
	@$(PROGRAM) '$(CATALOG)'

build: build-stacks build-connector ## Build the release, both programs, in .build/release.

build-stacks: build-dependencies
	$(SWIFT) build $(RELEASE) --product stacks

build-connector: build-dependencies connector-dependencies
	$(SWIFT) build $(RELEASE) --product stacks-connect

build-tests: build-dependencies connector-dependencies
	$(DEBUG) --build-tests

# STACKS_QUICK leaves out the tests that take long or start servers.
check: build-tests ## Build, and run the unit tests, without a terminal, servers or the network: what one runs after an edit.
	STACKS_QUICK=1 $(TESTS) --testing-library swift-testing --skip 'EndToEndTests|DataTests'

test: build build-tests test-dependencies .build/servers/installed ## Run all tests that need only this repository.
	@python3 Tests/run.py test $(TESTS)

test-data: build build-tests test-dependencies reference-readers ## Run the tests on the catalogs in DATA.
	@test -d '$(DATA)' || { echo 'make: no catalogs in $(DATA). Set DATA to their directory' >&2; exit 1; }
	@STACKS_DATA="$$(realpath -- '$(DATA)')" python3 Tests/run.py test-data $(TESTS)

# The engine of ClickHouse that is current needs 900 MB, and has no cluster here; make test uses Debian's release.
test-clickhouse: build-tests test-dependencies .build/clickhouse/installed ## Run the tests of ClickHouse on its current release.
	STACKS_CLICKHOUSE="$$(realpath .build/clickhouse/bin)/python3" $(TESTS) --testing-library swift-testing --filter ClickHouse --skip 'EndToEndTests|DataTests'

.build/clickhouse/installed: Tests/Servers/clickhouse-requirements.txt
	@python3 -c 'import ensurepip' 2>/dev/null || { $(call install-missing,/usr/share/doc/python3-venv:python3-venv); }
	python3 -m venv .build/clickhouse
	.build/clickhouse/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# A browser needs 400 MB.
test-page: build test-dependencies ## Open the page of an export in a headless Chromium, and search, sort and print it.
	@$(call install-missing,chromium:chromium chromedriver:chromium-driver,--no-install-recommends)
	@/usr/bin/python3 Tests/Page/page.py $(PROGRAM)

# Each terminal on a display of its own, which nobody sees: X for xterm and kitty, Wayland for foot, with a module that
# cc builds. 10x20 is a font of xfonts-base.
PICTURES = /usr/bin/python3 Tests/Pictures
PICTURE_NEEDS := convert:imagemagick /usr/share/doc/libvterm0:libvterm0
test-pictures-xterm: build ## Show covers in xterm as sixel, and compare screenshots.
	@$(call install-missing,$(PICTURE_NEEDS) Xvfb:xvfb xterm:xterm \
		/usr/share/doc/xfonts-base:xfonts-base,--no-install-recommends)
	@$(PICTURES)/wire.py --self-test
	@$(PICTURES)/xterm.py --stacks $(PROGRAM)

test-pictures-foot: build ## Show covers in foot as sixel, and compare screenshots.
	@$(call install-missing,$(PICTURE_NEEDS) foot:foot weston:weston cc:gcc \
		/usr/share/doc/fonts-dejavu-core:fonts-dejavu-core,--no-install-recommends)
	@$(PICTURES)/wire.py --self-test
	@$(PICTURES)/foot.py --stacks $(PROGRAM)

test-pictures-kitty: build ## Show covers in kitty by its protocol, and compare screenshots.
	@$(call install-missing,$(PICTURE_NEEDS) Xvfb:xvfb kitty:kitty /usr/share/doc/libgl1-mesa-dri:libgl1-mesa-dri \
		/usr/share/doc/fonts-dejavu-core:fonts-dejavu-core,--no-install-recommends)
	@$(PICTURES)/wire.py --self-test
	@$(PICTURES)/kitty.py --stacks $(PROGRAM)

test-pictures-placeholders: build ## Show covers as kitty's placeholders, alone and through tmux, in an emulator of kitty.
	@$(call install-missing,convert:imagemagick /usr/share/doc/libvterm0:libvterm0 tmux:tmux,--no-install-recommends)
	@$(PICTURES)/wire.py --self-test
	@$(PICTURES)/placeholders.py --stacks $(PROGRAM)

# In half blocks, which need no display.
test-pictures-moves: build ## Make MOVES random moves among covers in libvterm and in tmux, and compare with fresh drawings.
	@$(call install-missing,convert:imagemagick tmux:tmux /usr/share/doc/libvterm0:libvterm0,--no-install-recommends)
	@$(PICTURES)/moves.py --prove --stacks $(PROGRAM)
	@$(PICTURES)/moves.py --moves $(MOVES) --stacks $(PROGRAM)

# The readers of other projects with which files are compared, in versions that stay. Debian's calibre needs 400 MB.
reference-readers: .build/reference/installed
	@$(call install-missing,calibredb:calibre,--no-install-recommends)

.build/reference/installed: Tests/DataTests/requirements.txt
	@python3 -c 'import ensurepip' 2>/dev/null || { $(call install-missing,/usr/share/doc/python3-venv:python3-venv); }
	python3 -m venv .build/reference
	.build/reference/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Servers for tests that Debian does not have, in versions that stay.
.build/servers/installed: Tests/Servers/requirements.txt
	@python3 -c 'import ensurepip' 2>/dev/null || { $(call install-missing,/usr/share/doc/python3-venv:python3-venv); }
	python3 -m venv .build/servers
	.build/servers/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Benchmarks needs internal declarations of Catalog, and therefore a separate build.
bench: build bench-dependencies bench-connect-dependencies ## Compare speed and memory with less, fzf, jq and VisiData; see BENCH_SIZES.
	@test -f '$(TOOLS)/gen_catalog.py' -a -f '$(TOOLS)/ttybench.py' || \
		{ echo 'make: gen_catalog.py and ttybench.py are not in $(TOOLS). Set TOOLS to their directory' >&2; exit 1; }
	$(SWIFT) build $(RELEASE) -Xswiftc -enable-testing --scratch-path .build-bench --product Benchmarks
	python3 Tests/Benchmarks/bench.py --tools '$(TOOLS)' --catalogs '$(BENCH)' --runs $(BENCH_RUNS) \
		--stacks $(PROGRAM) --benchmarks .build-bench/release/Benchmarks $(BENCH_SIZES)
	@mkdir -p '$(BENCH)/connect'
	python3 Tests/Benchmarks/clickhouse.py --tools '$(TOOLS)' --files '$(BENCH)/connect' --connector $(CONNECTOR)

bench-connect: build bench-connect-dependencies ## Compare stacks-connect with programs that read the same files.
	@test -f '$(TOOLS)/gen_catalog.py' -a -f '$(TOOLS)/connectors/gen.py' || \
		{ echo 'make: gen_catalog.py and connectors/gen.py are not in $(TOOLS). Set TOOLS to their directory' >&2; exit 1; }
	python3 Tests/Benchmarks/connect.py --tools '$(TOOLS)' --files '$(BENCH)/connect' --connector $(CONNECTOR)

# Debian's Python, because only it finds the modules of Debian packages like python3-fusepy.
RELIABILITY = /usr/bin/python3 Tests/Reliability/reliability.py --stacks $(PROGRAM) --data '$(DATA)'

reliability: build build-tests reliability-dependencies ## Check the promises of the guide in ten minutes, and print their table.
	@$(RELIABILITY) $(CHECKS)

reliability-short: build reliability-dependencies ## Run the short checks for every change, in minutes.
	@$(RELIABILITY) --short $(CHECKS)

reliability-full: build build-tests reliability-dependencies ## Run all checks with every system call, size and moment; takes hours.
	@$(RELIABILITY) --full $(CHECKS)

reliability-proof: build reliability-dependencies ## Break the program on purpose; every check must fail.
	@$(RELIABILITY) --prove $(CHECKS)

soak: build reliability-dependencies ## Type SOAK_KEYS random keys in one session.
	@SOAK_KEYS=$(SOAK_KEYS) $(RELIABILITY) soak

# The objects are linked separately, because libFuzzer has its own main().
FUZZ_BUILD := -c release --scratch-path .build-fuzz -Xswiftc -use-ld=lld -Xswiftc -enable-testing \
	-Xswiftc -assert-config -Xswiftc Debug -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer-no-link,address

# Leak detection is off, because global objects are never freed.
fuzz: build-dependencies connector-dependencies ## Fuzz everything that reads files for FUZZ_SECONDS; crashes are kept in .build-fuzz.
	@# The objects of deleted sources remain, and would be linked.
	@mkdir -p .build-fuzz; find Sources Tests -name '*.swift' | sort | cksum > .build-fuzz/sources-now; \
		cmp -s .build-fuzz/sources-now .build-fuzz/sources || rm -rf .build-fuzz/*/release .build-fuzz/release; \
		mv .build-fuzz/sources-now .build-fuzz/sources
	STACKS_FUZZ=1 $(SWIFT) build $(FUZZ_BUILD) --target Fuzzing
	swiftc -sanitize=fuzzer,address -parse-as-library -use-ld=lld -lstdc++ \
		$$(find .build-fuzz/release/*.build/ -name '*.o') -o .build-fuzz/fuzz
	@rm -f .build-fuzz/log-* .build-fuzz/crash-* .build-fuzz/timeout-* .build-fuzz/oom-*
	@seconds=$$(($(FUZZ_SECONDS) / $(words $(FUZZ_TARGETS)))); [ $$seconds -gt 0 ] || seconds=1; \
	for target in $(FUZZ_TARGETS); do \
		mkdir -p .build-fuzz/corpus/$$target; \
		FUZZ_TARGET=$$target ASAN_OPTIONS=quarantine_size_mb=8:detect_leaks=0 .build-fuzz/fuzz \
			-max_total_time=$$seconds -print_final_stats=1 -verbosity=0 -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
			-artifact_prefix=.build-fuzz/ .build-fuzz/corpus/$$target Tests/Fuzzing/corpus \
			> .build-fuzz/log-$$target 2>&1; \
		code=$$?; echo "fuzz: $$target:" \
			"$$(sed -n 's/^stat::number_of_executed_units: *//p' .build-fuzz/log-$$target) executions"; \
		[ $$code = 0 ] || { tail -60 .build-fuzz/log-$$target; failed=1; }; \
	done; \
	echo "fuzz: $$(cat .build-fuzz/log-* | sed -n 's/^stat::number_of_executed_units: *//p' | awk '{ sum += $$1 } END { print sum }') executions," \
		"$$(find .build-fuzz -maxdepth 1 '(' -name 'crash-*' -o -name 'timeout-*' -o -name 'oom-*' ')' | wc -l) crashes"; \
	[ -z "$$failed" ]

# Leak detection is off, because global objects are never freed.
sanitize: build-dependencies connector-dependencies test-dependencies .build/servers/installed ## Run the unit tests with ThreadSanitizer and AddressSanitizer.
	@for kind in $(SANITIZERS); do \
		$(SWIFT) build --build-tests --sanitize $$kind --scratch-path .build-$$kind || exit 1; \
		ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=0 $(SWIFT) test --skip-build --sanitize $$kind \
			--scratch-path .build-$$kind --skip EndToEndTests --skip DataTests > .build-$$kind/log 2>&1; \
		code=$$?; tail -1 .build-$$kind/log; \
		reports=$$(grep -cE '^(WARNING: ThreadSanitizer|==[0-9]+==ERROR: AddressSanitizer)' .build-$$kind/log); \
		echo "sanitize: $$kind: $$reports reports, in .build-$$kind/log"; \
		[ $$code = 0 ] && [ $$reports = 0 ] || exit 1; \
	done

nightly: sanitize reliability fuzz ## What takes too long for each change: sanitizers, the check of the promises, fuzzing.

lint: build-dependencies connector-dependencies ## Check the format, the imports, and that nothing warns.
	$(SWIFT) format lint --strict --recursive $(OURS)
	@! grep -rnE '^[a-z ]*import CNcurses' Sources Tests | grep -vE '^(Sources/NcursesTerminal|Tests/NcursesTerminalTests)/'
	@! grep -rnE '^[a-z ]*import CPCRE2' Sources Tests | grep -v '^Sources/Text/'
	@! grep -rnE '^[a-z ]*import CMarkdown' Sources Tests | grep -v '^Sources/Browser/Screens/Guide/MarkdownReader.swift:'
	@! grep -rnE '^[a-z ]*import CTOML' Sources Tests | grep -v '^Sources/stacks/Config/TOMLDocument.swift:'
	@! grep -rnE '^[a-z ]*import CLibXML2' Sources Tests | grep -v '^Sources/Connectors/XML/XMLPushParser.swift:'
	@! grep -rnE '^[a-z ]*import CYAZ' Sources Tests | grep -vE '^Sources/Connectors/(MARC/MARCConnector|LibraryServers/Z3950/(LibraryDiagnosticText|Z3950Connection)).swift:'
	@! grep -rnE '^[a-z ]*import CUchardet' Sources Tests | grep -v '^Sources/Connectors/Input/TextEncoding+Detection.swift:'
	@! grep -rnE '^[a-z ]*import CSeccomp' Sources Tests | grep -v '^Sources/Connectors/Confinement/SystemCallFilter.swift:'
	@! grep -rnE '^[a-z ]*import (CChafa|CGIF|CPNG|CTurboJPEG|CWebP)' Sources Tests | grep -v '^Sources/Pictures/'
	@! grep -rnE '^[a-z ]*import (CZlib|CZstd)' Sources Tests | grep -v '^Sources/Connectors/Input/Compression.swift:'
	@! grep -rnE '^[a-z ]*import (CBrotli|CCurl)' Sources Tests | grep -v '^Sources/Connectors/Network/'
	@! grep -rnE '^[a-z ]*import GRDB' Sources Tests | grep -vE '^(Sources/Connectors/Databases|Tests/ConnectorsTests)/'
	@! grep -rnE '^[a-z ]*import Connectors' Sources | grep -v '^Sources/stacks-connect/'
	@python3 .ci/check-messages.py
	$(DEBUG) --build-tests

format: ## Format the sources.
	$(SWIFT) format --in-place --recursive $(OURS)

# Passed in the environment, because blanks and quotation marks in a path would end a word of make or of the shell.
install uninstall: export PREFIX := $(PREFIX)
install uninstall: export DESTDIR := $(DESTDIR)

install: build install-dependencies ## Install under PREFIX; the default is /usr/local.
	@tree=$$(mktemp -d) && trap 'rm -rf "$$tree"' EXIT && \
		sh Resources/packaging/stage.sh "$$tree" $(PROGRAM) $(CONNECTOR) && \
		sh "$$tree/install.sh" "$$(realpath -ms -- "$$PREFIX")"

uninstall: ## Remove the installed files, and the directories that install created.
	@sh Resources/packaging/install.sh uninstall "$$(realpath -ms -- "$$PREFIX")"

guide: build-stacks ## Write the generated parts of the guide: keys, commands, settings, exit codes, promises.
	@/usr/bin/python3 Resources/guide/generate.py --stacks $(PROGRAM) $(if $(FIGURES),--figures '$(FIGURES)')

deb: build install-dependencies ## Make Debian packages in .build/debian.
	@sh Resources/packaging/deb.sh $(PROGRAM) $(CONNECTOR) .build/debian

deb-test: build install-dependencies deb-dependencies ## Test the packages in a minimal Debian; needs root.
	@packages=$$(sh Resources/packaging/deb.sh $(PROGRAM) $(CONNECTOR) .build/debian) && \
		sh Resources/packaging/deb-test.sh $$packages

# Builds anew in a directory whose path is always as long: the compiler writes the length of a file's path beside each
# withoutActuallyEscaping, and GRDB, which is checked out there, has one.
dist: build-dependencies connector-dependencies install-dependencies ## Make all files of a release in .build/dist: archive, packages, licences, checksums.
	@$(SWIFT) package resolve
	@scratch=$$(mktemp -d /tmp/stacks-dist-XXXXXX) && trap 'rm -rf "$$scratch"' EXIT && \
		for product in stacks stacks-connect; do \
			$(SWIFT) build $(RELEASE) --scratch-path "$$scratch" --product $$product || exit 1; \
		done && \
		sh Resources/packaging/dist.sh "$$scratch/release/stacks" "$$scratch/release/stacks-connect" .build/dist

# Installs what the builds in the clones need, so that they do not start to install it themselves.
dist-test: build-dependencies connector-dependencies install-dependencies ## Make the files of a release from two clones, and compare all bytes; takes 20 minutes.
	@sh Resources/packaging/dist-test.sh .build/dist

archive-test: deb-dependencies ## Test the archive in .build/dist in a minimal Debian, and with only BusyBox; needs root.
	@test -e .build/dist || { echo 'make: no files of a release. Make them with: make dist' >&2; exit 1; }
	@sh Resources/packaging/archive-test.sh .build/dist/stacks-*-linux-*.tar.gz

dist-sources: ## Add the sources that a release must offer to .build/dist; needs the network.
	@sh Resources/packaging/sources.sh .build/dist

release: ## Upload .build/dist as the draft of a release; the workflow of a tag does it.
	@$(call install-missing,gh:gh)
	@sh Resources/packaging/release.sh .build/dist

lint-workflows: .build/workflow-checks/installed ## Check the workflows and issue templates in .github.
	@.build/workflow-checks/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@.build/workflow-checks/bin/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
	@.build/workflow-checks/bin/zizmor --offline --no-progress .github

# The checkers of the workflows, in versions that stay.
.build/workflow-checks/installed: .github/workflows/requirements.txt
	@python3 -c 'import ensurepip' 2>/dev/null || { $(call install-missing,/usr/share/doc/python3-venv:python3-venv); }
	python3 -m venv .build/workflow-checks
	.build/workflow-checks/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

clean: ## Remove all build products.
	rm -rf .build .build-bench .build-fuzz .build-thread .build-address

LIBRARIES := Threading Storage JSON Text Graphemes Books Indexing Search Formats Catalog Remote Editing Shelves Library \
	TerminalUI NcursesTerminal Browser

# Ignores warnings of docc about undocumented parameters, because many functions are documented in one sentence.
docs: build-dependencies ## Make the documentation of the libraries in .build/docs; broken links are errors.
	$(DEBUG) --target Browser
	$(DEBUG) --target NcursesTerminal
	@rm -rf .build/docs && modules=.build/debug && \
	for library in $(LIBRARIES); do \
		symbols=.build/docs/symbols/$$library && mkdir -p "$$symbols" && \
		swift-symbolgraph-extract -module-name $$library -I $$modules/Modules \
			-Xcc -ISources/CSystem/include -Xcc -ISources/CText/include \
			-Xcc -fmodule-map-file=$$modules/CSystem.build/module.modulemap \
			-Xcc -fmodule-map-file=$$modules/CText.build/module.modulemap \
			-Xcc -fmodule-map-file=Sources/CPCRE2/module.modulemap \
			-Xcc -fmodule-map-file=Sources/CMarkdown/module.modulemap \
			-Xcc -fmodule-map-file=Sources/CNcurses/module.modulemap \
			-target $$($(SWIFT) -print-target-info | sed -n 's/.*"triple" *: *"\(.*\)".*/\1/p' | head -1) \
			-minimum-access-level public -output-dir "$$symbols" && \
		docc convert $$(find Sources/$$library -maxdepth 1 -name '*.docc') --additional-symbol-graph-dir "$$symbols" \
			--fallback-display-name $$library --fallback-bundle-identifier stacks.$$library \
			--output-path .build/docs/$$library.doccarchive > "$$symbols/log" 2>&1 || exit 1; \
		if grep -E 'warning:|error:' "$$symbols/log" | grep -v 'is missing documentation'; then exit 1; fi; \
	done
	@echo 'docs: .build/docs has an archive for each library. View it with "docc preview" or a web server'

# Installs missing Debian packages. Each argument is file:package; the package is missing if the file is. $(2): more options.
define install-missing
missing=; \
for need in $(1); do [ -e "$${need%%:*}" ] || command -v "$${need%%:*}" >/dev/null 2>&1 || missing="$$missing $${need##*:}"; done; \
if [ -n "$$missing" ]; then \
	echo "Installing the Debian packages that stacks needs:$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	$$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(2) $$missing; \
fi
endef

# Stops if a library is missing or older than the oldest version that is tested: Debian 12's. Each argument is
# name:version, the name as pkg-config knows it.
define require-libraries
for need in $(1); do \
	name=$${need%%:*}; least=$${need##*:}; \
	pkg-config --atleast-version=$$least $$name || { \
		echo "make: $$name is $$(pkg-config --modversion $$name 2>/dev/null || echo missing). stacks needs $$least or newer, which Debian 12 has" >&2; \
		exit 1; \
	}; \
done
endef

build-dependencies:
	@command -v $(SWIFT) >/dev/null || { echo 'make: no swift found. Get it from https://swift.org/install' >&2; exit 1; }
	@$(call install-missing,/usr/include/ncursesw/ncurses.h:libncurses-dev /usr/include/pcre2.h:libpcre2-dev \
		/usr/include/xxhash.h:libxxhash-dev /usr/include/toml++/toml.h:libtomlplusplus-dev \
		/usr/include/cmark-gfm.h:libcmark-gfm-dev \
		/usr/include/cmark-gfm-core-extensions.h:libcmark-gfm-extensions-dev git:git pkg-config:pkg-config)
	@$(call require-libraries,ncursesw:6.4 libpcre2-8:10.42 libxxhash:0.8.1 tomlplusplus:3.3.0 \
		libcmark-gfm:0.29.0)

connector-dependencies:
	@$(call install-missing,/usr/include/sqlite3.h:libsqlite3-dev /usr/include/libxml2/libxml/parser.h:libxml2-dev \
		/usr/include/yaz/marcdisp.h:libyaz-dev /usr/include/brotli/decode.h:libbrotli-dev \
		curl-config:libcurl4-openssl-dev /usr/include/zlib.h:zlib1g-dev /usr/include/zstd.h:libzstd-dev \
		/usr/include/uchardet/uchardet.h:libuchardet-dev /usr/include/seccomp.h:libseccomp-dev \
		/usr/include/turbojpeg.h:libturbojpeg0-dev /usr/include/png.h:libpng-dev /usr/include/webp/decode.h:libwebp-dev \
		/usr/include/gif_lib.h:libgif-dev /usr/include/chafa/chafa.h:libchafa-dev end2xml:bibutils pkg-config:pkg-config)
	@$(call require-libraries,sqlite3:3.40.1 libxml-2.0:2.9.14 yaz:5.32.0 libbrotlidec:1.0.9 libcurl:7.88.1 \
		zlib:1.2.13 libzstd:1.5.4 uchardet:0.0.7 libseccomp:2.5.4 libturbojpeg:2.1.5 libpng:1.6.39 \
		libwebp:1.2.4 chafa:1.12.4)

bench-dependencies:
	@$(call install-missing,less:less fzf:fzf rg:ripgrep jq:jq vd:visidata python3:python3 cc:gcc \
		/usr/share/dict/american-english:wamerican /usr/share/doc/libvterm0:libvterm0 convert:imagemagick)

bench-connect-dependencies:
	@$(call install-missing,python3:python3 cc:gcc sqlite3:sqlite3 yaz-marcdump:yaz xmllint:libxml2-utils \
		/usr/sbin/clickhouse-server:clickhouse-server)

install-dependencies:
	@$(call install-missing,/usr/bin/python3:python3 strip:binutils gzip:gzip)

deb-dependencies:
	@$(call install-missing,lintian:lintian /usr/sbin/debootstrap:debootstrap /usr/share/doc/busybox-static:busybox-static)

test-dependencies:
	@$(call install-missing,tmux:tmux strace:strace faketime:faketime bash:bash /usr/share/terminfo/x/xterm-direct:ncurses-term \
		/usr/bin/python3:python3 /usr/share/doc/libvterm0:libvterm0 bibtool:bibtool yaz-marcdump:yaz \
		/usr/lib/python3/dist-packages/bibtexparser:python3-bibtexparser strip:binutils jq:jq mandoc:mandoc man:man-db \
		/usr/sbin/nginx:nginx-light /usr/sbin/clickhouse-server:clickhouse-server \
		zebrasrv:idzebra-2.0 sqlite3:sqlite3 zsh:zsh fish:fish desktop-file-validate:desktop-file-utils less:less patch:patch)

reliability-dependencies: test-dependencies
	@$(call install-missing,/usr/lib/python3/dist-packages/fusepy.py:python3-fusepy \
		/usr/sbin/mkfs.ext4:e2fsprogs setpriv:util-linux mount:mount ip:iproute2)
