import CatalogTesting
import Foundation
import Shelves
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import JSON
@testable import Library

/// A year of use: five thousand changes of user data on the books of Project Gutenberg, followed by a new edition of
/// the catalog. Part of `make test-data`; requires the variable STACKS_DATA.
@Suite("Data: a year of use")
struct ReadersYearDataTests {
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent("stacks-" + UUID().uuidString)
    private var catalog: String { home.path + "/gutenberg.ndjson" }

    /// A change of a book's user data.
    private enum Deed: CaseIterable, Hashable {
        case favourite, read, rating, shelf, note
    }

    private func lines(of file: String) throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["zcat", file]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }

    private func write(_ lines: [some StringProtocol]) throws {
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: catalog))
    }

    /// The library after a start of stacks, with the catalog fully read.
    private func open() throws -> Library {
        let store = JSONFileCatalog(path: catalog)
        try store.open()
        store.readRest()
        let shelves = UserData(directory: home.path + "/data")
        try? shelves.load()
        return Library(store: BookStore(source: store), userData: shelves, catalogPath: catalog)
    }

    @Test func userDataFollowsItsBooksToTheNextEditionAndMissingBooksStayListed() throws {
        let directory = try #require(environmentValue("STACKS_DATA"), "run make test-data")
        defer { try? FileManager.default.removeItem(at: home) }
        var dice = SplitMix(seed: 2026)
        let edition = try lines(of: directory + "/gutenberg/gutenberg.ndjson.gz")
        try #require(edition.count > 70_000)
        try write(edition)
        let first = try open()
        try #require(first.store.index.count == edition.count)

        // Only their order, which changes soon, distinguishes books with the same title and authors.
        var counts: [MatchKeys: Int] = [:]
        for index in 0..<first.store.index.count { counts[first.store.index.keys(of: BookID(index)), default: 0] += 1 }
        let unlike = (0..<first.store.index.count).filter { counts[first.store.index.keys(of: BookID($0))] == 1 }
        let marked = Array(unlike.shuffled(using: &dice).prefix(5000))
        try #require(marked.count == 5000)

        let shelf = try first.userData.makeShelf(named: "Lent")
        var deeds: [String: Set<Deed>] = [:]
        for (number, start) in stride(from: 0, to: marked.count, by: 20).enumerated() {
            let books = marked[start..<min(start + 20, marked.count)].map { BookID($0) }
            let several = number % 10 == 0 ? Deed.allCases : [Deed.allCases[number % 5]]
            for deed in several {
                switch deed {
                case .favourite: try first.apply(.favourite(true), to: books)
                case .read: try first.apply(.status(.read), to: books)
                case .rating: try first.apply(.rating(4), to: books)
                case .shelf: try first.apply(.shelf(shelf.id, true), to: books)
                case .note: try first.apply(.note("Step \(number)"), to: books)
                }
            }
            for book in books { deeds[try identifier(of: edition[book.index])] = Set(several) }
        }
        // Some changes are undone and redone.
        try first.userData.undo()
        try first.userData.redo()
        try first.userData.saveSnapshot()

        // One book in ten is removed, as many are added, and all are reordered.
        var next = edition.shuffled(using: &dice)
        let gone = Set(try next.prefix(next.count / 10).map(identifier(of:)))
        next.removeFirst(next.count / 10)
        let new = (0..<next.count / 9).map {
            Substring(#"{"id": \#(900_000 + $0), "title": "New Book \#($0)", "authors": [{"name": "Newcomer, A."}]}"#)
        }
        try write((next + new).shuffled(using: &dice))
        let second = try open()
        try #require(second.store.index.count == next.count + new.count)

        // The data is on the right books, and on no others.
        var found = 0
        for index in 0..<second.store.index.count {
            let bookData = second.userData(of: BookID(index))
            let record = try #require(second.store.recordBacked?.record(BookID(index)))
            let expected = deeds["\(record["id"]?.integer ?? -1)"]
            guard let bookData else {
                #expect(expected == nil, "\(record)")
                continue
            }
            var has: Set<Deed> = []
            if bookData.isFavourite { has.insert(.favourite) }
            if bookData.status == .read { has.insert(.read) }
            if bookData.rating == 4 { has.insert(.rating) }
            if bookData.shelves.contains(shelf.id) { has.insert(.shelf) }
            if bookData.note != nil { has.insert(.note) }
            #expect(has == expected, "\(record)")
            found += 1
        }
        let missing = deeds.keys.filter(gone.contains).count
        #expect(found == 5000 - missing)
        #expect((400...600).contains(missing))

        // Books that are missing from the catalog are still listed and counted.
        for (list, deed): (NamedList, Deed) in [
            (.favourites, .favourite), (.status(.read), .read),
            (try #require(second.list(named: "Lent")), .shelf),
        ] {
            let all = deeds.filter { $0.value.contains(deed) }
            #expect(second.count(of: list)?.total == all.count)
            #expect(second.missingUserData(in: list).count == all.keys.count(where: gone.contains))
        }

        // With the old edition, all data is on its books again.
        try write(edition)
        let third = try open()
        #expect((0..<third.store.index.count).count { third.userData(of: BookID($0)) != nil } == 5000)
        #expect(third.missingUserData(in: .favourites).isEmpty)
    }

    /// Returns the catalog's number for a book, which stacks does not use as its identity.
    private func identifier(of line: Substring) throws -> String {
        try String(#require(line.firstMatch(of: /"id": (\d+)/)).1)
    }
}
