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
        try favourites.add(emma, identity: emma.identity)
        #expect(favourites.contains(emma.identity))
        #expect(favourites.contains(emma.identity.key))
        #expect(!favourites.contains(persuasion.identity))
        #expect(favourites.identities == [emma.identity])
        try favourites.remove(emma, identities: [emma.identity])
        #expect(!favourites.contains(emma.identity))
        #expect(favourites.isEmpty)
    }

    @Test func theyAreReadFromTheDiskByAnother() throws {
        let first = try loaded()
        try first.add(emma, identity: emma.identity)
        try first.add(persuasion, identity: persuasion.identity)
        try first.remove(emma, identities: [emma.identity])
        let second = try loaded()
        #expect(second.identities == [persuasion.identity])
    }

    @Test func theDirectoryIsMadeWithTheFirst() throws {
        let path = directory.path + "/data/stacks"
        try Favourites(directory: path).add(emma, identity: emma.identity)
        let second = Favourites(directory: path)
        try second.load()
        #expect(second.contains(emma.identity))
    }

    @Test func whatTwoWriteIsMerged() throws {
        let first = try loaded()
        let second = try loaded()
        try first.add(emma, identity: emma.identity)
        try second.add(persuasion, identity: persuasion.identity)
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
        try first.add(emma, identity: emma.identity)
        try second.remove(emma, identities: [emma.identity])
        try first.load()
        #expect(!first.contains(emma.identity))
        #expect(!second.contains(emma.identity))
        #expect(try loaded().isEmpty)
    }

    @Test func sequenceNumbersAscendWhoeverWrites() throws {
        let first = try loaded()
        let second = try loaded()
        try first.add(emma, identity: emma.identity)
        try second.add(persuasion, identity: persuasion.identity)
        try second.remove(emma, identities: [emma.identity])
        try first.remove(persuasion, identities: [persuasion.identity])
        try loaded().add(emma, identity: emma.identity)
        #expect(try lines().map { $0["seq"] as? Int } == [1, 2, 3, 4, 5])
    }

    @Test func aLineSaysWhatTheBookIsCalled() throws {
        let book = Book.make(title: "Good Omens", authors: ["Terry Pratchett", "Neil Gaiman"], isbn: "0441478123")
        try loaded().add(book, identity: book.identity)
        let line = try #require(try lines().first)
        #expect(line["title"] as? String == "Good Omens")
        #expect(line["authors"] as? [String] == ["Terry Pratchett", "Neil Gaiman"])
        #expect(line["book"] as? String == "isbn:9780441478125")
    }

    @Test func aTornLastLineIsPassedOverAndSpoilsNoOther() throws {
        try loaded().add(emma, identity: emma.identity)
        var bytes = try Data(contentsOf: URL(filePath: journal))
        bytes += Data(#"{"at":"2026-01-31T12:00:00Z","authors":["Jane Aus"#.utf8)
        try bytes.write(to: URL(filePath: journal))
        let second = try loaded()
        #expect(second.identities == [emma.identity])
        try second.add(persuasion, identity: persuasion.identity)
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
            try favourites.add(emma, identity: emma.identity)
        }
        #expect(error?.path.hasPrefix(path) == true)
        #expect(favourites.contains(emma.identity))

        try FileManager.default.removeItem(atPath: path)
        try favourites.add(persuasion, identity: persuasion.identity)
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
        try favourites.add(emma, identity: emma.identity)
        #expect(favourites.contains(emma.identity))
        try favourites.remove(emma, identities: [emma.identity])
        #expect(!favourites.contains(emma.identity))
    }

    @Test func doublesAreKeptApart() throws {
        let favourites = try loaded()
        let second = BookIdentity(key: emma.identity.key, occurrence: 2)
        try favourites.add(emma, identity: second)
        #expect(favourites.contains(second))
        #expect(!favourites.contains(emma.identity))
        #expect(favourites.contains(emma.identity.key))
        try favourites.add(emma, identity: emma.identity)
        try favourites.remove(emma, identities: [second])
        #expect(try loaded().identities == [emma.identity])
    }

    @Test func editionsThatTwoMarkAtOnceByOneNameAreKeptApart() throws {
        let mort = Book.make(title: "Mort", isbn: "0441478123")
        let sourcery = Book.make(title: "Sourcery", isbn: "0441478123")
        let first = try loaded()
        let second = try loaded()
        try first.add(mort, identity: mort.identity)
        try second.add(sourcery, identity: sourcery.identity)
        let both = [BookKeys(of: mort), BookKeys(of: sourcery)]
        #expect(Set(second.marks.values) == Set(both))
        let read = try loaded()
        #expect(Set(read.marks.values) == Set(both))
        // And what two do to one and the same book is one mark.
        try first.add(emma, identity: emma.identity)
        try second.add(emma, identity: emma.identity)
        #expect(try loaded().identities.count == 3)
    }

    @Test func aNameThatWasTakenMeanwhileIsTakenFromNobody() throws {
        let mort = Book.make(title: "Mort", isbn: "0441478123")
        let sourcery = Book.make(title: "Sourcery", isbn: "0441478123")
        let path = directory.path + "/blocked"
        _ = try directory.write([], to: "blocked")
        let first = Favourites(directory: path)
        #expect(throws: FileError.self) { try first.add(mort, identity: mort.identity) }
        #expect(throws: FileError.self) { try first.remove(mort, identities: [mort.identity]) }
        try FileManager.default.removeItem(atPath: path)
        let second = Favourites(directory: path)
        try second.add(sourcery, identity: sourcery.identity)
        try first.save()
        let third = Favourites(directory: path)
        try third.load()
        #expect(Array(third.marks.values) == [BookKeys(of: sourcery)])
    }

    @Test(arguments: [(1 << 53) - 1, 1 << 53, (1 << 53) + 1, Int.max, 1 << 52, -1, .min])
    func aDamagedSequenceNumberCostsNoChange(sequence: Int) throws {
        _ = try directory.write(
            (#"{"seq":\#(sequence),"change":"favourite","value":true,"book":"isbn:9780441478125"}"# + "\n").utf8,
            to: "history.jsonl")
        try loaded().add(emma, identity: emma.identity)
        try loaded().add(persuasion, identity: persuasion.identity)
        #expect(try loaded().identities.count == 3)
        #expect(try lines().dropFirst().map { $0["seq"] as? Int } == [1, 2])
    }

    @Test func settingTwiceIsSettingOnce() throws {
        let favourites = try loaded()
        try favourites.add(emma, identity: emma.identity)
        try favourites.add(emma, identity: emma.identity)
        #expect(favourites.identities == [emma.identity])
        try favourites.remove(emma, identities: [emma.identity])
        #expect(try loaded().isEmpty)
    }
}
