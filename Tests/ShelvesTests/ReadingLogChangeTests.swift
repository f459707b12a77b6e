import Foundation
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Shelves

@Suite("User data: reading log") struct ReadingLogChangeTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma")

    init() throws { fixture = try ShelvesFixture() }

    private func log(_ userData: UserData) -> ReadingLog? { userData.books[emma.identity]?.readingLog }

    /// Reads the book twice, the second time up to a page.
    private func filled() throws -> UserData {
        let userData = try fixture.loaded()
        try userData.apply(.status(.read, on: "2019-05-01"), to: emma)
        try userData.apply(.status(.reading, on: "2026-11-01"), to: emma)
        try userData.apply(.progress(.page(180)), to: emma)
        return userData
    }

    @Test("changes enter the log, and the files keep it") func kept() throws {
        let userData = try filled()
        let expected = [
            Reading(end: "2019-05-01", outcome: .finished),
            Reading(start: "2026-11-01", progress: [ReadingProgress(.page(180), on: "2026-11-21")]),
        ]
        #expect(log(userData)?.readings == expected)
        #expect(userData.books[emma.identity]?.status == .reading)
        #expect(try fixture.loaded().state == userData.state)
        #expect(try fixture.replayed() == userData.state)
        try userData.saveSnapshot()
        #expect(try fixture.loaded().state == userData.state)
        let text = String(decoding: try fixture.bytes(of: fixture.snapshotPath), as: UTF8.self)
        #expect(
            text.contains(
                #""readings":[{"end":"2019-05-01","outcome":"read"},"#
                    + #"{"progress":[{"day":"2026-11-21","page":180}],"start":"2026-11-01"}]"#))
    }

    @Test("undo takes back one step after the other") func undone() throws {
        let userData = try filled()
        try userData.apply(.status(.reading, on: "2026-10-31"), to: emma)
        #expect(try userData.undo()?.kind == .readings)
        #expect(try userData.undo()?.kind == .progress(.page(180)))
        #expect(log(userData)?.current == Reading(start: "2026-11-01"))
        #expect(try userData.undo()?.kind == .status(.reading))
        #expect(userData.books[emma.identity]?.status == .read)
        #expect(try userData.redo()?.kind == .status(.reading))
        #expect(try userData.redo()?.kind == .progress(.page(180)))
        #expect(log(userData)?.current?.progress.count == 1)
        #expect(try fixture.replayed() == userData.state)
    }

    @Test("readings that two instances enter at once are both kept") func concurrent() throws {
        let first = try filled()
        let second = try fixture.loaded()
        try first.apply(.progress(.page(200), on: "2026-11-22"), to: emma)
        // The second one has not read this yet.
        try second.apply(
            .readingLog(.reading, try #require(log(second)?.adding(Reading(end: "2001", outcome: .finished)))), to: emma
        )
        try first.load()
        #expect(first.state == second.state)
        #expect(log(first)?.current?.progress.map(\.place) == [.page(180), .page(200)])
        #expect(log(first)?.finishedCount == 2)
        #expect(try fixture.replayed() == first.state)
    }

    @Test("a snapshot of this version is written before the first line that early versions cannot read")
    func versionComesFirst() throws {
        let userData = try fixture.loaded()
        try userData.apply(.status(.read), to: emma)
        #expect(fixture.names == ["history.jsonl"])
        #expect(try !fixture.bytes(of: fixture.journalPath).contains("readings".utf8))
        try userData.apply(.status(.reading), to: emma)
        try userData.apply(.status(.read), to: emma)
        let snapshot = SnapshotReading(try fixture.bytes(of: fixture.snapshotPath)).snapshot
        #expect(snapshot.version == 3)
        #expect(snapshot.state.books[emma.identity]?.readingLog.finishedCount == 1)
        #expect(try fixture.bytes(of: fixture.journalPath).contains("readings".utf8))
        #expect(try fixture.loaded().state == userData.state)
    }

    @Test("lines of early versions are read: their days become the start and the end of a reading") func earlyLines()
        throws
    {
        let head = #"{"at":"2026-11-21T09:30:00Z","authors":["Jane Austen"],"book":"\#(emma.identity)","#
        let lines = [
            head
                + #""change":"status","old":null,"seq":1,"title":"Emma","value":{"dates":{"reading":"2026-11-01"},"status":"reading"}}"#,
            head
                + #""change":"status","old":{"dates":{"reading":"2026-11-01"},"status":"reading"},"seq":2,"title":"Emma","#
                + #""value":{"dates":{"read":"2026-11-21","reading":"2026-11-01"},"status":"read"}}"#,
        ]
        try fixture.write((lines.joined(separator: "\n") + "\n").utf8, to: fixture.journalPath)
        let userData = try fixture.loaded()
        #expect(log(userData)?.readings == [Reading(start: "2026-11-01", end: "2026-11-21", outcome: .finished)])
        #expect(try userData.undo()?.kind == .status(.read))
        #expect(log(userData)?.readings == [Reading(start: "2026-11-01")])
    }

    @Test("a book that is only in the log has user data") func onlyLog() throws {
        let userData = try fixture.loaded()
        try userData.apply(.status(.read, on: "2019"), to: emma)
        try userData.apply(.status(.reading), to: emma)
        try userData.apply(.status(nil), to: emma)
        #expect(userData.books[emma.identity]?.status == nil)
        #expect(log(userData)?.readings == [Reading(end: "2019", outcome: .finished)])
        try userData.saveSnapshot()
        #expect(try fixture.loaded().state == userData.state)
        try userData.apply(.readingLog(nil, ReadingLog()), to: emma)
        #expect(userData.isEmpty)
    }
}

extension ReadingLog {
    /// Returns this log with one more reading.
    fileprivate func adding(_ reading: Reading) -> ReadingLog {
        var log = self
        log.add(reading)
        return log
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String.UTF8View) -> Bool { firstRange(of: Array(text)) != nil }
}
