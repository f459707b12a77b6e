internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Storage

/// The format in which a catalog file spells its records, and the list that they are in. It writes nothing.
final class RecordFormat {
    let text: CatalogText
    let mapping: FieldMapping
    /// The state of the file when it was read.
    let fingerprint: RandomAccessInput.Fingerprint
    /// The loader that opens other files in the same way.
    let siblings: JSONFileLoader
    private let path: String
    private let format: CatalogFormat

    /// Examines an open catalog, which must have been read completely.
    ///
    /// - Throws: `CatalogEditError` if the catalog cannot be edited.
    init(of catalog: JSONFileCatalog) throws(CatalogEditError) {
        guard let text = CatalogText(catalog), let format = catalog.format else { throw .pipe }
        guard let fingerprint = catalog.fingerprint else { throw .pipe }
        if let obstacle = ReplacementFile.obstacle(toReplacing: catalog.path) { throw .obstacle(obstacle) }
        (self.fingerprint, path, siblings) = (fingerprint, catalog.path, catalog.siblings)
        (self.text, self.format, mapping) = (text, format, format.mapping)
    }

    // MARK: - Records

    /// Returns the changes of a record with these bytes that set `fields` to their values in `book`.
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
        if let field = mapping.inWritingOrder(fields).first(where: { !mapping.matches($0, of: book, in: new) }) {
            throw .cannotHold(field, of: book, in: old, mapping: mapping, like: examples)
        }
        return changes(of: bytes, holding: old, to: new)
    }

    /// Returns the changes that turn a record with these bytes into `new`.
    ///
    /// - Parameter old: The value of the record, if it is known.
    func changes(of bytes: [UInt8], holding old: JSONValue? = nil, to new: JSONValue) -> [TextSplice] {
        // The record was parsed before, so it is valid JSON.
        (try? ValuePatch.changes(of: bytes, holding: old, to: new) { self.style(of: $0, in: bytes) }) ?? []
    }

    /// Returns records of new books in the format of a neighbour and of the records before it.
    func records(of books: [NewBook], beside neighbour: BookID) throws(CatalogEditError) -> [[UInt8]] {
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

    /// Throws `endless` if the list of the last record is not closed.
    func checkEnd() throws(CatalogEditError) { if text.count > 0, !hasLines { _ = try endOfList() } }

    /// Returns the end of the last item of the array that contains the last record.
    private func endOfList() throws(CatalogEditError) -> Int {
        var end = try range(of: BookID(text.count - 1)).upperBound
        while true {
            guard let after = try text.next(from: end) else { throw .endless }
            if after.byte == UInt8(ascii: "]") { return end }
            guard after.byte == UInt8(ascii: ","), let next = try text.next(from: after.offset + 1) else {
                throw .endless
            }
            end = try text.end(ofValueAt: next.offset)
        }
    }

    private var knownPlacement: RecordPlacement?

    /// The placement of records in the file.
    var placement: RecordPlacement {
        get throws(CatalogEditError) {
            if let knownPlacement { return knownPlacement }
            let paths = format.recordPaths + [.everyElement]
            let list = RecordList(kind: hasLines ? .lines(lineEnd: try lineEnd) : .array)
            // A list that is not closed, or whose end is not a list, takes no records there.
            let end = text.count > 0 && !hasLines ? try? endOfList() : nil
            let placement = try RecordPlacement(in: text, size: fingerprint.size, list, listEnd: end) { bytes in
                EmptyRecordList(at: paths, in: bytes)
            }
            knownPlacement = placement
            return placement
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
        format.recordPaths.isEmpty
            || format.elementPaths.allSatisfy(\.steps.isEmpty) && JSONFileCatalog.hasLines(inFileNamed: path)
    }

    /// Returns the range of the record of a book in the file.
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
    func firstRecord(of new: NewBook) throws(CatalogEditError) -> [UInt8] {
        let isNative = format.profile.name == ProfileRecognition.native
        let book = new.book
        var record = isNative ? book.newRecord : mapping.record(of: book)
        if let field = mapping.schema.fields.first(where: { !mapping.matches($0, of: book, in: record) }) {
            throw .cannotHold(field, of: book, in: .object([]), mapping: mapping)
        }
        record = record.completed(with: new.unread)
        return try emptyList()?.bytes(of: record) ?? Array(record.json.utf8)
    }
}
