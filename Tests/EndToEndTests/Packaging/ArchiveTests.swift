import Foundation
import Testing

/// The archive that `make dist` makes for those without a checkout.
@Suite("Archive") struct Archive {
    let sandbox: Sandbox
    /// The unpacked archive.
    let tree: String

    init() throws {
        sandbox = try Sandbox()
        let archive = try Self.archive.get()
        let unpacked = try sandbox.run(["/bin/tar", "-xzf", archive, "-C", sandbox.path])
        #expect(unpacked.ending == .exit(0), "\(unpacked.error)")
        tree = sandbox.path + "/" + (archive as NSString).lastPathComponent.replacing(".tar.gz", with: "")
    }

    /// The path of the archive, which is made once, because that takes seconds.
    private static let archive = Result {
        try make(in: Programs.packageRoot + "/.build/test-archive", of: Sandbox())
    }

    /// Makes the archive, with a program in place of stacks-connect that ends at once, as one does whose libraries are
    /// missing.
    private static func make(
        in directory: String, of sandbox: Sandbox, mask: String = "022", changing changes: [String: String?] = [:]
    ) throws -> String {
        let script = "umask \(mask); exec sh \"$@\""
        let result = try sandbox.run(
            [
                "/bin/sh", "-c", script, "sh", Programs.packageRoot + "/Resources/packaging/archive.sh",
                Programs.stacks, "/bin/false", directory,
            ], changing: changes, within: .seconds(120))
        // Compressing the programs takes seconds of a processor that other tests need, too.
        guard result.ending == .exit(0) else { throw Failure("archive.sh: \(result.error)") }
        return result.output.trimmingCharacters(in: .newlines)
    }

    private func files(in directory: String) -> Set<String> {
        Set(FileManager.default.enumerator(atPath: directory)?.allObjects as? [String] ?? [])
    }

    private func install(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([tree + "/install.sh"] + arguments)
    }

    @Test func itHasWhatAReaderNeedsAndRunsWithoutBeingInstalled() throws {
        let found = files(in: tree)
        let expected: Set = [
            "README", "LICENSE", "install.sh", "bin/stacks", "libexec/stacks/stacks-connect",
            "share/man/man1/stacks.1.gz", "share/man/man5/stacks-config.5.gz", "share/stacks/guide/index.md",
            "share/stacks/catalog.json", "share/stacks/targets.json", "share/applications/stacks.desktop",
            "share/bash-completion/completions/stacks", "share/zsh/site-functions/_stacks",
            "share/fish/vendor_completions.d/stacks.fish", "share/doc/stacks/README.md",
            "share/doc/stacks/CHANGELOG.md", "share/doc/stacks/copyright", "share/doc/stacks/stacks.spdx.json",
        ]
        #expect(found.isSuperset(of: expected), "\(expected.subtracting(found))")
        let version = try sandbox.run([Programs.stacks, "--version"]).output.prefix { $0 != "\n" }
        #expect((tree as NSString).lastPathComponent.hasPrefix("stacks-\(version)-linux-"))
        let readme = sandbox.text(of: tree + "/README")
        #expect(readme.hasPrefix("stacks \(version) for Linux"))
        #expect(readme.contains("\n    libc6: libc.so.6\n") && !readme.contains("@"))
        #expect(readme.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(try sandbox.run([tree + "/bin/stacks", "search", "ulysses"]).output == "Ulysses\tJames Joyce\n")
    }

