internal import JSON
public import Storage

extension UserData {
    /// What is in the reader's files, as it is read on any thread.
    public struct Content: Sendable {
        var ledger = JournalReplay()
        var position = Journal.Position.start
        var isReadOnly = false
        var unknownMembers: [JSONValue.Member] = []
        var snapshotSum: UInt64?
        var notice: String?
        var newLineCount = 0
    }

    /// Reads what is in `directory`: the snapshot, and the lines of the journal that came after it. A snapshot that is
    /// damaged is moved aside, and all that the journal has is read anew.
    ///
    /// - Throws: `FileError`, where neither the journal can be read nor a snapshot.
    public static func read(directory: String) throws(FileError) -> Content {
        var content = Content()
        let hasSnapshot = content.readSnapshot(AtomicFile(path: directory.snapshot))
        let journal = Journal(path: directory.journal, from: content.position)
        do throws(FileError) {
            let lines = try journal.newLines()
            content.ledger.take(lines, replacing: journal.replacement)
            content.newLineCount += lines.count
        } catch {
            if !hasSnapshot { throw error }
            content.note("the latest changes are missing, as \(error.path) cannot be read, \(error.cause)")
        }
        content.position = journal.position
        return content
    }
}

extension UserData.Content {
    /// What the reader is told of a snapshot that a later version wrote.
    static func noticeOfLaterVersion(_ path: String) -> String {
        "changes are not kept, as a later version of stacks wrote \(path)"
    }

    /// What the reader is told of a snapshot that is damaged.
    static func noticeOfDamage(_ path: String, aside: String?) -> String {
        "\(path) is damaged, and was made anew from the history" + (aside.map { "; the old one is \($0)" } ?? "")
    }

    /// - Returns: Whether there is one of which anything can be read.
    fileprivate mutating func readSnapshot(_ file: AtomicFile) -> Bool {
        let bytes: [UInt8]
        do throws(FileError) {
            guard let content = try file.read() else { return false }
            bytes = content
        } catch {
            note("\(error.path) cannot be read, \(error.cause); what it has is taken from the history")
            return false
        }
        let reading = SnapshotReading(bytes)
        let snapshot = reading.snapshot
        ledger.kept = snapshot.kept
        unknownMembers = snapshot.unknownMembers
        if case .damaged = reading {
            // All lines of the journal come again, on top of what can be read: whatever it is that was damaged, they
            // know better. That it is to be written again is as if there were a line more.
            newLineCount = 1
            note(Self.noticeOfDamage(file.path, aside: Self.moveAside(file, holding: bytes)))
            return true
        }
        position = snapshot.position
        ledger.sequence = snapshot.sequence
        ledger.date = snapshot.date
        snapshotSum = snapshot.sum
        if case .newer = reading {
            isReadOnly = true
            note(Self.noticeOfLaterVersion(file.path))
        }
        return true
    }

    /// Moves the snapshot aside, unless another process did, or wrote it anew.
    private static func moveAside(_ file: AtomicFile, holding bytes: [UInt8]) -> String? {
        var aside: String?
        try? file.update { current in
            if current == bytes { aside = try? file.moveAside() }
            return nil
        }
        return aside
    }

    fileprivate mutating func note(_ text: String) {
        notice = [notice, text].compactMap(\.self).joined(separator: "; ")
    }
}
