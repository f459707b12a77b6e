import CSV
import Glibc
import Storage

@testable import Formats
@testable import Shelves
@testable import stacks

/// A snapshot, also with a valid checksum; otherwise the checksum would reject nearly all inputs.
func readAsSnapshot(_ bytes: [UInt8]) {
    _ = SnapshotReading(bytes).snapshot
    var signed = Snapshot.opening + checksum(of: bytes).hexadecimal.utf8 + Snapshot.closing
    signed += bytes
    _ = SnapshotReading(signed).snapshot
}

/// Lines of the journal.
func readAsJournal(_ bytes: [UInt8]) {
    for line in Storage.lines(of: bytes[...]).prefix(16) {
        guard let entries = JournalEntry.entries(of: line)?.entries else { continue }
        precondition(entries.allSatisfy { !$0.isNumbered || $0.sequence > 0 })
        // Written entries are parsed unchanged.
        let lines = JournalEntry.lines(of: entries)
        precondition(lines.flatMap { JournalEntry.entries(of: $0[...])?.entries ?? [] } == entries)
    }
}

/// A config is text without NUL, because the file is read like that.
func readAsConfig(_ bytes: [UInt8]) {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return }
    let config = Config(ConfigText(text), path: "config.toml")
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
    precondition(config.warnings.allSatisfy { (1...lines).contains($0.line ?? 1) }, "\(config.warnings)")
}

/// A CSV file, a Goodreads export, or a list of ISBNs.
func readAsImport(_ bytes: [UInt8]) {
    guard let file = try? ImportedFile(bytes, shownPath: "import.csv") else { return }
    var reader = CSVReader(file.bytes)
    var count = 0
    while let record = try? reader.next() {
        precondition(!record.fields.isEmpty && record.line > 0)
        count += 1
        precondition(count <= file.bytes.count + 1, "more records than bytes")
    }
    guard let books = try? ImportedBooks(file, destination: .favourites) else { return }
    precondition(books.books.allSatisfy { $0.line > 0 && !$0.keys.isEmpty })
}
