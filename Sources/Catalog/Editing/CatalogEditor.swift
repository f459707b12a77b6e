public import Books
internal import Glibc
public import Indexing
public import JSON
public import Storage

/// Edits the records of a catalog file. Only the bytes of changed values are replaced, and nothing is written before
/// `save()`.
///
/// An editor makes one kind of change: it sets fields, adds, removes, moves or sorts, because it knows the records only
/// at their original offsets.
public final class CatalogEditor {
    private let catalog: JSONFileCatalog
    let text: CatalogText
    private let format: CatalogFormat
    let mapping: FieldMapping
    private let fingerprint: RandomAccessInput.Fingerprint
    /// The changes so far.
    var splices: [TextSplice] = []
    /// The new order of all records; nil if it does not change.
    var permutation: RecordPermutation?
    /// Whether all books are removed.
    var isEmptied = false
    /// The edits for the journal.
    var written = WrittenEdits()
    /// The index of the changed file, updated with the changes; nil if the file must be read again.
    private var savedIndex: SavedIndex?

    /// Creates an editor of an open catalog, which must have been read completely.
    ///
    /// - Throws: `CatalogEditError` if the catalog cannot be edited.
    init(_ catalog: JSONFileCatalog) throws(CatalogEditError) {
        guard let text = catalog.text(), let format = catalog.format else { throw .pipe }
        guard let fingerprint = (try? text.file.fingerprint()) ?? nil else { throw .pipe }
        self.fingerprint = fingerprint
        if let obstacle = ReplacementFile.obstacle(toReplacing: catalog.path) { throw .obstacle(obstacle) }
        (self.catalog, self.text, self.format) = (catalog, text, format)
        mapping = format.mapping
        // Small files are read as fast as their index.
        if catalog.keepsIndex, fingerprint.size >= IndexCache.minimumSize { savedIndex = SavedIndex() }
    }

    /// The changes of the file in file order.
    public var changes: [TextSplice] {
        get throws(CatalogEditError) {
            guard let permutation else { return splices.inOrder }
            var changes: [TextSplice] = []
            for copy in permutation.splices {
                switch copy.content {
                case .bytes(let bytes): changes.append(TextSplice(copy.range, bytes))
                case .copy(let source): changes.append(TextSplice(copy.range, try text.bytes(in: source)))
                }
            }
            return changes
        }
    }

    /// Whether there are no changes.
    public var isEmpty: Bool { splices.isEmpty && permutation == nil }

    /// Returns the decoded book.
    public func book(_ id: BookID) -> Book? { text.reader.book(id) }

    /// Returns the bytes of the record of a book, or nil if it no longer exists.
    public func record(_ id: BookID) throws(CatalogEditError) -> [UInt8]? { try text.record(id)?.bytes }

    // MARK: - Changes

    /// Sets `fields` of a book to their values in `book`.
    ///
    /// - Returns: Whether the record changes.
    @discardableResult
    public func set(_ fields: Set<BookField>, of id: BookID, to book: Book) throws(CatalogEditError) -> Bool {
        guard let (range, bytes) = try text.record(id) else { throw .recordGone(title: book.title) }
        let changes = try changes(of: bytes, setting: fields, to: book)
        splices += changes.map { $0.moved(by: range.lowerBound) }
        if !changes.isEmpty { written.replace(id.index, bytes, by: changes.applied(to: bytes)) }
        if savedIndex != nil, !changes.isEmpty {
            noteIndexed { $0.change(id.index, record(changes.applied(to: bytes), in: id.index)) }
        }
        return !changes.isEmpty
    }

    private func noteIndexed(_ note: (inout SavedIndex) -> Bool) {
        guard var index = savedIndex else { return }
        savedIndex = nil
        if note(&index) { savedIndex = index }
    }

    private func record(_ bytes: [UInt8], in origin: Int? = nil) -> ChangedRecord? {
        ChangedRecord(bytes, origin: origin, decoder: text.reader.decoder)
    }

