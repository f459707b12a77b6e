import Foundation
import Testing

/// `stacks profiles`, and catalogs that are read with a user's profile.
@Suite("stacks profiles") struct Profiles {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func stacks(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    /// Runs the wizard with these lines on standard input.
    private func wizard(_ arguments: String, answers: String) throws -> Sandbox.Result {
        let input = try sandbox.write(answers, to: "answers")
        return try sandbox.run(["/bin/sh", "-c", "'\(Programs.stacks)' profiles new \(arguments) < '\(input)'"])
    }

    private func profilePath(_ name: String) -> String { "\(sandbox.path)/config/stacks/profiles/\(name).json" }

    private static let books = """
        {"bestand": [{"werk": "Der Prozess", "von": "Franz Kafka", "umfang": "312 S."},
                     {"werk": "Die Verwandlung", "von": "Franz Kafka", "umfang": "80 S."}]}
        """

    // MARK: Listing

    @Test func allProfilesAreListed() throws {
        let profile = try sandbox.write(
            #"{"name": "csl", "label": "Mine", "fields": {"title": "t"}}"#, to: profilePath("csl"))
        let result = try stacks("profiles")
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        let lines = result.output.split(separator: "\n")
        let directory = Programs.packageRoot + "/Resources/profiles"
        let builtIn = try FileManager.default.contentsOfDirectory(atPath: directory)
        // The built-in profiles and the user's.
        #expect(lines.count == builtIn.count { $0.hasSuffix(".json") } + 1)
        #expect(lines.contains("native               Native                 built in"))
        #expect(lines.contains("csl                  CSL-JSON               built in, hidden by \(profile)"))
        #expect(lines.contains("csl                  Mine                   \(profile)"))
        #expect(try stacks("profiles", "list").output == result.output)
    }

    @Test func aProfileIsPrintedUnchanged() throws {
        let text = "{\n  \"name\": \"mine\",\n  \"fields\": {\"title\": \"t\"}\n}\n"
        let file = try sandbox.write(text, to: profilePath("a-file"))
        #expect(try stacks("profiles", "show", "mine").output == text)
        #expect(try stacks("profiles", "show", file).output == text)
        let native = try stacks("profiles", "show", "native").output
        #expect(native == sandbox.text(of: Programs.packageRoot + "/Resources/profiles/native.json"))
    }

    @Test func anUnknownNameIsAnErrorThatNamesTheNearest() throws {
        let catalog = try sandbox.writeCatalog(books: 1)
        for arguments in [
            ["profiles", "show", "opdz"], ["check", catalog, "--profile", "opdz"], [catalog, "--profile", "opdz"],
        ] {
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(result.ending == .exit(64))
            #expect(
                result.error == "stacks: no profile “opdz”. Did you mean “opds”? List all with: stacks profiles.\n")
            #expect(result.output.isEmpty)
        }
    }

    @Test func anInvalidProfileFileIsAnError() throws {
        let catalog = try sandbox.writeCatalog(books: 1)
        let result = try stacks(catalog, "--profile", "none/mine.json")
        #expect(result.ending == .exit(66))
        #expect(result.error == "stacks: none/mine.json: no such profile. Check the path.\n")
    }

    // MARK: Bad profiles

    @Test func anInvalidProfileIsReportedAndTheCatalogOpens() throws {
        let catalog = try sandbox.writeCatalog(books: 2)
        let bad = try sandbox.write(
            "{\"name\": \"bad\",\n \"fields\": {\n  \"titel\": \"t\"}}", to: profilePath("bad"))
        let sentence = "\(bad), line 3, column 3: unknown field “titel”; expected “title”"
        for arguments in [[catalog], ["check", catalog]] {
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(result.ending == .exit(0))
            #expect(result.error == "stacks: \(sentence); profile skipped.\n")
            #expect(result.output.contains(arguments.count == 1 ? "Book 002\tAuthor 002" : "valid, 2 books"))
        }
        for name in ["bad", bad] {
            let result = try stacks(catalog, "--profile", name)
            #expect(result.ending == .exit(0))
            #expect(result.error == "stacks: \(sentence); profile skipped.\n")
            #expect(result.output.contains("Book 002\tAuthor 002"))
        }
        #expect(try stacks("profiles").error == "stacks: \(sentence).\n")
    }

    @Test func aProfileWithoutRecordsIsSkippedUnlessNamed() throws {
        let catalog = try sandbox.write(#"{"books": [{"title": "A", "authors": ["B"]}]}"#, to: "books.json")
        try sandbox.write(
            #"{"name": "mine", "records": "data[*]", "fields": {"title": "t"}, "catalogs": ["books.json"]}"#,
            to: profilePath("mine"))
        for arguments in [[catalog], ["check", catalog]] {
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(result.ending == .exit(0))
            #expect(
                result.error
                    == "stacks: Your profile mine finds no books in this catalog; skipped it.\n"
            )
        }
        #expect(try stacks(catalog).output == "A\tB\n")
        let named = try stacks(catalog, "--profile", "mine")
        #expect(named.ending == .exit(65))
        #expect(named.error.contains("no books found with profile mine"))
    }

    @Test func anInvalidProfileIsReportedInTheBrowserToo() throws {
        let catalog = try sandbox.writeCatalog(books: 2)
        try sandbox.write("{\"name\":", to: profilePath("torn"))
        let terminal = try Tmux(in: sandbox, opening: catalog)
        // The message is also on standard error, before the screen appears.
        try terminal.wait(for: "both") { $0.shows("torn.json, line 1") && $0.shows("Book 001") }
    }

    // MARK: The wizard

    @Test func yesCreatesAProfileThatReadsTheCatalog() throws {
        let catalog = try sandbox.write(Self.books, to: "Meine Bücher.json")
        let result = try stacks("profiles", "new", catalog, "--yes")
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        #expect(result.output.contains("2 records at bestand[*]."))
        #expect(
            result.output.contains(
                "Saved as \(profilePath("meine-bücher")).\nstacks uses it for this catalog from now on.\n")
        )
        let list = try stacks(catalog)
        #expect(list.output == "Der Prozess\tFranz Kafka\nDie Verwandlung\tFranz Kafka\n")
        #expect(list.error.isEmpty)
        let check = try stacks("check", catalog)
        #expect(check.ending == .exit(0))
        #expect(check.output.contains("Profile: meine-bücher (chosen)\nRecords: bestand[*]\n"))
        #expect(check.output.contains("  Pages                     2  100 %"))
        // Also in the browser, and through a link to the catalog.
        symlink(catalog, sandbox.path + "/link.json")
        let terminal = try Tmux(in: sandbox, opening: sandbox.path + "/link.json")
        #expect(try terminal.wait(forPosition: "1/2").shows("Der Prozess"))
    }