    @Test func aHelperWithoutItsLibrariesIsReportedInOneSentence() throws {
        let table = try sandbox.write("Title,Author\nEmma,Jane Austen\n", to: "books.csv")
        let result = try sandbox.run([tree + "/bin/stacks", "search", "", table])
        #expect(result.ending == .exit(74))
        #expect(
            result.error == "stacks: cannot read \(table): stacks-connect cannot start. "
                + "Install the libraries that it needs; Questions in the guide lists them.\n")
        let version = try sandbox.run([tree + "/bin/stacks", "--version"]).output
        #expect(version.contains("\nstacks-connect cannot start. Install the libraries"))
        try FileManager.default.removeItem(atPath: tree + "/libexec")
        let missing = try sandbox.run([tree + "/bin/stacks", "search", "", table])
        #expect(missing.error == "stacks: \(table) is not JSON. To open it, install stacks-connect.\n")
    }

    @Test func itInstallsAndLeavesNothingBehind() throws {
        for name in ["a prefix", "a 'b' \"c\"/", "plain"] {
            let place = sandbox.path + "/" + name
            let installed = try install(place)
            #expect(installed.ending == .exit(0), "\(installed.error)")
            let ours = files(in: tree).filter { !["README", "LICENSE", "install.sh"].contains($0) }
            #expect(files(in: place) == ours.union(["share/stacks/installed"]))
            #expect(try sandbox.run([place + "/bin/stacks", "search", "ulysses"]).output == "Ulysses\tJames Joyce\n")
            #expect(try install(place).ending == .exit(0))
            let removed = try install("uninstall", place)
            #expect(removed.ending == .exit(0) && !FileManager.default.fileExists(atPath: place), "\(removed.error)")
        }
    }

    @Test func aRunningProgramIsReplaced() throws {
        let prefix = sandbox.path + "/prefix"
        _ = try install(prefix)
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, running: [prefix + "/bin/stacks"])
        try terminal.wait(forPosition: "1/11")
        let again = try install(prefix)
        #expect(again.ending == .exit(0), "\(again.error)")
        try terminal.type("q")
        _ = try terminal.waitForEnd()
    }

    /// Two archives of the same programs, made by users with other habits.
    @Test func theSameProgramsMakeTheSameBytes() throws {
        let first = try Self.archive.get()
        let second = try Self.make(
            in: sandbox.path + "/a second", of: sandbox, mask: "077",
            changing: ["TZ": "Pacific/Auckland", "LC_ALL": "C", "HOME": sandbox.path + "/other"])
        #expect(FileManager.default.contentsEqual(atPath: first, andPath: second))
    }

    @Test func itHasTheLicencesOfAllComponents() throws {
        let data = try Data(contentsOf: URL(filePath: tree + "/share/doc/stacks/stacks.spdx.json"))
        let document = try JSONDecoder().decode(Document.self, from: data)
        let licences = Dictionary(uniqueKeysWithValues: document.packages.map { ($0.name, $0.licenseDeclared) })
        let expected = [
            "stacks": "MIT", "stacks-connect": "MIT", "GRDB": "MIT", "ICU of Swift": "Unicode-3.0",
            "swift-argument-parser": "Apache-2.0 WITH Swift-exception", "GNU C library": "LGPL-2.1-or-later",
            "ncurses": "X11-distribute-modifications-variant", "bibutils": "GPL-2.0-only",
        ]
        for (name, licence) in expected { #expect(licences[name] == licence, "\(name)") }
        #expect(document.packages.allSatisfy { !$0.versionInfo.isEmpty })
        let links = document.relationships.filter { $0.relationshipType == "STATIC_LINK" }
        #expect(links.contains { $0.spdxElementId == "SPDXRef-stacks" && $0.relatedSpdxElement == "SPDXRef-tomlpp" })
        #expect(!links.contains { $0.spdxElementId == "SPDXRef-stacks" && $0.relatedSpdxElement == "SPDXRef-GRDB" })
        let text = sandbox.text(of: tree + "/share/doc/stacks/copyright")
        // The licence of stacks, PCRE2, ncurses, Unicode's data, GRDB, and the whole text of the C library's.
        for words in [
            "Copyright (c) 2026 the stacks authors", "University of Cambridge", "Thomas E. Dickey",
            "UNICODE LICENSE V3", "Gwendal Roué", "GNU LESSER GENERAL PUBLIC LICENSE", "source package glibc ",
        ] {
            #expect(text.contains(words), "no “\(words)”")
        }
    }
}

