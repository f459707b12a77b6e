internal import Books
internal import JSON
internal import Threading

// A line of the journal with the same change of several books: common members are written once, and the array "each",
// the last member, has an object for each book. A line torn by a crash has no end and is ignored as a whole, so that
// the journal has the change of all books or of none. Earlier versions skip these lines; the version number of the
// snapshot keeps them from writing a snapshot that ends after one.

extension JournalEntry {
    /// The journal lines of `entries`: changes of the same field of several books in one step share a line.
    static func lines(of entries: [JournalEntry]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        var undo: Int?
        while start < entries.count {
            if entries[start].subject == .steps(.undo) { undo = entries[start].step }
            var end = start + 1
            while end < entries.count, entries[start].sharesLine(with: entries[end], distance: end - start) { end += 1 }
            let isUndo = entries[start].step == undo
            lines.append(end == start + 1 ? entries[start].bytes : bulkLine(of: entries[start..<end], isUndo: isUndo))
            start = end
        }
        return lines
    }

    /// Returns the version of the snapshot that the lines of `entries` need, so that earlier versions of the program,
    /// which do not read some of them, leave the files alone; 0 if every version reads them.
    static func neededVersion(of entries: [JournalEntry]) -> Int {
        if entries.contains(where: \.subject.isOfCurrentVersion) { return Snapshot.currentVersion }
        let isNew =
            entries.contains { $0.value.hasReadings || $0.old.hasReadings }
            || zip(entries, entries.dropFirst()).contains { $0.sharesLine(with: $1, distance: 1) }
        return isNew ? Snapshot.commonVersion : 0
    }

    /// Whether the entry `distance` further on can share this entry's line.
    private func sharesLine(with other: JournalEntry, distance: Int) -> Bool {
        guard case .book(_, let field) = subject, case .book(_, field) = other.subject else { return false }
        return other.step == step && other.sequence == sequence + distance && other.date == date && other.name == name
            && other.bookCount == nil
    }

    private static func bulkLine(of entries: ArraySlice<JournalEntry>, isUndo: Bool) -> [UInt8] {
        guard let common = entries.first else { return [] }
        var head = ObjectWriter()
        head.add("at", .string(common.date))
        head.add("books", common.bookCount.map { JSONValue($0) })
        head.add("catalog", JSONValue(common.book?.catalog))
        head.add("change", .string(common.subject.change))
        head.add("count", JSONValue(entries.count))
        head.add("half", common.value.hasHalfStar ? .boolean(true) : nil)
        head.add("halves", common.ratingStep.map { JSONValue($0) })
        head.add("id", JSONValue(common.subject.entryID))
        head.add("import", JSONValue(common.importedFile))
        head.add("name", JSONValue(common.name))
        head.add("old", common.old.json)
        head.add("oldHalf", common.old.hasHalfStar ? .boolean(true) : nil)
        head.add("seq", JSONValue(common.sequence))
        head.add("shelf", JSONValue(common.subject.shelfID))
        if common.step != common.sequence { head.add("step", JSONValue(common.step)) }
        head.add("value", common.value.json)
        var bytes = head.ended()
        bytes.removeLast()
        bytes += eachOpening
        let parts = ThreadPool.shared.map(entries.count, by: partCount) { part in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(160 * part.count)
            for index in part {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                var entry = entries[entries.startIndex + index]
                // An undone step contains the description of the book, which a redo takes from there.
                if isUndo, entry.takesAway { entry.book = nil }
                ObjectWriter.append(to: &bytes) { entry.addMembers(in: common, to: &$0) }
            }
            return bytes
        }
        bytes.reserveCapacity(bytes.count + parts.reduce(eachClosing.count) { $0 + $1.count })
        for part in parts { bytes += part }
        bytes += eachClosing
        return bytes
    }

    /// The number of books that a thread reads or writes at once.
    private static let partCount = 2000

    private static let eachOpening = Array(#","each":["#.utf8)
    private static let eachClosing = Array("]}".utf8)

    /// Adds the members that this entry does not share with `common`.
    private func addMembers(in common: JournalEntry, to writer: inout ObjectWriter) {
        let identity = subject.identity
        writer.add("authors", (book?.authors).map { JSONValue($0) })
        writer.add("book", identity?.description)
        if let catalog = book?.catalog, catalog != common.book?.catalog { writer.add("catalog", catalog) }
        let (half, oldHalf) = (value.hasHalfStar, old.hasHalfStar)
        writer.add("half", half == common.value.hasHalfStar ? nil : .boolean(half))
        // Keys that follow from the identity are left out.
        if let hash = book?.keys.hash, hash != identity?.key { writer.add("hash", hash.description) }
        if let isbn = book?.keys.isbn, isbn != identity?.key { writer.add("isbn", isbn.description) }
        if old != common.old { writer.add("old", old.json) }
        writer.add("oldHalf", oldHalf == common.old.hasHalfStar ? nil : .boolean(oldHalf))
        writer.add("source", book?.sourceID)
        writer.add("title", book?.title)
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
        let each = line[opening.upperBound..<line.endIndex - eachClosing.count]
        let objects = objects(in: each, limit: limit)
        let parts = ThreadPool.shared.map(objects.count, by: partCount) { part in
            each.withUnsafeBufferPointer { bytes in
                part.compactMap { index in
                    let object = UnsafeBufferPointer(rebasing: bytes[objects[index]])
                    var fields = ObjectScanner.reading(object, into: common) { $0.take($1, $2) }
                    fields?.sequence = sequence + index
                    fields?.step = common.step ?? sequence
                    if index > 0 {
                        fields?.bookCount = nil
                        fields?.importedFile = nil
                        fields?.ratingStep = nil
                    }
                    return fields.flatMap(JournalEntry.init(fields:))
                }
            }
        }
        let entries = Array(parts.joined())
        return (entries, max(0, count - entries.count))
    }

    /// Returns the ranges of the objects between commas, at most `limit`, up to the first damaged one.
    private static func objects(in bytes: ArraySlice<UInt8>, limit: Int) -> [Range<Int>] {
        JSONReader.reading(bytes) { reader in
            var objects: [Range<Int>] = []
            while objects.count < limit, reader.byte == UInt8(ascii: "{") {
                let start = reader.offset
                guard (try? reader.skipValue()) != nil else { break }
                objects.append(start..<reader.offset)
                guard reader.byte == UInt8(ascii: ",") else { break }
                reader.offset += 1
            }
            return objects
        }
    }
}
