import Books
import Catalog
import Foundation
import Storage
import TestSupport
import Testing
import Threading

@testable import Library

@Suite("Looking up an ISBN in other catalogs") struct ISBNLookupTests {
    private let directory: TemporaryDirectory
    private static let emma = ISBN("978-0-14-143958-7")

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a catalog and returns it under its name in the config.
    private func catalog(_ name: String, _ text: String) throws -> ISBNLookup.NamedCatalog {
        ISBNLookup.NamedCatalog(name: name, path: try directory.write(text.utf8, to: name + ".json"))
    }

    private func lookup(
        in catalogs: [ISBNLookup.NamedCatalog], browsing path: String = "/browsed.json", cache: IndexCache? = nil,
        profiles: ProfileLibrary = ProfileLibrary(directory: nil)
    ) -> ISBNLookup {
        ISBNLookup(in: catalogs, browsing: path, cache: cache, profiles: profiles)
    }

    /// Waits for the end of a lookup and returns its results.
    private func results(of isbn: ISBN, in lookup: ISBNLookup) throws -> ISBNLookup.Results {
        let notices = Locked(0)
        lookup.lookUp(isbn) { notices.change { $0 += 1 } }
        return try ended(lookup, notices)
    }

    private func ended(_ lookup: ISBNLookup, _ notices: Locked<Int>) throws -> ISBNLookup.Results {
        var seen = 0
        var latest: ISBNLookup.Results?
        while latest?.isComplete != true {
            let isNotified = notices.wait(milliseconds: 10_000) { $0 > seen }
            try #require(isNotified)
            seen = notices.withLock { $0 }
            latest = lookup.take() ?? latest
        }
        #expect(lookup.take() == nil)
        return try #require(latest)
    }

    private static func record(_ title: String, _ isbn: String = "9780141439587", _ rest: String = "") -> String {
        #"{"title":"\#(title)","authors":["Jane Austen"],"isbn":"\#(isbn)"\#(rest)}"#
    }