    @Test func aProfileIsReplacedOnlyOnRequest() throws {
        let catalog = try sandbox.write(Self.books, to: "books.json")
        let old = "{\"name\": \"books\", \"fields\": {\"title\": \"old\"}}"
        try sandbox.write(old, to: profilePath("books"))
        let refused = try stacks("profiles", "new", catalog, "--yes")
        #expect(refused.ending == .exit(73))
        #expect(refused.error.contains("Choose another --name, or replace it with --force"))
        #expect(sandbox.text(of: profilePath("books")) == old)
        #expect(try stacks("profiles", "new", catalog, "--yes", "--name", "other").ending == .exit(0))
        #expect(sandbox.text(of: profilePath("other")).contains("\"name\": \"other\""))
        #expect(try stacks("profiles", "new", catalog, "--yes", "--force").ending == .exit(0))
        #expect(sandbox.text(of: profilePath("books")).contains("\"title\": \"werk\""))
    }

    @Test func answersChangeTheSuggestions() throws {
        let catalog = try sandbox.write(
            #"[{"title": "A", "by": "X Y", "kind": "paper"}, {"title": "B", "by": "Z W", "kind": "glue"}]"#,
            to: "b.json")
        // Title, no authors; the publisher is the tenth of twenty-two fields; the catalog's own field; finally a name.
        let answers = "\n-\n\n\n\n\n\n\n\nkind..\nkind\n" + String(repeating: "\n", count: 13) + "?\nlist\n\nmine\n"
        let result = try wizard("'\(catalog)'", answers: answers)
        #expect(result.ending == .exit(0))
        #expect(result.output.contains("“kind..” is not a path; expected a name at character 6."))
        #expect(result.output.contains("By               by text  (100 %)\n                 \"X Y\" · \"Z W\"\n"))
        #expect(result.output.contains("“?” is not a kind. Type one of those above."))
        #expect(
            sandbox.text(of: profilePath("mine")) == """
                {
                    "name": "mine",
                    "records": "[*]",
                    "fields": {
                        "title": "title",
                        "publisher": "kind"
                    },
                    "own": {
                        "own.by": {"path": "by", "kind": "list", "label": "By"}
                    },
                    "catalogs": ["\(catalog)"]
                }

                """)
    }

    @Test(arguments: ["q\n", "", "\n\n", "\n\nq\n"])
    func quittingTheWizardSavesNothing(answers: String) throws {
        let catalog = try sandbox.writeCatalog(books: 2)
        let result = try wizard("'\(catalog)'", answers: answers)
        #expect(result.ending == .exit(0))
        #expect(result.output.hasSuffix("Nothing saved.\n"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.path + "/config/stacks/profiles"))
    }

    @Test func theWizardWorksOnATerminal() throws {
        let catalog = try sandbox.write(Self.books, to: "books.json")
        try sandbox.write("{\"name\": \"books\", \"fields\": {\"title\": \"old\"}}", to: profilePath("books"))
        let terminal = try PseudoTerminal(
            columns: 100, rows: 60, running: [Programs.stacks, "profiles", "new", catalog],
            environment: sandbox.environment)
        try terminal.wait(for: "Title            werk  (100 %)")
        for field in ["Title", "Authors", "ISBN"] {
            try terminal.wait(for: field)
            terminal.type("\n")
        }
        terminal.type("?\n")
        try terminal.wait(for: "\"312 S.\"")
        terminal.type(String(repeating: "\n", count: 19))
        try terminal.wait(for: "Name of the profile [books]: ")
        terminal.type("\n")
        try terminal.wait(for: "already exists. Replace it? [y/N] ")
        terminal.type("y\n")
        try terminal.wait(for: "Saved as ")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(sandbox.text(of: profilePath("books")).contains("\"pageCount\": \"umfang\""))
    }

    @Test func theUsersRecordPathIsUsed() throws {
        let catalog = try sandbox.write(
            #"{"new": [{"title": "A", "author": "B C"}], "old": {"things": [{"x": "Of Mice and Men, a novel", "y": 187}]}}"#,
            to: "books.json")
        let result = try stacks("profiles", "new", catalog, "--yes", "--records", "old.things[*]")
        #expect(result.ending == .exit(0))
        #expect(sandbox.text(of: profilePath("books")).contains("\"records\": \"old.things[*]\""))
        #expect(try stacks(catalog).output.hasPrefix("Of Mice and Men, a novel\t"))
        let nothing = try stacks("profiles", "new", catalog, "--yes", "--records", "none[*]")
        #expect(nothing.ending == .exit(65))
        #expect(nothing.error.contains("no objects at none[*]"))
        #expect(try stacks("profiles", "new", catalog, "--yes", "--records", "a..b").ending == .exit(64))
    }

    @Test func anInvalidCatalogGetsNoProfile() throws {
        for (text, code) in [("", Int32(65)), ("42", 65), ("{oops", 65), ("[]", 65), (#"[{"n": 1}]"#, 65)] {
            let catalog = try sandbox.write(text, to: "x.json")
            #expect(try stacks("profiles", "new", catalog, "--yes").ending == .exit(code), "\(text)")
        }
        #expect(try stacks("profiles", "new", sandbox.path + "/none.json", "--yes").ending == .exit(66))
        #expect(try stacks("profiles", "new", "-").ending == .exit(64))
        #expect(!FileManager.default.fileExists(atPath: sandbox.path + "/config/stacks/profiles"))
    }

    @Test func standardInputGetsASelectableProfile() throws {
        let catalog = try sandbox.writeCatalog(books: 3)
        let command = "'\(try Programs.stacks)' profiles new - --yes --name piped < '\(catalog)'"
        let result = try sandbox.run(["/bin/sh", "-c", command])
        #expect(result.ending == .exit(0))
        #expect(result.output.hasSuffix("Use it with --profile piped.\n"))
        #expect(!sandbox.text(of: profilePath("piped")).contains("catalogs"))
    }

    @Test func helpDescribesEachCommand() throws {
        let help = try stacks("profiles", "--help").output
        for word in ["list", "show", "new", "XDG_CONFIG_HOME"] { #expect(help.contains(word)) }
        #expect(try stacks("help", "profiles", "new").output.contains("--force"))
        #expect(try stacks("--help").output.contains("\n  profiles  "))
        #expect(try stacks("help", "check").output.contains("Exit status: 0"))
        #expect(try stacks("help", "browse").output.contains("--profile"))
    }
}