    /// Returns the changes of a record with these bytes that set `fields` to their values in `book`; nothing is
    /// recorded for saving.
    func changes(
        of bytes: [UInt8], setting fields: Set<BookField>, to book: Book
    ) throws(CatalogEditError) -> [TextSplice] {
        guard let old = JSONValue(parsing: bytes) else { throw .recordGone(title: book.title) }
        return try changes(of: bytes, holding: old, setting: fields, to: book)
    }

    /// - Parameter old: The value of the record.
    func changes(
        of bytes: [UInt8], holding old: JSONValue, setting fields: Set<BookField>, to book: Book
    ) throws(CatalogEditError) -> [TextSplice] {
        let new = mapping.record(of: book, in: old, writing: fields, like: examples)
        for field in BookField.allCases where fields.contains(field) && !mapping.states(field, of: book, in: new) {
            throw .cannotHold(field, of: book, in: old, mapping: mapping, like: examples)
        }
        return changes(of: bytes, to: new)
    }

    /// Returns the changes that turn a record with these bytes into `new`.
    func changes(of bytes: [UInt8], to new: JSONValue) -> [TextSplice] {
        // The record was parsed before, so it is valid JSON.
        (try? ValuePatch.changes(of: bytes, to: new) { self.style(of: $0, in: bytes) }) ?? []
    }

    /// Adds books after the last one, in the format of the existing records.
    public func add(_ books: [Book]) throws(CatalogEditError) {
        if books.isEmpty { return }
        guard text.count > 0 else {
            try insert(try books.map { book throws(CatalogEditError) in try firstRecord(of: book) }, nil, placement())
            return
        }
        let last = BookID(text.count - 1)
        let range = try range(of: last)
        let records = try records(of: books, beside: last)
        try checkList(of: range)
        guard !hasLines, let item = try lastItem(from: range) else {
            return try insert(records, nil, placement())
        }
        // Items that are not books precede the new ones.
        let skipped = (try text.bytes(in: range.upperBound..<item.range.upperBound), item.separator)
        try insert(records, skipped, placement(lastItem: item.range))
    }

    /// Inserts records after all others.
    private func insert(
        _ bytes: [[UInt8]], _ lastItem: (text: [UInt8], separator: [UInt8])?, _ placement: RecordPlacement
    ) throws(CatalogEditError) {
        var neighbour = text.count > 0 ? try text.record(BookID(text.count - 1))?.bytes : nil
        var placed: [CatalogEdit.PlacedRecord] = []
        var insertions: [(position: Int, piece: RecordSequence.Piece)] = []
        var added: [ChangedRecord] = []
        for bytes in bytes {
            guard let record = record(bytes) else { throw .notARecord }
            let position = text.count + placed.count
            placed.append(.init(position: position, bytes: bytes, neighbour: neighbour))
            insertions.append((position, .changed(record)))
            added.append(record)
            neighbour = bytes
        }
        var sequence = RecordSequence(allOf: text.count)
        let surroundings = placement.insert(insertions, placed.map { _ in nil }, behind: lastItem, into: &sequence)
        written.add(.insert(placed.surrounded(by: surroundings)))
        let arrangement = try arrange(sequence, placement)
        for (record, write) in zip(added, arrangement.writes) {
            noteIndexed { $0.add(record, by: arrangement.splices[write.splice], at: write.start) }
        }
        if text.count == 0 { savedIndex = nil }
    }

    /// Returns records of new books in the format of a neighbour and of the records before it.
    func records(of books: [Book], beside neighbour: BookID) throws(CatalogEditError) -> [[UInt8]] {
        guard let (_, bytes) = try text.record(neighbour) else { throw .recordGone(title: "") }
        var others: [JSONValue] = []
        for number in max(0, neighbour.index - Self.neighbourCount)..<neighbour.index {
            if let record = text.reader.record(BookID(number)) { others.append(record) }
        }
        let style = (try? LocatedValue(at: bytes)).map { self.style(of: $0, in: bytes) }
        guard let template = RecordTemplate(neighbour: bytes, others: others, style: style, format: format) else {
            throw .notAList
        }
        return try books.map { book throws(CatalogEditError) in try template.bytes(of: book) }
    }