/// A part of an SPDX document.
private struct Document: Decodable {
    struct Package: Decodable {
        var name: String
        var versionInfo: String
        var licenseDeclared: String
    }

    struct Relationship: Decodable {
        var spdxElementId: String
        var relationshipType: String
        var relatedSpdxElement: String
    }

    var packages: [Package]
    var relationships: [Relationship]
}

/// The files that the archive is made from.
@Suite("Files of a release") struct ReleaseFiles {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let installer = Programs.packageRoot + "/Resources/packaging/install.sh"

    @Test(arguments: [
        ["--prefix=/opt"], ["-h", "/opt"], ["instal"], ["relative/path"], [""], ["uninstall", "/opt", "/usr"],
        ["remove", "/opt"],
    ])
    func argumentsThatItDoesNotKnowAreRefused(arguments: [String]) throws {
        let result = try sandbox.run(["/bin/sh", Self.installer] + arguments)
        #expect(result.ending == .exit(64) && result.output == "")
        #expect(result.error.hasPrefix("install.sh: ") && result.error.hasSuffix("[uninstall] [PREFIX]\n"))
    }

    @Test func itsHelpIsOneLine() throws {
        #expect(
            try sandbox.run(["/bin/sh", Self.installer, "--help"]).output == "Usage: install.sh [uninstall] [PREFIX]\n")
    }

    /// Every library of the guide's answer stands in the table of what stacks-connect needs.
    @Test func theGuideNamesTheLibrariesOfTheHelper() throws {
        let script = Programs.packageRoot + "/Resources/packaging/licences/licences.py"
        let needs = try sandbox.run(["/usr/bin/python3", script, "needs", "--connector", Programs.stacks + "-connect"])
        #expect(needs.ending == .exit(0), "\(needs.error)")
        let packages = needs.output.matches(of: #/(?m)^ +(\S+): /#).map { String($0.1) }
        #expect(packages.count > 8)
        let answer = sandbox.text(of: Programs.packageRoot + "/Resources/guide/faq.md")
        // The name of GLib has a dot, and the last name one behind it.
        let words = Set(
            answer.split(whereSeparator: \.isWhitespace).map { $0.hasSuffix(".") ? String($0.dropLast()) : String($0) })
        for package in packages { #expect(words.contains(package), "the guide lacks \(package)") }
    }

    /// What Package.swift links stands in the table that all lists of licences are made from.
    @Test func theTableHasEveryLibraryAndPackage() throws {
        let package = sandbox.text(of: Programs.packageRoot + "/Package.swift")
        let names =
            package.matches(of: /\.systemLibrary\(\s*name: "([^"]+)"/).map { String($0.1) }
            + package.matches(of: /url: "[^"]*\/([^"\/]+)"/).map { String($0.1) } + ["CTOML", "CText", "Text"]
        #expect(names.count > 10)
        let table = sandbox.text(of: Programs.packageRoot + "/Resources/packaging/licences/components.toml")
        let modules = table.matches(of: /(?m)^module = "(.+)"$/).map { String($0.1) }
        #expect(Set(modules) == Set(names))
    }

    /// The workflows use the compiler that `.swift-version` names.
    @Test func theWorkflowsHaveTheVersionOfSwift() throws {
        let version = sandbox.text(of: Programs.packageRoot + "/.swift-version").trimmingCharacters(in: .newlines)
        let directory = Programs.packageRoot + "/.github/workflows"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".yml") }
        #expect(names.count == 3)
        for name in names {
            let images = sandbox.text(of: directory + "/" + name).matches(of: /(?:image|container): (\S+)/)
            #expect(images.map { String($0.1) } == ["swift:\(version)-bookworm"], "\(name)")
        }
    }
}
