import Catalog
import FileTesting
import Foundation
import Storage
import Testing

@testable import Shelves

struct FavouritesTests {
    private let directory: TemporaryDirectory
    private let emma = Book.make(title: "Emma")
    private let persuasion = Book.make(title: "Persuasion")

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var journal: String { directory.path + "/history.jsonl" }

    private func lines() throws -> [[String: Any]] {
        try Data(contentsOf: URL(filePath: journal)).split(separator: UInt8(ascii: "\n")).map {
            try #require(JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
        }
    }

    private func loaded() throws -> Favourites {
        let favourites = Favourites(directory: directory.path)
        try favourites.load()
        return favourites
    }

    @Test func atFirstThereAreNone() throws {
        let favourites = try loaded()
        #expect(favourites.isEmpty)
        #expect(favourites.isSaved)
        #expect(!favourites.contains(emma.identity))
        #expect(favourites.identities == [])
    }

    @Test func aBookIsMadeAFavouriteAndNoLongerOne() throws {
        let favourites = try loaded()
        try favourites.set(true, emma, identity: emma.identity)
        #expect(favourites.contains(emma.identity))
        #expect(favourites.contains(emma.identity.key))
        #expect(!favourites.contains(persuasion.identity))
        #expect(favourites.identities == [emma.identity])
        try favourites.set(false, emma, identity: emma.identity)
        #expect(!favourites.contains(emma.identity))
        #expect(favourites.isEmpty)
    }

    @Test func theyAreReadFromTheDiskByAnother() throws {
        let first = try loaded()
        try first.set(true, emma, identity: emma.identity)
        try first.set(true, persuasion, identity: persuasion.identity)
        try first.set(false, emma, identity: emma.identity)
        let second = try loaded()
        #expect(second.identities == [persuasion.identity])
    }

    @Test func theDirectoryIsMadeWithTheFirst() throws {
        let path = directory.path + "/data/stacks"
        try Favourites(directory: path).set(true, emma, identity: emma.identity)
        let second = Favourites(directory: path)
        try second.load()
        #expect(second.contains(emma.identity))
    }

    @Test func whatTwoWriteIsMerged() throws {
        let first = try loaded()
        let second = try loaded()
        try first.set(true, emma, identity: emma.identity)
        try second.set(true, persuasion, identity: persuasion.identity)
        // The second saw the first's change when it wrote.
        #expect(second.contains(emma.identity))
        #expect(!first.contains(persuasion.identity))
        try first.load()
        #expect(first.contains(persuasion.identity))
        #expect(try loaded().identities.count == 2)
    }

    @Test func ofTwoChangesToOneBookTheLaterCounts() throws {
        let first = try loaded()
        let second = try loaded()
        try first.set(true, emma, identity: emma.identity)
        try second.set(false, emma, identity: emma.identity)
        try first.load()
        #expect(!first.contains(emma.identity))
        #expect(!second.contains(emma.identity))
        #expect(try loaded().isEmpty)
    }

    @Test func sequenceNumbersAscendWhoeverWrites() throws {
        let first = try loaded()
        let second = try loaded()
        try first.set(true, emma, identity: emma.identity)
        try second.set(true, persuasion, identity: persuasion.identity)
        try second.set(false, emma, identity: emma.identity)
        try first.set(false, persuasion, identity: persuasion.identity)
        try loaded().set(true, emma, identity: emma.identity)
        #expect(try lines().map { $0["seq"] as? Int } == [1, 2, 3, 4, 5])
    }

    @Test func aLineSaysWhatTheBookIsCalled() throws {
        let book = Book.make(title: "Good Omens", authors: ["Terry Pratchett", "Neil Gaiman"], isbn: "0441478123")
        try loaded().set(true, book, identity: book.identity)
        let line = try #require(try lines().first)
        #expect(line["title"] as? String == "Good Omens")
        #expect(line["authors"] as? [String] == ["Terry Pratchett", "Neil Gaiman"])
        #expect(line["book"] as? String == "isbn:9780441478125")
    }

    @Test func aTornLastLineIsPassedOverAndSpoilsNoOther() throws {
        try loaded().set(true, emma, identity: emma.identity)
        var bytes = try Data(contentsOf: URL(filePath: journal))
        bytes += Data(#"{"at":"2026-01-31T12:00:00Z","authors":["Jane Aus"#.utf8)
        try bytes.write(to: URL(filePath: journal))
        let second = try loaded()
        #expect(second.identities == [emma.identity])
        try second.set(true, persuasion, identity: persuasion.identity)
        #expect(Set(try loaded().identities) == [emma.identity, persuasion.identity])
    }

    @Test func aLineOfALaterVersionIsPassedOver() throws {
        _ = try directory.write(
            (#"{"seq":4,"change":"unheard","value":true,"book":"isbn:9780441478125"}"# + "\nrubbish\n"
                + #"{"seq":5,"change":"favourite","value":true,"book":"src:12"}"# + "\n"
                + #"{"seq":6,"change":"favourite","value":true,"book":"isbn:9780441478125"}"# + "\n").utf8,
            to: "history.jsonl")
        #expect(try loaded().identities.map(\.description) == ["isbn:9780441478125"])
    }

    @Test func whatCannotBeSavedIsKeptAndSavedWithTheNext() throws {
        let path = directory.path + "/blocked"
        // A file stands where the directory should be.
        _ = try directory.write([], to: "blocked")
        let favourites = Favourites(directory: path)
        let error = #expect(throws: FileError.self) {
            try favourites.set(true, emma, identity: emma.identity)
        }
        #expect(error?.path.hasPrefix(path) == true)
        #expect(favourites.contains(emma.identity))

        try FileManager.default.removeItem(atPath: path)
        try favourites.set(true, persuasion, identity: persuasion.identity)
        let second = Favourites(directory: path)
        try second.load()
        #expect(Set(second.identities) == [emma.identity, persuasion.identity])
        let text = try String(contentsOfFile: path + "/history.jsonl", encoding: .utf8)
        #expect(text.contains(#""seq":1,"title":"Emma""#))
        #expect(text.contains(#""seq":2,"title":"Persuasion""#))
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test func aJournalThatCannotBeReadIsSaidToBe() throws {
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
        let favourites = Favourites(directory: directory.path)
        let error = #expect(throws: FileError.self) { try favourites.load() }
        #expect(error?.isDirectory == true)
    }

    @Test func withoutADirectoryTheyAreKeptInMemory() throws {
        let favourites = Favourites(directory: nil)
        try favourites.load()
        #expect(!favourites.isSaved)
        try favourites.set(true, emma, identity: emma.identity)
        #expect(favourites.contains(emma.identity))
        try favourites.set(false, emma, identity: emma.identity)
        #expect(!favourites.contains(emma.identity))
    }

    @Test func doublesAreKeptApart() throws {
        let favourites = try loaded()
        let second = BookIdentity(key: emma.identity.key, occurrence: 2)
        try favourites.set(true, emma, identity: second)
        #expect(favourites.contains(second))
        #expect(!favourites.contains(emma.identity))
        #expect(favourites.contains(emma.identity.key))
        try favourites.set(true, emma, identity: emma.identity)
        try favourites.set(false, emma, identity: second)
        #expect(try loaded().identities == [emma.identity])
    }

    @Test func settingTwiceIsSettingOnce() throws {
        let favourites = try loaded()
        try favourites.set(true, emma, identity: emma.identity)
        try favourites.set(true, emma, identity: emma.identity)
        #expect(favourites.identities == [emma.identity])
        try favourites.set(false, emma, identity: emma.identity)
        #expect(try loaded().isEmpty)
    }
}
