internal import Books
internal import JSON

// A line of the journal with one change of several books: what they have in common stands once, and the array "each",
// the last member, has an object for each book. A line that a crash tore has no end and counts as a whole, so that the
// change of all books is in the journal or of none. Earlier versions skip such lines; they must not write a snapshot
// that ends behind one, which the version of the snapshot keeps them from.

extension JournalEntry {
    /// The journal lines of `entries`: changes of the same field of several books in one step share a line.
    static func lines(of entries: [JournalEntry]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[start].sharesLine(with: entries[end], distance: end - start) { end += 1 }
            lines.append(end == start + 1 ? entries[start].bytes : bulkLine(of: entries[start..<end]))
            start = end
        }
        return lines
    }

    /// Whether there is a line of several books among the lines of `entries`.
    static func needBulkLine(_ entries: [JournalEntry]) -> Bool {
        zip(entries, entries.dropFirst()).contains { $0.sharesLine(with: $1, distance: 1) }
    }

    /// Whether the entry that is `distance` further on can stand in this entry's line.
    private func sharesLine(with other: JournalEntry, distance: Int) -> Bool {
        guard case .book(_, let field) = subject, case .book(_, field) = other.subject else { return false }
        return other.step == step && other.sequence == sequence + distance && other.date == date && other.name == name
            && other.bookCount == nil
    }

    private static func bulkLine(of entries: ArraySlice<JournalEntry>) -> [UInt8] {
        guard let common = entries.first else { return [] }
        var head = ObjectWriter()
        head.add("at", .string(common.date))
        head.add("books", common.bookCount.map { JSONValue($0) })
        head.add("catalog", JSONValue(common.book?.catalog))
        head.add("change", .string(common.subject.change))
        head.add("count", JSONValue(entries.count))
        head.add("name", JSONValue(common.name))
        head.add("old", common.old.json)
        head.add("seq", JSONValue(common.sequence))
        head.add("shelf", JSONValue(common.subject.shelfID))
        if common.step != common.sequence { head.add("step", JSONValue(common.step)) }
        head.add("value", common.value.json)
        var bytes = head.ended()
        bytes.removeLast()
        bytes += eachOpening
        bytes.reserveCapacity(bytes.count + 160 * entries.count)
        for (index, entry) in entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            ObjectWriter.append(to: &bytes) { entry.addMembers(in: common, to: &$0) }
        }
        return bytes + eachClosing
    }

    private static let eachOpening = Array(#","each":["#.utf8)
    private static let eachClosing = Array("]}".utf8)

    /// Adds what this entry does not have in common with `common`.
    private func addMembers(in common: JournalEntry, to writer: inout ObjectWriter) {
        let identity = subject.identity
        writer.add("authors", (book?.authors).map { JSONValue($0) })
        writer.add("book", JSONValue(identity?.description))
        if let catalog = book?.catalog, catalog != common.book?.catalog { writer.add("catalog", .string(catalog)) }
        // Keys that follow from the identity are left out.
        if let hash = book?.keys.hash, hash != identity?.key { writer.add("hash", .string(hash.description)) }
        if let isbn = book?.keys.isbn, isbn != identity?.key { writer.add("isbn", .string(isbn.description)) }
        if old != common.old { writer.add("old", old.json) }
        writer.add("source", JSONValue(book?.sourceID))
        writer.add("title", JSONValue(book?.title))
        if value != common.value { writer.add("value", value.json) }
    }

    /// Parses a line of the journal, of one change or of several books; nil if the line is invalid, such as a torn one.
    ///
    /// - Returns: The changes, and the number of those in the line that cannot be read.
    static func entries(of line: ArraySlice<UInt8>) -> (entries: [JournalEntry], unreadableCount: Int)? {
        entries(of: line, limit: .max)
    }

    /// Parses the first change of a line of the journal; nil if the line is invalid.
    static func first(of line: ArraySlice<UInt8>) -> JournalEntry? { entries(of: line, limit: 1)?.entries.first }

    private static func entries(
        of line: ArraySlice<UInt8>, limit: Int
    ) -> (entries: [JournalEntry], unreadableCount: Int)? {
        guard line.suffix(eachClosing.count).elementsEqual(eachClosing), let opening = line.firstRange(of: eachOpening)
        else { return JournalEntry(line: line).map { ([$0], 0) } }
        let head = line[..<opening.lowerBound] + [UInt8(ascii: "}")]
        guard let common = LineFields(head), let sequence = common.sequence, let count = common.count else {
            return nil
        }
        let objects = line[opening.upperBound..<line.endIndex - eachClosing.count]
        var entries: [JournalEntry] = []
        // A damaged count must not take all memory.
        entries.reserveCapacity(min(count, objects.count, limit))
        forEachObject(in: objects, limit: limit) { index, object in
            var fields = ObjectScanner.reading(object, into: common) { $0.take($1, $2) }
            fields?.sequence = sequence + index
            fields?.step = common.step ?? sequence
            if index > 0 { fields?.bookCount = nil }
            if let entry = fields.flatMap(JournalEntry.init(fields:)) { entries.append(entry) }
        }
        return (entries, max(0, count - entries.count))
    }

    /// Calls `body` with each of the objects between commas and its index, up to the first damaged one.
    private static func forEachObject(
        in bytes: ArraySlice<UInt8>, limit: Int, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        bytes.withUnsafeBufferPointer { buffer in
            JSONReader.reading(bytes) { reader in
                var index = 0
                while index < limit, reader.byte == UInt8(ascii: "{") {
                    let start = reader.offset
                    guard (try? reader.skipValue()) != nil else { return }
                    body(index, UnsafeBufferPointer(rebasing: buffer[start..<reader.offset]))
                    index += 1
                    guard reader.byte == UInt8(ascii: ",") else { return }
                    reader.offset += 1
                }
            }
        }
    }
}