    /// Removes books.
    public func remove(_ ids: [BookID]) throws(CatalogEditError) {
        let ids = ids.sorted()
        guard let first = ids.first else { return }
        try checkList(of: try range(of: first))
        let placement = try placement()
        var sequence = RecordSequence(allOf: text.count)
        let around = placement.remove(at: ids.map(\.index), ids.map { _ in nil }, from: &sequence)
        for (id, surroundings) in zip(ids, around) {
            var record = CatalogEdit.PlacedRecord(position: id.index, bytes: try text.bytes(in: try range(of: id)))
            if id.index > 0 { record.neighbour = try text.record(BookID(id.index - 1))?.bytes }
            record.surroundings = surroundings
            written.remove(record)
        }
        try arrange(sequence, placement)
        noteIndexed { $0.remove(ids.map(\.index)) }
    }

    /// Moves a book before or after another one.
    public func move(_ id: BookID, after isAfter: Bool, _ other: BookID) throws(CatalogEditError) {
        let neighbour = isAfter ? other.index + 1 : other.index - 1
        if id == other || id.index == neighbour { return }
        savedIndex = nil
        guard let (range, bytes) = try text.record(id) else { throw .recordGone(title: "") }
        try checkList(of: range)
        try checkList(of: try self.range(of: other))
        let place = (isAfter ? other.index + 1 : other.index) - (id.index < other.index ? 1 : 0)
        let placement = try placement()
        var sequence = RecordSequence(allOf: text.count)
        var move = CatalogEdit.Move(bytes: bytes, from: id.index, to: place)
        (move.source, move.target) = placement.move(
            from: id.index, to: place, isBehind: isAfter, (nil, nil), in: &sequence)
        written.add(.move(move))
        try arrange(sequence, placement)
    }

    /// Returns the style of a record, with that of others where it does not show its own.
    private func style(of value: LocatedValue, in bytes: [UInt8]) -> JSONStyle {
        var style = JSONStyle(of: value, in: bytes)
        if !style.isComplete, let sampledStyle { style.complete(from: sampledStyle) }
        return style
    }

    /// Records from all parts of the file, which show in which types it holds its values.
    private lazy var examples = RecordExamples(sampledIndices.compactMap { text.reader.record(BookID($0)) })

    /// The indices of records in all parts of the file.
    private var sampledIndices: StrideTo<Int> {
        stride(from: 0, to: text.count, by: max(1, text.count / Self.neighbourCount))
    }

    /// The style of records from all parts of the file.
    private lazy var sampledStyle: JSONStyle? = {
        var style: JSONStyle?
        for index in sampledIndices {
            if style?.isComplete == true { break }
            guard let (_, bytes) = (try? text.record(BookID(index))) ?? nil, let value = try? LocatedValue(at: bytes)
            else { continue }
            let other = JSONStyle(of: value, in: bytes)
            if style == nil { style = other } else { style?.complete(from: other) }
        }
        return style
    }()

    /// The number of records that are examined for the spelling of empty values.
    private static let neighbourCount = 50

    /// Throws `notAList` if the record at `range` is the only value of the file or a member of an object.
    func checkList(of range: Range<Int>) throws(CatalogEditError) {
        if hasLines { return }
        guard let before = try text.last(before: range.lowerBound),
            before.byte == UInt8(ascii: "[") || before.byte == UInt8(ascii: ",")
        else { throw .notAList }
    }

    /// Returns the last item of the array that contains the record at `range`, and the separator before it; nil if it
    /// is the record.
    private func lastItem(
        from range: Range<Int>
    ) throws(CatalogEditError) -> (range: Range<Int>, separator: [UInt8])? {
        var (last, separator) = (range, [UInt8]())
        while true {
            guard let after = try text.next(from: last.upperBound) else { throw .endless }
            if after.byte == UInt8(ascii: "]") { return last == range ? nil : (last, separator) }
            guard after.byte == UInt8(ascii: ","), let next = try text.next(from: after.offset + 1) else {
                throw .endless
            }
            separator = try text.bytes(in: last.upperBound..<next.offset)
            last = next.offset..<(try text.end(ofValueAt: next.offset))
        }
    }

