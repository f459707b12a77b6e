internal import JSON
public import Storage
internal import Text

extension UserData {
    /// The content of the user data files; can be read on any thread.
    public struct Content: Sendable {
        var replay = JournalReplay()
        var position = Journal.Position.start
        var isReadOnly = false
        var unknownMembers: [JSONValue.Member] = []
        var snapshotSum: UInt64?
        var snapshotVersion = 0
        var notice: String?
        var newLineCount = 0
    }

    /// Reads the files in `directory`: the snapshot and the journal lines after it. A damaged snapshot is renamed and
    /// replaced by a replay of the whole journal.
    ///
    /// - Throws: `FileError` if neither the journal nor a snapshot can be read.
    public static func read(directory: String) throws(FileError) -> Content {
        var content = Content()
        let hasSnapshot = content.readSnapshot(AtomicFile(path: directory.snapshot))
        let journal = Journal(path: directory.journal, from: content.position)
        do throws(FileError) {
            let lines = try journal.newLines()
            content.replay.take(lines, replacing: journal.replacement)
            content.newLineCount += lines.count
        } catch {
            if !hasSnapshot { throw error }
            content.note(SnapshotMessage.latestChangesMissing.text(error.path, error.cause))
        }
        content.position = journal.position
        return content
    }
}

extension UserData.Content {
    /// Returns the notice about a snapshot written by a later version.
    static func noticeOfLaterVersion(_ path: String) -> String {
        SnapshotMessage.writtenByNewerVersion.text(path)
    }

    /// Returns the notice about a damaged snapshot.
    static func noticeOfDamage(_ path: String, aside: String?) -> String {
        aside.map { SnapshotMessage.rebuiltAside.text(path, $0) } ?? SnapshotMessage.rebuilt.text(path)
    }

    /// - Returns: Whether any part of a snapshot could be read.
    fileprivate mutating func readSnapshot(_ file: AtomicFile) -> Bool {
        let bytes: [UInt8]
        do throws(FileError) {
            guard let content = try file.read() else { return false }
            bytes = content
        } catch {
            note(SnapshotMessage.readFromHistory.text(error.path, error.cause))
            return false
        }
        let reading = SnapshotReading(bytes)
        let snapshot = reading.snapshot
        replay.state = snapshot.state
        unknownMembers = snapshot.unknownMembers
        if case .damaged = reading {
            // Replay the whole journal on top of the readable remains: its lines are more reliable. Count one more new
            // line, so that the snapshot is written again.
            newLineCount = 1
            note(Self.noticeOfDamage(file.path, aside: Self.moveAside(file, holding: bytes)))
            return true
        }
        position = snapshot.position
        replay.sequence = snapshot.sequence
        replay.date = snapshot.date
        snapshotSum = snapshot.sum
        snapshotVersion = snapshot.version
        if case .newer = reading {
            isReadOnly = true
            note(Self.noticeOfLaterVersion(file.path))
        }
        return true
    }

    /// Renames the snapshot, unless another process has renamed or replaced it.
    private static func moveAside(_ file: AtomicFile, holding bytes: [UInt8]) -> String? {
        var aside: String?
        try? file.update { current in
            if current == bytes { aside = try? file.moveAside() }
            return nil
        }
        return aside
    }

    fileprivate mutating func note(_ text: String) {
        notice = [notice, text].compactMap(\.self).joined(separator: ". ")
    }
}
