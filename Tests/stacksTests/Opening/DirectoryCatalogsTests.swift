import Foundation
import TestSupport
import Testing

@testable import stacks

@Suite("Directory given as a catalog: the message lists its catalogs") struct DirectoryCatalogsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a file with a modification time `days` days ago.
    private func write(_ text: String, to name: String, days: Int) throws {
        let path = directory.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        let date = Date(timeIntervalSinceNow: Double(-86_400 * days))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private static let books = #"[{"title": "Emma", "authors": ["Jane Austen"], "isbn": "9780141439587"}]"#

    @Test func theNewestCatalogComesFirstAndOtherFilesAreOmitted() throws {
        try write(Self.books, to: "middle.json", days: 2)
        try write(Self.books, to: "old.ndjson", days: 3)
        try write(Self.books, to: "new.JSON", days: 1)
        try write(Self.books, to: "books.txt", days: 0)
        try write(#"{"compilerOptions": {"strict": true}}"#, to: "tsconfig.json", days: 0)
        try write("", to: "empty.json", days: 0)
        try FileManager.default.createDirectory(atPath: directory.path + "/x.json", withIntermediateDirectories: false)
        let path = directory.path
        let found = DirectoryCatalogs(in: path)
        #expect(found.paths == ["\(path)/new.JSON", "\(path)/middle.json", "\(path)/old.ndjson"])
        #expect(!found.hasMore)
        #expect(DirectoryCatalogs(in: path + "/").paths == found.paths)
        #expect(
            found.sentence(ofDirectory: path)
                == "\(path) is a directory. Name one of its catalogs, newest first: \(path)/new.JSON, \(path)/middle.json, "
                + "\(path)/old.ndjson")
    }

    @Test("Its catalogs are offered, unless the directory is a catalog itself") func offered() throws {
        try write(Self.books, to: "old.json", days: 3)
        try write(Self.books, to: "new.json", days: 1)
        #expect(DirectoryCatalogs.offered(in: directory.path) == ["new", "old"].map { "\(directory.path)/\($0).json" })
        #expect(DirectoryCatalogs.offered(in: directory.path + "/new.json") == nil)
        #expect(DirectoryCatalogs.offered(in: directory.path + "/missing") == nil)
        try write("x", to: "metadata.db", days: 0)
        #expect(DirectoryCatalogs.offered(in: directory.path) == nil)
    }

    @Test func atMostTenAreListed() throws {
        for number in 1...12 { try write("", to: "\(number).json", days: number) }
        let found = DirectoryCatalogs(in: directory.path) { _ in true }
        #expect(found.paths == (1...10).map { "\(directory.path)/\($0).json" })
        #expect(found.hasMore)
        #expect(found.sentence(ofDirectory: "d").hasSuffix("/10.json, and older ones"))
    }

    @Test func aDirectoryWithoutCatalogsIsReported() {
        #expect(
            DirectoryCatalogs(in: directory.path).sentence(ofDirectory: "d")
                == "d is a directory without catalogs. Name a file with books")
    }

    @Test func otherFormatsAreListedIfTheyCanBeOpened() throws {
        for (days, name) in ["a.csv", "b.mrc", "c.db", "d.bib.gz", "e.xml", "f.txt"].enumerated() {
            try write("x", to: name, days: days)
        }
        let path = directory.path
        #expect(
            DirectoryCatalogs(in: path, hasConnector: true).paths
                == ["\(path)/a.csv", "\(path)/b.mrc", "\(path)/c.db", "\(path)/d.bib.gz"])
        #expect(DirectoryCatalogs(in: path, hasConnector: false).paths == [])
    }
}
