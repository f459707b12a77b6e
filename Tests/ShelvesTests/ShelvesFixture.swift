import Foundation
import Storage
import TestSupport
import Threading

@testable import Books
@testable import Shelves

/// A directory of user data files, and instances that use them.
final class ShelvesFixture {
    let directory: TemporaryDirectory
    /// The time; a test may set it.
    var moment: Timestamp {
        get { clock.withLock { $0 } }
        set { clock.withLock { $0 = newValue } }
    }
    private let clock = Locked(Timestamp(date: "2026-11-21T09:30:00Z", day: "2026-11-21"))

    init() throws { directory = try TemporaryDirectory() }

    var journalPath: String { directory.path + "/history.jsonl" }
    var snapshotPath: String { directory.path + "/shelves.json" }
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
            .filter { !$0.hasSuffix(".lock") }.sorted()
    }

    /// Creates an instance that has not loaded anything.
    func instance() -> UserData { UserData(directory: directory.path, now: { [clock] in clock.withLock { $0 } }) }

    /// Creates an instance that has loaded the files.
    func loaded() throws -> UserData {
        let shelves = instance()
        try shelves.load()
        return shelves
    }

    /// Replays the whole journal and returns the state.
    func replayed() throws -> UserDataState {
        var replay = JournalReplay()
        replay.take(try Journal(path: journalPath).newLines())
        return replay.state
    }

    func lines() throws -> [[String: Any]] {
        try Data(contentsOf: URL(filePath: journalPath)).split(separator: UInt8(ascii: "\n")).map {
            try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] ?? [:]
        }
    }

    func bytes(of path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path))) }

    func write(_ bytes: some Sequence<UInt8>, to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }
}

extension UserData {
    /// Returns the book as a target, with the user data under its own identity.
    func target(_ book: Book, catalog: String? = "/books.json") -> UserDataTarget {
        UserDataTarget(
            book: book, identity: book.identity, identities: books[book.identity] == nil ? [] : [book.identity],
            catalog: catalog)
    }

    func apply(_ change: UserDataChange, to books: Book...) throws(FileError) {
        try apply(change, to: books.map { target($0) })
    }

    /// The saved state, as a new instance would load it.
    var state: UserDataState { replay.state }
}
