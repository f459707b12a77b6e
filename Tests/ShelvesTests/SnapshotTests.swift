internal import CatalogTesting
import Foundation
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Shelves

@Suite("User data: the snapshot") struct SnapshotTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma", isbn: "0441478123")
    private let persuasion = Book.make(title: "Persuasion")

    init() throws { fixture = try ShelvesFixture() }

    /// Creates an instance with data of every kind.
    private func filled() throws -> UserData {
        let shelves = try fixture.loaded()
        try shelves.makeShelf(named: "Summer")
        try shelves.makeShelf(named: "Gone")
        try shelves.apply(.shelf("s1", true), to: emma, persuasion)
        try shelves.apply(.shelf("s2", true), to: emma)
        try shelves.deleteShelf("s2")
        try shelves.apply(.status(.read), to: emma)
        try shelves.apply(.note("a \"b\"\nc"), to: persuasion)
        try shelves.apply(.rating(3), to: persuasion)
        try shelves.saveQuery(named: "Q", text: "author:austen", sort: "year")
        return shelves
    }

    private func text() throws -> String {
        String(decoding: try fixture.bytes(of: fixture.snapshotPath), as: UTF8.self)
    }

    @Test func itReadsWellWithAMarkOnEachLine() throws {
        try filled().saveSnapshot()
        let lines = try text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "{" && lines[1].hasPrefix(#""checksum":""#))
        #expect(lines[2].hasPrefix(#""journal":{"date":"2026-11-21T09:30:00Z","head":""#))
        #expect(
            lines[3...] == [
                #""lastQuery":1,"#, #""lastShelf":2,"#, #""marks":["#,
                #"{"authors":["Jane Austen"],"book":"isbn:9780441478125","catalog":"/books.json","#
                    + #""hash":"hash:13a341db43c69d7f","isbn":"isbn:9780441478125","shelves":["s1","s2"],"#
                    + #""status":"read","statusDates":{"read":"2026-11-21"},"title":"Emma"},"#,
                #"{"authors":["Jane Austen"],"book":"\#(persuasion.identity)","catalog":"/books.json","#
                    + #""hash":"\#(persuasion.identity)","note":"a \"b\"\nc","rating":3,"shelves":["s1"],"#
                    + #""title":"Persuasion"}"#,
                "],", #""queries":["#, #"{"id":"q1","name":"Q","sort":"year","text":"author:austen"}"#, "],",
                #""shelves":["#, #"{"id":"s1","name":"Summer"}"#, "],", #""version":3"#, "}", "",
            ])
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text().utf8)) }
    }

    @Test func theStartIsTheSnapshotAndLaterLines() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        #expect(shelves.newLineCount == 0)
        try shelves.apply(.rating(5), to: emma)
        #expect(shelves.newLineCount == 1)
        let next = try fixture.loaded()
        #expect(next.state == shelves.state)
        #expect(next.newLineCount == 1)
        // Lines covered by the snapshot are not read again, so damage in them does not matter, except at their end.
        var bytes = try fixture.bytes(of: fixture.journalPath)
        for index in 100..<200 where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: "x") }
        try fixture.write(bytes, to: fixture.journalPath)
        #expect(try fixture.loaded().state == shelves.state)
        #expect(try fixture.loaded().unreadableLineCount == 0)
    }

    @Test func itIsWrittenOnlyWhereSomethingIsNew() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        let bytes = try fixture.bytes(of: fixture.snapshotPath)
        try FileManager.default.removeItem(atPath: fixture.snapshotPath)
        try shelves.saveSnapshot()
        #expect(fixture.names == ["history.jsonl"])
        try fixture.write(bytes, to: fixture.snapshotPath)
        try fixture.loaded().saveSnapshot()
        #expect(try fixture.bytes(of: fixture.snapshotPath) == bytes)
    }

    @Test func itIsMergedWithWhatOthersAppended() throws {
        let first = try filled()
        let second = try fixture.loaded()
        try second.apply(.rating(1), to: emma)
        try first.saveSnapshot()
        try FileManager.default.removeItem(atPath: fixture.journalPath)
        #expect(try fixture.loaded().books[emma.identity]?.rating == 1)
    }

    @Test func anOlderSnapshotIsHarmless() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        let old = try fixture.bytes(of: fixture.snapshotPath)
        try shelves.apply(.rating(1), to: emma)
        try shelves.apply(.status(nil), to: emma)
        try shelves.saveSnapshot()
        try fixture.write(old, to: fixture.snapshotPath)
        #expect(try fixture.loaded().state == shelves.state)
    }

    @Test func aLaterVersionFindsItsFilesAsItLeftThem() throws {
        try filled().saveSnapshot()
        let other = Snapshot.currentVersion + 97
        for isIntact in [false, true] {
            var bytes = Array(try text().replacing("\"version\":3\n", with: "\"version\":\(other),\n\"x\":[{}]\n").utf8)
            if isIntact {
                let sum = checksum(of: bytes[Snapshot.headCount...]).hexadecimal
                bytes = Snapshot.opening + Array(sum.utf8) + Snapshot.closing + bytes[Snapshot.headCount...]
            }
            try fixture.write(bytes, to: fixture.snapshotPath)
            let journal = try fixture.bytes(of: fixture.journalPath)
            let shelves = try fixture.loaded()
            #expect(!shelves.isSaved)
            #expect(shelves.notice?.contains("a newer stacks wrote") == true)
            #expect(shelves.books.count == 2)
            try shelves.apply(.rating(2), to: emma)
            #expect(shelves.books[emma.identity]?.rating == 2)
            #expect(try shelves.undo()?.kind == .rating(2))
            #expect(shelves.books[emma.identity]?.rating == nil)
            try shelves.save()
            try shelves.saveSnapshot()
            #expect(try fixture.bytes(of: fixture.snapshotPath) == bytes)
            #expect(try fixture.bytes(of: fixture.journalPath) == journal)
            #expect(fixture.names == ["history.jsonl", "shelves.json"])
            try fixture.write(
                Array(try text().replacing("\"version\":\(other),\n\"x\":[{}]\n", with: "\"version\":3\n").utf8),
                to: fixture.snapshotPath)
        }
    }

    @Test func aLaterVersionThatCameMeanwhileIsNotOverwritten() throws {
        let shelves = try filled()
        let bytes = Array(#"{"version":99}"#.utf8)
        try fixture.write(bytes, to: fixture.snapshotPath)
        try shelves.saveSnapshot()
        #expect(try fixture.bytes(of: fixture.snapshotPath) == bytes)
        #expect(!shelves.isSaved)
        #expect(shelves.notice != nil)
    }

    @Test func unknownMembersSurviveRewriting() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        var body = try text()
        body = String(decoding: Array(body.utf8)[Snapshot.headCount...], as: UTF8.self)
            .replacing(#""title":"Emma""#, with: #""loan":{"to":"Ann","since":[1.50,null]},"title":"Emma""#)
            .replacing(#""status":"read""#, with: #""status":"lent""#)
            .replacing(#"{"id":"s1""#, with: #"{"colour":"red","id":"s1""#)
            .replacing(#"{"id":"q1""#, with: #"{"a":1,"id":"q1""#)
            .replacing("\"version\":3", with: "\"version\":3,\n\"wishes\":[\n{\"z\":1}\n]")
        let head = Snapshot.opening + Array(checksum(of: Array(body.utf8)).hexadecimal.utf8) + Snapshot.closing
        try fixture.write(head + Array(body.utf8), to: fixture.snapshotPath)
        // Once by an instance that has loaded it, and once by one that finds it there.
        for shelves in [try fixture.loaded(), shelves] {
            try shelves.apply(.favourite(true), to: persuasion)
            try shelves.apply(.favourite(false), to: persuasion)
            try shelves.saveSnapshot()
            let text = try text()
            for part in [
                #""loan":{"to":"Ann","since":[1.50,null]}"#, #"{"colour":"red","id":"s1","#, #"{"a":1,"id":"q1","#,
                #""wishes":[{"z":1}]"#,
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(shelves.notice == nil)
        }
        #expect(fixture.names == ["history.jsonl", "shelves.json"])
    }

    @Test(arguments: ["", "{}", "rubbish", "{\n\"checksum\":\"", "[]", "\u{0}", #"{"version":1,"marks":[]}"#])
    func aDamagedOneIsMovedAsideAndMadeAnew(bytes: String) throws {
        let shelves = try filled()
        try fixture.write(bytes.utf8, to: fixture.snapshotPath)
        let next = try fixture.loaded()
        #expect(next.state == shelves.state)
        #expect(next.notice?.contains("shelves.json.bad-1") == true)
        #expect(fixture.names == ["history.jsonl", "shelves.json.bad-1"])
        #expect(try fixture.bytes(of: fixture.snapshotPath + ".bad-1") == Array(bytes.utf8))
        try next.saveSnapshot()
        #expect(try fixture.loaded().state == shelves.state)
        #expect(try fixture.loaded().notice == nil)
    }

    @Test func oneThatIsDamagedMeanwhileIsMovedAsideToo() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        try fixture.write("oh".utf8, to: fixture.snapshotPath)
        try shelves.apply(.rating(1), to: emma)
        try shelves.saveSnapshot()
        #expect(fixture.names == ["history.jsonl", "shelves.json", "shelves.json.bad-1"])
        #expect(try fixture.loaded().state == shelves.state)
    }

    @Test func aSnapshotThatCannotBeReadIsNotOverwritten() throws {
        let shelves = try filled()
        try? FileManager.default.removeItem(atPath: fixture.snapshotPath)
        try FileManager.default.createDirectory(atPath: fixture.snapshotPath, withIntermediateDirectories: false)
        let next = try fixture.loaded()
        #expect(next.state == shelves.state)
        #expect(next.notice?.contains("shelves.json") == true)
        #expect(throws: FileError.self) { try next.saveSnapshot() }
        try next.apply(.rating(1), to: emma)
        #expect(try fixture.loaded().books[emma.identity]?.rating == 1)
    }

    @Test(.thorough) func aBadByteNeverCostsWhatIsSound() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        let sound = try fixture.bytes(of: fixture.snapshotPath)
        let kept = shelves.state
        for index in sound.indices {
            for damage in [UInt8(0x01), 0x80] {
                var bytes = sound
                bytes[index] ^= damage
                try fixture.write(bytes, to: fixture.snapshotPath)
                let next = try fixture.loaded()
                #expect(isSound(next, kept), "byte \(index)")
                // It is renamed, or, as a file of a later version, left in place.
                #expect(
                    next.isSaved
                        ? try fixture.bytes(of: fixture.snapshotPath + ".bad-1") == bytes
                        : try fixture.bytes(of: fixture.snapshotPath) == bytes)
                try? FileManager.default.removeItem(atPath: fixture.snapshotPath + ".bad-1")
            }
        }
        for count in sound.indices {
            try fixture.write(sound.prefix(count), to: fixture.snapshotPath)
            let next = try fixture.loaded()
            #expect(isSound(next, kept), "\(count) bytes")
            #expect(try fixture.bytes(of: fixture.snapshotPath + ".bad-1") == Array(sound.prefix(count)))
            try FileManager.default.removeItem(atPath: fixture.snapshotPath + ".bad-1")
        }
    }

    /// Returns whether nothing of `kept` is missing. There may be additional data that the damage renamed.
    private func isSound(_ shelves: UserData, _ kept: UserDataState) -> Bool {
        shelves.shelves.contains(Shelf(id: "s1", name: "Summer"))
            && shelves.queries.contains { $0.text == "author:austen" }
            && kept.books.allSatisfy { identity, bookData in
                guard let read = shelves.books[identity] else { return false }
                return read.shelves.isSuperset(of: bookData.shelves) && read.status == bookData.status
                    && read.rating == bookData.rating && read.note == bookData.note
                    && read.statusDates == bookData.statusDates
            }
    }

    @Test func withoutItsJournalADamagedOneStillSaysWhatItCan() throws {
        try filled().saveSnapshot()
        try FileManager.default.removeItem(atPath: fixture.journalPath)
        let sound = try fixture.bytes(of: fixture.snapshotPath)
        let lines = sound.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.isEmpty {
            for damage in [UInt8(0x01), 0x80] {
                for index in line.indices.striding(by: 7) {
                    var bytes = sound
                    bytes[index] ^= damage
                    try fixture.write(bytes, to: fixture.snapshotPath)
                    let next = try fixture.loaded()
                    #expect(number == 6 || next.books[emma.identity]?.status == .read, "byte \(index)")
                    #expect(number == 7 || next.books[persuasion.identity]?.rating == 3, "byte \(index)")
                    try? FileManager.default.removeItem(atPath: fixture.snapshotPath + ".bad-1")
                }
            }
        }
    }

    @Test(.thorough) func ofADamagedJournalAllSoundLinesCount() throws {
        let shelves = try fixture.loaded()
        let books = ["A", "B", "C", "D"].map { Book.make(title: $0) }
        for book in books { try shelves.apply(.rating(3), to: book) }
        let sound = try fixture.bytes(of: fixture.journalPath)
        let ends = sound.indices.filter { sound[$0] == UInt8(ascii: "\n") }
        for index in sound.indices {
            for damage in [UInt8(0x01), 0x80] {
                var bytes = sound
                bytes[index] ^= damage
                try fixture.write(bytes, to: fixture.journalPath)
                let next = try fixture.loaded()
                // A damaged newline joins two lines.
                let spoilt = ends.contains(index) ? [index, index + 1] : [index]
                for (number, book) in books.enumerated() {
                    let range = (number == 0 ? 0 : ends[number - 1] + 1)...ends[number]
                    if spoilt.contains(where: range.contains) { continue }
                    #expect(next.books[book.identity]?.rating == 3, "byte \(index)")
                }
                #expect(try fixture.bytes(of: fixture.journalPath) == bytes)
                #expect(try next.history(limit: 9).count >= 2)
                // Each undo waits for the disk, which is not tested here.
                if index % 20 == 0 { _ = try next.undo() }
            }
        }
        for count in sound.indices {
            try fixture.write(sound.prefix(count), to: fixture.journalPath)
            let next = try fixture.loaded()
            #expect(next.books.count == ends.filter { $0 < count }.count)
            guard count % 9 == 0 || ends.contains(count) else { continue }
            try next.apply(.rating(1), to: emma)
            #expect(try fixture.loaded().state == next.state)
            #expect(try fixture.bytes(of: fixture.journalPath).starts(with: sound.prefix(count)))
        }
    }

    @Test func nothingOfTheSnapshotIsLostWhereTheJournalWasCutOff() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        let kept = shelves.state
        let sound = try fixture.bytes(of: fixture.journalPath)
        for count in stride(from: 0, to: sound.count, by: 13) + [sound.count - 1] {
            try fixture.write(sound.prefix(count), to: fixture.journalPath)
            let next = try fixture.loaded()
            #expect(next.state.books == kept.books, "\(count) bytes")
            #expect(next.shelves == shelves.shelves)
            // Later changes are kept, before and after the snapshot contains them.
            try next.apply(.rating(5), to: emma)
            #expect(try fixture.loaded().state.books == next.state.books, "\(count) bytes")
            #expect(try fixture.loaded().books[emma.identity]?.rating == 5)
            #expect(try fixture.loaded().books[persuasion.identity]?.rating == 3)
        }
    }

    @Test func anotherJournalInItsPlaceAddsWhatItHas() throws {
        let elsewhere = try ShelvesFixture()
        elsewhere.moment.date = "2020-01-01T00:00:00Z"
        let other = try elsewhere.loaded()
        try other.apply(.rating(1), to: persuasion)
        try other.apply(.favourite(true), to: .make(title: "Sanditon"))
        let shelves = try filled()
        try shelves.saveSnapshot()
        try fixture.write(try elsewhere.bytes(of: elsewhere.journalPath), to: fixture.journalPath)
        for shelves in [try fixture.loaded(), shelves] {
            try shelves.load()
            #expect(shelves.books.count == 3)
            #expect(shelves.books[persuasion.identity]?.rating == 3)
            #expect(shelves.books[emma.identity]?.status == .read)
        }
        try shelves.apply(.rating(2), to: persuasion)
        #expect(try fixture.loaded().books[persuasion.identity]?.rating == 2)
        try shelves.saveSnapshot()
        #expect(try fixture.loaded().state.books == shelves.state.books)
    }

    @Test func withoutASnapshotTheJournalIsComplete() throws {
        let shelves = try filled()
        try shelves.saveSnapshot()
        let old = try fixture.bytes(of: fixture.snapshotPath)
        try shelves.apply(.rating(1), to: emma)
        // Killed while writing the snapshot: the old one is in place, with half of the new one beside it.
        try fixture.write(old.prefix(99), to: fixture.snapshotPath + ".tmp")
        #expect(try fixture.loaded().state == shelves.state)
        #expect(fixture.names == ["history.jsonl", "shelves.json"])
    }
}

extension Range<Int> {
    fileprivate func striding(by step: Int) -> StrideTo<Int> { stride(from: lowerBound, to: upperBound, by: step) }
}

private func + (left: StrideTo<Int>, right: [Int]) -> [Int] { Array(left) + right }