    /// Returns the placement of records in the file.
    ///
    /// - Parameter lastItem: The last item of the list, if it is not a record.
    func placement(lastItem: Range<Int>? = nil) throws(CatalogEditError) -> RecordPlacement {
        let paths = format.recordPaths + [.everyElement]
        let list = RecordList(kind: hasLines ? .lines(lineEnd: try lineEnd) : .array)
        return try RecordPlacement(in: text, size: size, list, lastItem: lastItem) { bytes in
            EmptyRecordList(at: paths, in: bytes)
        }
    }

    /// The line end of the first line.
    private var lineEnd: [UInt8] {
        get throws(CatalogEditError) {
            var offset = 0
            while true {
                let bytes = try text.bytes(in: offset..<offset + (1 << 16))
                if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    return newline > 0 && bytes[newline - 1] == UInt8(ascii: "\r") ? [0x0D, 0x0A] : [0x0A]
                }
                if bytes.isEmpty { return [0x0A] }
                offset += bytes.count
            }
        }
    }

    /// Whether each line is a record. If there is only one line, the file name decides.
    var hasLines: Bool {
        format.recordPaths.isEmpty || format.elementPaths.allSatisfy(\.steps.isEmpty) && Self.isLines(catalog.path)
    }

    /// Whether a file with this name has one record per line.
    public static func isLines(_ path: String) -> Bool { path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson") }

    func range(of id: BookID) throws(CatalogEditError) -> Range<Int> {
        // Nothing is written unless the file is still the indexed one.
        guard let range = text.rangeAsIndexed(of: id) else { throw .recordGone(title: "") }
        return range
    }

    /// Returns the empty array for the first records, or nil if there is none.
    private func emptyList() throws(CatalogEditError) -> EmptyRecordList? {
        EmptyRecordList(at: format.recordPaths + [.everyElement], in: try text.bytes(in: 0..<fingerprint.size))
    }

    /// Returns the record of a book without a neighbour: in native form for the native profile, otherwise as defined by
    /// the profile.
    func firstRecord(of book: Book) throws(CatalogEditError) -> [UInt8] {
        let isNative = format.profile.name == ProfileRecognition.native
        let record = isNative ? book.newRecord : mapping.record(of: book)
        if let field = BookField.allCases.first(where: { !mapping.states($0, of: book, in: record) }) {
            throw .cannotHold(field, of: book, in: .object([]), mapping: mapping)
        }
        return try emptyList()?.bytes(of: record) ?? Array(record.json.utf8)
    }

    /// Returns the text between the brackets of a new list of `books` in native form.
    private static func list(of books: [Book]) -> [UInt8] {
        let indent = Array("  ".utf8)
        var bytes: [UInt8] = []
        for (number, book) in books.enumerated() {
            bytes += number > 0 ? Array(",\n".utf8) : Array("\n".utf8)
            bytes += indent
            JSONStyle.standard.write(book.newRecord, margin: indent, to: &bytes)
        }
        return books.isEmpty ? [] : bytes + Array("\n".utf8)
    }

    /// Returns the text of a new catalog of `books` in native form, with one book per line if the file name requires
    /// it.
    public static func newCatalog(of books: [Book], at path: String) -> [UInt8] {
        if isLines(path) { return Array(books.map { $0.newRecord.json + "\n" }.joined().utf8) }
        return Array("[".utf8) + list(of: books) + Array("]\n".utf8)
    }

    // MARK: - Saving

    /// Writes the changed file and replaces the old one with it; see `ReplacementFile`.
    ///
    /// - Returns: False if the file has changed since it was opened; nothing is written then.
    public func save() throws(CatalogEditError) -> Bool {
        if case .outdated = try save(journalPath: nil) { false } else { true }
    }

    /// The result of saving.
    public enum SaveResult {
        /// The file has changed since it was opened; nothing was written.
        case outdated
        /// The changes, if there are any, are saved but cannot be undone; the reason is nil if it is not worth
        /// reporting.
        case saved(UndoObstacle?)
        /// The changes are saved and can be undone.
        case undoable(EditOutcome)
    }

    /// The reason why changes cannot be undone.
    public enum UndoObstacle {
        /// They are too large for the journal.
        case tooLong
        /// The journal cannot be written.
        case journal(FileError)
    }

    /// Writes the changed file, replaces the old one with it, and records the changes in the journal, so that they can
    /// be undone.
    ///
    /// - Parameter journalPath: The path of the journal of the catalog; nil if there is none.
    public func save(journalPath: String?) throws(CatalogEditError) -> SaveResult {
        let edits = written.edits
        let journal = edits.isEmpty ? nil : journalPath.map { EditJournal(path: $0, catalogPath: catalogPath) }
        var saved: RandomAccessInput.Fingerprint?
        var step: (number: Int, isAll: Bool)?
        var journalError: FileError?
        let isWritten: Bool
        do throws(CatalogEditError) {
            isWritten = try replacement.write { [fingerprint] new throws(FileError) in
                saved = new
                do throws(FileError) {
                    step = try journal?.append(edits, writtenIn: new, over: fingerprint)
                } catch {
                    journalError = error
                    // A user without permission to write the journal may still change the catalog.
                    if !error.isForbidden { throw error }
                }
            }
        } catch {
            if let journalError, !journalError.isForbidden { throw .journal(journalError) }
            throw error
        }
        guard isWritten else { return .outdated }
        guard let saved else { return .saved(nil) }
        if let savedIndex, permutation == nil {
            catalog.keepIndex(savedIndex.segments(of: text.reader.index, after: splices), of: saved)
        }
        guard let step else {
            return .saved(written.areTooMany ? .tooLong : journalError.map(UndoObstacle.journal))
        }
        // If this fails, the next start reads the whole journal instead.
        if step.isAll { try? journal?.settle(saved, over: fingerprint) }
        // If this fails, the next change tries again.
        try? journal?.shorten()
        return .undoable(
            EditOutcome(
                number: step.number, bookCount: edits.reduce(0) { $0 + $1.bookCount },
                position: edits.first?.firstPosition ?? 0))
    }

    /// The absolute path of the catalog.
    private var catalogPath: String { resolvedPath(catalog.path) ?? catalog.path }

    /// The changed file, which can be written on any thread.
    var replacement: CatalogReplacement {
        CatalogReplacement(
            file: text.file, fingerprint: fingerprint,
            changes: permutation.map(CatalogReplacement.Changes.order)
                ?? .splices(splices.inOrder.map { FileSplice(range: $0.range, content: .bytes($0.bytes)) }),
            checking: isEmptied || text.count == 0 ? nil : catalog.siblings)
    }

    /// Returns the bytes of the file as it was opened.
    public func bytes(in range: Range<Int>) throws(CatalogEditError) -> [UInt8] { try text.bytes(in: range) }

    /// The size of the file as it was opened, in bytes.
    public var size: Int { fingerprint.size }
}

extension Book {
    /// The record of this book in the native format, with the key of the catalog as its id, and without unknown fields.
    fileprivate var newRecord: JSONValue {
        guard case .object(let members) = nativeRecord(identity: BookIdentity(key: BookIdentity.Key(of: self))) else {
            return .null
        }
        let id = sourceID.map { [JSONValue.Member(key: "id", value: .string($0))] } ?? []
        return .object(id + members.filter { $0.key != "id" && $0.key != "sourceID" && !$0.value.isBlank })
    }
}

extension JSONStyle {
    /// The style of a new catalog.
    fileprivate static let standard = JSONStyle()
}
