import Books
import Foundation
import Library
import Storage
import TestSupport
import Testing

@testable import stacks

@Suite("The sources in which books are looked up") struct LookupSourceTests {
    private let directory: TemporaryDirectory
    private let directories: Directories
    private static let emma = LookupQuery.isbn(ISBN("9780141439587"))

    init() throws {
        directory = try TemporaryDirectory()
        directories = Directories(
            state: directory.path + "/state", data: directory.path + "/data", cache: directory.path + "/cache",
            config: directory.path + "/config")
    }

    private static func record(_ title: String, _ isbn: String = "9780141439587", _ rest: String = "") -> String {
        #"{"title":"\#(title)","authors":["Jane Austen"],"isbn":"\#(isbn)"\#(rest)}"#
    }

    /// Writes a catalog, which the config names.
    private func catalog(_ name: String, _ text: String, in config: inout Config) throws {
        config.catalogNames.append(name)
        config.catalogs[name] = try directory.write(text.utf8, to: name + ".json")
    }

    private func all(in config: Config, named names: [String]? = nil, besides other: String? = nil) throws
        -> [LookupSource]
    {
        try LookupSource.all(named: names, besides: other, in: config, directories, isQuiet: true)
    }

    private func answer(of sources: [LookupSource], to query: LookupQuery = emma) -> LookupSession.Answer {
        let session = LookupSession(in: sources)
        defer { session.end() }
        return session.answer(to: session.add(query))
    }

    @Test("A book is found however its ISBN is spelled, without what holds in its catalog only") func spellings() throws
    {
        var config = Config()
        try catalog(
            "home",
            "[" + Self.record("Other", "9780393039764") + ","
                + Self.record("Emma", "0-14-143958-0", #","id":"mine-7","year":1815,"rating":4,"cover":"a.jpg""#) + "]",
            in: &config)
        let answer = answer(of: try all(in: config))
        #expect(answer.failures.isEmpty && answer.found.map(\.source) == ["home"])
        let book = try #require(answer.found.first?.book)
        #expect(book.title == "Emma" && book.authors == ["Jane Austen"])
        #expect(book.published == PartialDate(year: 1815))
        #expect(book.sourceID == nil && book.rating == nil && book.cover == nil)
        #expect(self.answer(of: try all(in: config), to: .isbn(ISBN("9780141439662"))).found.isEmpty)
    }

    @Test("What cannot be read is reported, and a pipe is not waited for") func failures() throws {
        var config = Config()
        try catalog("broken", "[{", in: &config)
        let pipe = directory.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for (name, path) in [("gone", directory.path + "/gone.json"), ("pipe", pipe)] {
            config.catalogNames.append(name)
            config.catalogs[name] = path
        }
        try catalog("home", "[" + Self.record("Emma") + "]", in: &config)
        let answer = answer(of: try all(in: config))
        #expect(answer.found.map(\.source) == ["home"])
        #expect(answer.failures.map(\.source) == ["broken", "gone", "pipe"])
        #expect(answer.failures.dropFirst().first?.failure.sentence.contains("gone.json") == true)
    }

    @Test("The open catalog and a second name of a file are no sources") func excluded() throws {
        var config = Config()
        try catalog("open", "[" + Self.record("Open") + "]", in: &config)
        try catalog("home", "[" + Self.record("Home") + "]", in: &config)
        let open = directory.path + "/open.json"
        #expect(try all(in: config, besides: open).map(\.name) == ["home"])
        config.catalogNames.append("same")
        config.catalogs["same"] = config.catalogs["home"]
        #expect(try all(in: config, besides: open).map(\.name) == ["home"])
        // It may be named.
        #expect(try all(in: config, named: ["open"], besides: open).map(\.name) == ["open"])
    }

    @Test("A catalog that has changed is read again") func changed() throws {
        var config = Config()
        try catalog("home", "[" + Self.record("Emma") + "]", in: &config)
        let session = LookupSession(in: try all(in: config))
        func titles() -> [String] { session.answer(to: session.add(Self.emma)).found.map(\.book.title) }
        #expect(titles() == ["Emma"])
        try directory.write(("[" + Self.record("Emma, mended") + "]").utf8, to: "home.json")
        #expect(titles() == ["Emma, mended"])
        try FileManager.default.removeItem(atPath: directory.path + "/home.json")
        #expect(titles() == [])
        // A file is tried again at once.
        try directory.write(("[" + Self.record("Back") + "]").utf8, to: "home.json")
        #expect(titles() == ["Back"])
    }

    @Test("Without names, a command searches catalogs of this machine, and those that the config file chooses")
    func ofCommands() throws {
        var config = Config()
        try catalog("home", "[]", in: &config)
        config.catalogNames.append("club")
        config.catalogs["club"] = "sru+https://books.example/db"
        #expect(try all(in: config).map(\.name) == ["home"])
        config.lookupSources = ["club", "dnb"]
        #expect(try all(in: config).map(\.name) == ["club", "dnb"])
        #expect(try all(in: config).map(\.isServer) == [true, true])
        config.lookupSources = []
        #expect(throws: CommandError.self) { try all(in: config) }
        config.lookupSources = ["nowhere"]
        #expect(throws: CommandError.self) { try all(in: config) }
    }

    @Test("The browser has the catalogs of the config file and library servers; the question names the servers")
    func ofBrowser() throws {
        var config = Config()
        try catalog("open", "[]", in: &config)
        try catalog("home", "[]", in: &config)
        config.catalogNames += ["club", "feed", "dnb"]
        config.catalogs["club"] = "z3950://books.example/db"
        // A catalog that is copied from a server sees nothing of a lookup, and has no copy here.
        config.catalogs["feed"] = "https://books.example/opds"
        config.catalogs["dnb"] = "sru+https://mirror.example/dnb"
        let sources = LookupSource.ofBrowser(besides: directory.path + "/open.json", in: config, directories)
        #expect(sources.prefix(3).map(\.name) == ["home", "club", "dnb"])
        #expect(sources.first { $0.name == "dnb" }?.path == "sru+https://mirror.example/dnb")
        #expect(sources.map(\.name).contains("loc") && !sources.map(\.name).contains("loc-z3950"))
        #expect(Set(sources.map(\.name)).count == sources.count)
        #expect(sources.allSatisfy { $0.isServer == ($0.name != "home") })
    }
}
