// swift-tools-version: 6.2
import PackageDescription

// `make lint` sets STACKS_STRICT: warnings are errors for those who change stacks, not for those who only build it
// with a compiler that is newer than ours.
let isStrict = Context.environment["STACKS_STRICT"] != nil

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
    products: [.executable(name: "stacks", targets: ["stacks"])],
    dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")],
    targets: [
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CPCRE2", providers: [.apt(["libpcre2-dev"])]),
        .target(name: "CSystem", exclude: ["CollationTable.py", "FoldTable.py"]),
        // toml++ is all headers: libtomlplusplus-dev has them.
        .target(name: "CTOML"),
        .target(name: "TerminalUI", dependencies: ["CSystem"], swiftSettings: settings),
        .target(
            name: "NcursesTerminal", dependencies: ["TerminalUI", "CNcurses", "CSystem"], swiftSettings: settings),
        .target(name: "Storage", dependencies: ["CSystem"], swiftSettings: settings),
        .target(
            name: "Catalog", dependencies: ["Storage", "CSystem", "CPCRE2"],
            exclude: ["Text/HTML/HTMLEntityTable.py", "Text/Languages/LanguageTable.py"],
            resources: [.embedInCode("Profiles/BuiltIn")],
            swiftSettings: settings),
        .target(name: "Shelves", dependencies: ["Storage", "Catalog"], swiftSettings: settings),
        .target(
            name: "Browser", dependencies: ["TerminalUI", "Catalog", "Shelves", "Storage"], swiftSettings: settings),
        .executableTarget(
            name: "stacks",
            dependencies: [
                "TerminalUI", "NcursesTerminal", "Storage", "Catalog", "Shelves", "Browser", "CTOML",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        .target(
            name: "TerminalTesting", dependencies: ["TerminalUI"], path: "Tests/TerminalTesting",
            swiftSettings: settings),
        .target(name: "FileTesting", path: "Tests/FileTesting", swiftSettings: settings),
        .target(name: "RandomTesting", path: "Tests/RandomTesting", swiftSettings: settings),
        .target(
            name: "CatalogTesting", dependencies: ["Catalog", "Storage", "RandomTesting"], path: "Tests/CatalogTesting",
            swiftSettings: settings),
        // Takes the terminal and traps, in each way that Swift can.
        .executableTarget(
            name: "CrashProbe", dependencies: ["NcursesTerminal", "TerminalUI"], path: "Tests/CrashProbe",
            swiftSettings: settings),
        .executableTarget(
            name: "Benchmarks", dependencies: ["Catalog", "Storage", "CSystem"], path: "Tests/Benchmarks",
            exclude: ["bench.py", "keys.py", "marks.py", "searches.py"], swiftSettings: settings),
        // A library, as libFuzzer has a main() of its own: `make fuzz` links the two.
        .target(
            name: "Fuzzing",
            dependencies: [
                "stacks", "Catalog", "Shelves", "Browser", "Storage", "CSystem", "NcursesTerminal", "TerminalUI",
            ],
            path: "Tests/Fuzzing", exclude: ["corpus"], swiftSettings: settings),
        .testTarget(
            name: "TerminalUITests", dependencies: ["TerminalUI", "TerminalTesting", "RandomTesting"],
            swiftSettings: settings),
        .testTarget(name: "StorageTests", dependencies: ["Storage"], swiftSettings: lenientSettings),
        .testTarget(
            name: "CatalogTests",
            dependencies: ["Catalog", "CSystem", "Storage", "CatalogTesting", "FileTesting", "RandomTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "ShelvesTests",
            dependencies: ["CatalogTesting", "Shelves", "Catalog", "Storage", "FileTesting", "RandomTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "Browser", "Catalog", "CatalogTesting", "Shelves", "Storage", "TerminalUI", "TerminalTesting",
                "RandomTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "NcursesTerminalTests", dependencies: ["NcursesTerminal", "TerminalUI", "CNcurses"],
            swiftSettings: settings),
        .testTarget(
            name: "stacksTests",
            dependencies: [
                "stacks", "Browser", "Catalog", "Storage", "TerminalUI", "FileTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests", dependencies: ["stacks", "CrashProbe", "Browser"],
            exclude: ["Support/emulator.py"], swiftSettings: settings),
        .testTarget(
            name: "DataTests",
            dependencies: ["Catalog", "Browser", "Storage", "TerminalUI", "CSystem", "CatalogTesting", "FileTesting"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
