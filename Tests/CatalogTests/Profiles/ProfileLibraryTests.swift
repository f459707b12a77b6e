import Glibc
import TestSupport
import Testing

@testable import Books
@testable import Catalog

@Suite("Profiles: the library") struct ProfileLibraryTests {
    private let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private func library(_ files: (name: String, text: String)...) throws -> ProfileLibrary {
        for (name, text) in files { try temporary.write(text.utf8, to: name) }
        return ProfileLibrary(directory: temporary.path)
    }

    private static func text(_ name: String, catalogs: String = "[]", title: String = "t") -> String {
        #"{"name": "\#(name)", "fields": {"title": "\#(title)"}, "catalogs": \#(catalogs)}"#
    }

    @Test func withoutADirectoryOnlyBuiltInProfilesExist() {
        for directory in [nil, temporary.path + "/none"] {
            let library = ProfileLibrary(directory: directory)
            #expect(library.problems.isEmpty)
            #expect(library.names == Profile.builtInNames)
            #expect(library.profile(named: "opds")?.label == Profile.builtIn(named: "opds")?.label)
            #expect(library.profile(forCatalog: "/a/books.json") == nil)
        }
    }

    @Test func userProfilesReplaceBuiltInOnesOfTheSameName() throws {
        let library = try library(
            ("mine.json", Self.text("mine")), ("opds.json", Self.text("opds", title: "mine")),
            ("note.txt", "no profile"), (".hidden.json", "no profile"))
        #expect(library.names == Profile.builtInNames + ["mine"])
        #expect(library.problems.isEmpty)
        #expect(library.profile(named: "mine") != nil)
        #expect(library.profile(named: "opds")?.mapping.rules.map(\.key) == [.title])
        #expect(library.profile(named: "nobody") == nil)
    }

    @Test func theLastOfSeveralWithTheSameNameCounts() throws {
        let library = try library(("a.json", Self.text("x", title: "a")), ("b.json", Self.text("x", title: "b")))
        #expect(library.profile(named: "x")?.mapping.rules[.title]?.candidates.first?.path.description == "b")
        #expect(library.userProfiles.map(\.file) == [temporary.path + "/a.json", temporary.path + "/b.json"])
    }

    @Test(arguments: [
        ("/home/me/books.json", "exact"), ("/home/me/other.json", "directory"), ("/home/you/other.json", "any"),
        ("/home/you/books.json", "name"), ("/home/you/books.jsonl", nil), ("books.json", "name"),
    ])
    func theClosestPatternWins(path: String, name: String?) throws {
        let library = try library(
            ("1.json", Self.text("exact", catalogs: #"["/home/me/books.json"]"#)),
            ("2.json", Self.text("directory", catalogs: #"["/home/me/*"]"#)),
            ("3.json", Self.text("any", catalogs: #"["*.json"]"#)),
            ("4.json", Self.text("name", catalogs: #"["other", "books.json"]"#)),
            ("5.json", Self.text("none")))
        #expect(library.profile(forCatalog: path)?.name == name)
    }

    @Test func theLastOfTwoEqualPatternsWins() throws {
        let library = try library(
            ("a.json", Self.text("a", catalogs: #"["books.*"]"#)),
            ("b.json", Self.text("b", catalogs: #"["b*.json"]"#)),
            ("c.json", Self.text("c", catalogs: #"["*ooks.*"]"#)))
        #expect(library.profile(forCatalog: "/x/books.json")?.name == "b")
    }

    @Test func anInvalidProfileIsReportedAndSkipped() throws {
        let library = try library(
            ("bad.json", "{\"name\": \"bad\",\n \"fields\": {\n  \"titel\": \"t\"}}"), ("good.json", Self.text("good")),
            ("torn.json", "{"))
        #expect(library.names == Profile.builtInNames + ["good"])
        #expect(
            library.problems.map(\.sentence) == [
                #"\#(temporary.path)/bad.json, line 3, column 3: unknown field “titel”; expected “title”"#,
                "\(temporary.path)/torn.json, line 1, column 2: unexpected end of file",
            ])
    }

    @Test func aProfileThatOthersMayWriteIsReportedAndSkipped() throws {
        _ = try library(("a.json", Self.text("mine")), ("b.json", Self.text("theirs")))
        chmod(temporary.path + "/b.json", 0o666)
        let library = ProfileLibrary(directory: temporary.path)
        #expect(library.names == Profile.builtInNames + ["mine"])
        #expect(
            library.problems.map(\.sentence) == [
                "profile \(temporary.path)/b.json: other users may write to it (chmod go-w makes it yours)"
            ])
        // The user names this file.
        #expect(try ProfileLibrary.profile(inFile: temporary.path + "/b.json").name == "theirs")
    }

    @Test func unreadableProfilesAreReported() throws {
        let file = try temporary.write("".utf8, to: "file")
        #expect(ProfileLibrary(directory: file).problems.isEmpty)
        mkdir(temporary.path + "/directory.json", 0o700)
        let problems = ProfileLibrary(directory: temporary.path).problems.map(\.sentence)
        #expect(problems == ["profile \(temporary.path)/directory.json: is a directory"])
        #expect(throws: ProfileLibrary.Refusal.self) {
            try ProfileLibrary.profile(inFile: temporary.path + "/none.json")
        }
    }
}
