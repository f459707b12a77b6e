// swift-tools-version: 6.2
import PackageDescription

// `make lint` sets STACKS_STRICT: warnings are errors for those who change stacks, not for those who only build it
// with a compiler that is newer than ours.
let isStrict = Context.environment["STACKS_STRICT"] != nil
// `make fuzz` sets STACKS_FUZZ: the sanitizer of addresses needs a dynamic loader.
let isFuzzed = Context.environment["STACKS_FUZZ"] != nil

// Without MemberImportVisibility: for tests that use `stat`, which the compiler counts as the C library's or as CSystem's,
// depending on the order in which it compiles the files.
let lenientSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
let settings = lenientSettings + [.enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
    name: "stacks",
    products: [
        .executable(name: "stacks", targets: ["stacks"]),
        .executable(name: "stacks-connect", targets: ["stacks-connect"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CBrotli", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .systemLibrary(
            name: "CMarkdown", providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CPCRE2", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSeccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CUchardet", providers: [.apt(["libuchardet-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CYAZ", providers: [.apt(["libyaz-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "CSystem"),
        .target(name: "CText", exclude: ["Generated/CollationTable.py", "Generated/FoldTable.py"]),
        // toml++ is all headers: libtomlplusplus-dev has them.
        .target(name: "CTOML"),

        // What knows no books.
        .target(name: "Threading", dependencies: ["CSystem"], swiftSettings: settings),
        .target(name: "Storage", dependencies: ["CSystem", "Threading"], swiftSettings: settings),
        .target(name: "JSON", dependencies: ["CText"], swiftSettings: settings),
        .target(name: "CSV", swiftSettings: settings),
        .target(name: "MARC", dependencies: ["JSON"], swiftSettings: settings),
        .target(
            name: "Text",
            dependencies: ["CPCRE2", "CText"],
            exclude: ["HTML/HTMLEntityTable.py", "Languages/LanguageTable.py"], swiftSettings: settings),
        .target(name: "Graphemes", dependencies: ["CSystem"], swiftSettings: settings),
        // For stacks-connect only, as its decoders are dynamic libraries.
        .target(
            name: "Pictures", dependencies: ["CChafa", "CGIF", "CPNG", "CTurboJPEG", "CWebP"], swiftSettings: settings),

        // Books: what one is, how many are found, where they come from, and what their reader adds to them.
        .target(name: "Books", dependencies: ["CText", "JSON", "Text"], swiftSettings: settings),
        .target(
            name: "Indexing",
            dependencies: ["Books", "CText", "Storage", "Text", "Threading"], swiftSettings: settings),
        .target(
            name: "Search", dependencies: ["Books", "CText", "Indexing", "Text", "Threading"], swiftSettings: settings),
        .target(
            name: "Catalog",
            dependencies: [
                "Books", "ConnectorProtocol", "CText", "Indexing", "JSON", "Search", "Storage", "Text", "Threading",
            ],
            resources: [.embedInCode("Profiles/BuiltIn")], swiftSettings: settings),
        .target(
            name: "Remote",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "CSystem", "Indexing", "JSON", "Search", "Storage",
                "Threading",
            ],
            swiftSettings: settings),
        .target(
            name: "Editing",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Indexing", "JSON", "Remote", "Storage", "Threading",
            ],
            swiftSettings: settings),
        .target(
            name: "Shelves",
            dependencies: ["Books", "CSystem", "Indexing", "JSON", "Storage", "Text", "Threading"],
            swiftSettings: settings),
        .target(
            name: "Library",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Editing", "Formats", "Graphemes", "Indexing", "JSON",
                "Remote",
                "Search",
                "Shelves",
                "Storage", "Text", "Threading",
            ],
            swiftSettings: settings),
        .target(
            name: "Formats", dependencies: ["Books", "CSV", "CText", "Graphemes", "JSON", "MARC", "Text"],
            resources: [.embedInCode("HTML/Page")], swiftSettings: settings),

        // The screen.
        .target(name: "TerminalUI", dependencies: ["CSystem", "Graphemes"], swiftSettings: settings),
        .target(
            name: "NcursesTerminal",
            dependencies: ["CNcurses", "CSystem", "Graphemes", "TerminalUI", "Threading"], swiftSettings: settings),
        .target(
            name: "Browser",
            dependencies: [
                "Books", "Catalog", "CMarkdown", "ConnectorProtocol", "Editing", "Formats", "Graphemes", "Indexing",
                "JSON", "Remote",
                "Library", "Search", "Shelves", "Storage", "TerminalUI", "Text", "Threading",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "stacks",
            dependencies: [
                "Books", "Browser", "Catalog", "ConnectorProtocol", "Editing", "CSV", "CSystem", "CTOML", "Formats",
                "Graphemes",
                "Indexing",
                "JSON", "Remote", "Library",
                "NcursesTerminal", "Search", "Shelves", "Storage", "TerminalUI", "Text", "Threading",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings,
            // The release starts without a dynamic loader, and runs on machines without Swift.
            linkerSettings: isFuzzed ? [] : [.unsafeFlags(["-static-executable"], .when(configuration: .release))]),

        // Sources other than local JSON files. `stacks` must never depend on Connectors.
        .target(name: "ConnectorProtocol", dependencies: ["JSON"], swiftSettings: settings),
        .target(
            name: "Connectors",
            dependencies: [
                "CBrotli", "CCurl", "CLibXML2", "ConnectorProtocol", "CSeccomp", "CSQLite", "CSV", "CSystem", "CText",
                "CUchardet", "CYAZ", "CZlib", "CZstd", "Books", "Indexing", "JSON", "MARC", "Search", "Pictures",
                "Text",
                "Threading", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .executableTarget(name: "stacks-connect", dependencies: ["Connectors"], swiftSettings: settings),

        // Support for tests.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "TerminalTesting",
            dependencies: ["Graphemes", "TerminalUI"], path: "Tests/TerminalTesting", swiftSettings: settings),
        .target(
            name: "CatalogTesting",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Editing", "CText", "Indexing", "JSON", "Remote", "Search",
                "Storage",
                "Text",
                "Threading",
                "TestSupport",
            ],
            path: "Tests/CatalogTesting", swiftSettings: settings),
        .target(
            name: "ConnectorTesting",
            dependencies: ["ConnectorProtocol", "Connectors", "JSON", "TestSupport"], path: "Tests/ConnectorTesting",
            swiftSettings: settings),
        // Takes the terminal and traps, in each way that Swift can.
        .executableTarget(
            name: "CrashProbe", dependencies: ["Graphemes", "NcursesTerminal", "TerminalUI"], path: "Tests/CrashProbe",
            swiftSettings: settings),
        // Shows random screens with pictures, for an emulator that compares them.
        .executableTarget(
            name: "PictureProbe", dependencies: ["Graphemes", "NcursesTerminal", "TerminalUI"],
            path: "Tests/PictureProbe", swiftSettings: settings),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Books", "Catalog", "CText", "Indexing", "JSON", "Search", "Storage", "Text", "Threading"],
            path: "Tests/Benchmarks",
            exclude: [
                "bench.py", "bulk.py", "cleaning.py", "clickhouse.py", "connect.py", "covers.py", "editing.py",
                "keys.py",
                "marks.py", "rows.c", "searches.py",
            ],
            swiftSettings: settings),
        // A library, as libFuzzer has a main() of its own: `make fuzz` links the two.
        .target(
            name: "Fuzzing",
            dependencies: [
                "stacks", "Books", "Browser", "Catalog", "CatalogTesting", "ConnectorProtocol", "Editing", "Connectors",
                "CSV",
                "CSystem", "CText", "Formats", "Graphemes", "Indexing", "JSON", "Remote", "Library", "NcursesTerminal",
                "Pictures",
                "Search",
                "Shelves",
                "Storage", "TerminalUI", "Text", "Threading",
            ],
            path: "Tests/Fuzzing", exclude: ["corpus"], swiftSettings: settings),

        .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "ThreadingTests", dependencies: ["Threading", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "StorageTests", dependencies: ["Storage"], swiftSettings: lenientSettings),
        .testTarget(
            name: "JSONTests",
            dependencies: ["CText", "JSON", "CatalogTesting", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "CSVTests", dependencies: ["CSV", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ConnectorProtocolTests", dependencies: ["ConnectorProtocol", "JSON"], swiftSettings: settings),
        .testTarget(
            name: "ConnectorsTests",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Connectors", "Indexing", "JSON", "Remote", "Search",
                "CatalogTesting",
                "ConnectorTesting", "TestSupport", "Threading", "stacks-connect",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TextTests",
            dependencies: ["CText", "Indexing", "Text", "CatalogTesting", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "PicturesTests", dependencies: ["Pictures"], exclude: ["Files"], swiftSettings: settings),
        .testTarget(name: "GraphemesTests", dependencies: ["Graphemes", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "BooksTests",
            dependencies: ["Books", "Catalog", "Indexing", "JSON", "Text", "CatalogTesting", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "IndexingTests",
            dependencies: [
                "Books", "Catalog", "CText", "Indexing", "JSON", "Search", "Storage", "Text", "Threading",
                "CatalogTesting", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SearchTests",
            dependencies: [
                "Books", "Catalog", "CText", "Indexing", "JSON", "Search", "Storage", "Text", "Threading",
                "CatalogTesting", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CatalogTests",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Editing", "CText", "Indexing", "JSON", "Search", "Storage",
                "Text",
                "Threading",
                "CatalogTesting", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RemoteTests",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Indexing", "JSON", "Remote", "Search", "Storage", "Threading",
                "CatalogTesting",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EditingTests",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Editing", "Indexing", "JSON", "Remote", "Storage",
                "CatalogTesting",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ShelvesTests",
            dependencies: [
                "Books", "Catalog", "Indexing", "JSON", "Shelves", "Storage", "Text", "Threading", "CatalogTesting",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LibraryTests",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Editing", "Formats", "Graphemes", "Indexing", "JSON",
                "Remote",
                "Library", "Search", "Shelves", "Storage", "Text", "Threading", "CatalogTesting", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FormatsTests",
            dependencies: [
                "Books", "Catalog", "ConnectorProtocol", "Formats", "Graphemes", "Indexing", "JSON", "Remote", "Text",
                "ConnectorTesting", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TerminalUITests",
            dependencies: ["Graphemes", "TerminalUI", "TerminalTesting", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "NcursesTerminalTests",
            dependencies: ["CNcurses", "Graphemes", "NcursesTerminal", "PictureProbe", "TerminalUI"],
            swiftSettings: settings),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "stacks", "Books", "Browser", "Catalog", "ConnectorProtocol", "Editing", "Formats", "Graphemes",
                "Indexing",
                "JSON", "Remote",
                "Library",
                "Search",
                "Shelves", "Storage", "TerminalUI", "Text", "Threading", "CatalogTesting", "TerminalTesting",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "stacksTests",
            dependencies: [
                "stacks", "Books", "Browser", "Catalog", "ConnectorProtocol", "Editing", "Formats", "Graphemes",
                "Indexing", "JSON",
                "Remote",
                "Library",
                "Search", "Shelves", "Storage", "TerminalUI", "Text", "Threading", "CatalogTesting", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests", dependencies: ["TestSupport"],
            exclude: ["Support/emulator.py", "Support/sources.py"], swiftSettings: settings),
        .testTarget(
            name: "DataTests",
            dependencies: [
                "stacks", "Books", "Browser", "Catalog", "ConnectorProtocol", "Editing", "CSystem", "CText", "Formats",
                "Graphemes",
                "Indexing", "JSON", "Remote",
                "Library", "Search", "Storage", "TerminalUI", "Text", "Threading", "CatalogTesting", "ConnectorTesting",
                "TestSupport",
            ],
            exclude: ["reference.py", "requirements.txt", "wild.py"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