    @Test func aBookIsFoundHoweverItsISBNIsSpelled() throws {
        let catalog = try catalog(
            "home",
            "[" + Self.record("Other", "9780393039764") + ","
                + Self.record("Emma", "0-14-143958-0", #","id":"mine-7","year":1815"#) + "]")
        let results = try results(of: Self.emma, in: lookup(in: [catalog]))
        #expect(results.isbn == Self.emma)
        #expect(results.problems.isEmpty)
        #expect(results.books.map(\.catalog) == ["home"])
        let book = try #require(results.books.first?.book)
        #expect(book.title == "Emma")
        #expect(book.authors == ["Jane Austen"])
        #expect(book.published == PartialDate(year: 1815))
        #expect(book.sourceID == nil)
    }

    @Test func anUnknownISBNIsNotFound() throws {
        let lookup = lookup(in: [try catalog("home", "[" + Self.record("Emma") + "]")])
        for isbn in [ISBN("9780393039764"), ISBN("123"), ISBN("")] {
            let results = try results(of: isbn, in: lookup)
            #expect(results.books.isEmpty && results.problems.isEmpty)
        }
        #expect(try results(of: Self.emma, in: self.lookup(in: [])).books.isEmpty)
    }

    @Test func aCatalogThatIsNotAJSONFileIsReadFromItsLastCopyByItsProfile() throws {
        let row = #"{"id":1,"title":"Emma","authors":"Jane Austen & A. Other","identifiers":{"isbn":"9780141439587"}}"#
        let copy = try directory.write((row + "\n").utf8, to: "data.jsonl")
        let catalog = ISBNLookup.NamedCatalog(name: "club", path: "https://books.example/")
        let lookup = ISBNLookup(
            in: [catalog], browsing: "/browsed.json", cache: nil, profiles: ProfileLibrary(directory: nil),
            copies: { $0 == "https://books.example/" ? (copy, "calibre") : nil })
        let results = try results(of: Self.emma, in: lookup)
        #expect(results.books.map(\.catalog) == ["club"])
        #expect(results.books.first?.book.authors == ["Jane Austen", "A. Other"])
    }

    @Test func booksComeInTheOrderOfTheConfigAndAtMostFive() throws {
        let catalogs = [
            try catalog("z", "[" + Self.record("1") + "," + Self.record("2") + "]"),
            try catalog("none", "[" + Self.record("-", "9780393039764") + "]"),
            try catalog("a", (3...9).map { Self.record(String($0)) + "\n" }.joined()),
            ISBNLookup.NamedCatalog(name: "unread", path: directory.path + "/missing.json"),
        ]
        let results = try results(of: Self.emma, in: lookup(in: catalogs))
        #expect(results.books.map(\.catalog) == ["z", "z", "a", "a", "a"])
        #expect(results.books.map(\.book.title) == ["1", "2", "3", "4", "5"])
        // Catalogs after the fifth book are not opened.
        #expect(results.problems.isEmpty)
    }

    @Test func unreadableCatalogsAreReported() throws {
        let pipe = directory.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let catalogs = [
            ISBNLookup.NamedCatalog(name: "gone", path: directory.path + "/gone.json"),
            try catalog("broken", "[{"),
            ISBNLookup.NamedCatalog(name: "pipe", path: pipe),
            try catalog("home", "[" + Self.record("Emma") + "]"),
        ]
        let results = try results(of: Self.emma, in: lookup(in: catalogs))
        #expect(results.books.map(\.catalog) == ["home"])
        #expect(results.problems.map(\.catalog) == ["gone", "broken", "pipe"])
        #expect(results.problems[0].sentence.contains("gone.json"))
    }

    @Test func theBrowsedCatalogAndASecondNameOfAFileAreLeftOut() throws {
        let browsed = try catalog("browsed", "[" + Self.record("Browsed") + "]")
        let home = try catalog("home", "[" + Self.record("Home") + "]")
        let link = directory.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "home.json")
        let catalogs = [browsed, home, ISBNLookup.NamedCatalog(name: "same", path: link)]
        let results = try results(of: Self.emma, in: lookup(in: catalogs, browsing: browsed.path))
        #expect(results.books.map(\.catalog) == ["home"])
    }

    @Test func aCatalogThatChangedIsReadAgain() throws {
        let home = try catalog("home", "[" + Self.record("Emma") + "]")
        let lookup = lookup(in: [home])
        #expect(try results(of: Self.emma, in: lookup).books.map(\.book.title) == ["Emma"])
        _ = try catalog("home", "[" + Self.record("Emma, mended") + "]")
        #expect(try results(of: Self.emma, in: lookup).books.map(\.book.title) == ["Emma, mended"])
        try FileManager.default.removeItem(atPath: home.path)
        let gone = try results(of: Self.emma, in: lookup)
        #expect(gone.books.isEmpty)
        #expect(gone.problems.map(\.catalog) == ["home"])
    }

    @Test func onlyTheLatestLookupHasResults() throws {
        // Large enough to take a while to read.
        let filler = (0..<20_000).map { Self.record("Filler \($0)", "") + "\n" }.joined()
        let home = try catalog("home", filler + Self.record("Emma") + "\n" + Self.record("Pride", "9780393039764"))
        let lookup = lookup(in: [home])
        let notices = Locked(0)
        lookup.lookUp(Self.emma) { notices.change { $0 += 1 } }
        lookup.lookUp(ISBN("9780393039764")) { notices.change { $0 += 1 } }
        let results = try ended(lookup, notices)
        #expect(results.isbn == ISBN("9780393039764"))
        #expect(results.books.map(\.book.title) == ["Pride"])
        lookup.lookUp(Self.emma) {}
        lookup.cancel()
        #expect(lookup.take() == nil)
    }

    @Test func theKeptIndexIsUsedAndKept() throws {
        let text = (0..<20_000).map { Self.record("Filler \($0)", "") + "\n" }.joined() + Self.record("Emma")
        let home = try catalog("home", text)
        let cachePath = directory.path + "/index"
        let cache = IndexCache(directory: cachePath)
        #expect(text.utf8.count >= IndexCache.minimumSize)
        #expect(try results(of: Self.emma, in: lookup(in: [home], cache: cache)).books.count == 1)
        // The index is stored in the background.
        var names: [String] = []
        for _ in 0..<500 where !names.contains(where: { $0.hasSuffix(".index") }) {
            names = (try? FileManager.default.subpathsOfDirectory(atPath: cachePath)) ?? []
            usleep(10_000)
        }
        #expect(names.contains { $0.hasSuffix(".index") })
        #expect(try results(of: Self.emma, in: lookup(in: [home], cache: cache)).books.map(\.book.title) == ["Emma"])
    }

    @Test func aUsersProfileReadsItsCatalog() throws {
        let home = try catalog("home", #"[{"titel":"X","t":"Emma","nr":"9780141439587"}]"#)
        let profile = #"""
            {"name":"mine","records":"[*]","fields":{"title":"t","isbn":"nr"},"catalogs":["home.json"]}
            """#
        try FileManager.default.createDirectory(
            atPath: directory.path + "/profiles", withIntermediateDirectories: true)
        try directory.write(profile.utf8, to: "profiles/mine.json")
        let profiles = ProfileLibrary(directory: directory.path + "/profiles")
        #expect(profiles.problems.isEmpty)
        let results = try results(of: Self.emma, in: lookup(in: [home], profiles: profiles))
        #expect(results.books.map(\.book.title) == ["Emma"])
    }
}
