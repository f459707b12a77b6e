internal import Books
internal import Glibc
internal import Indexing
internal import JSON

/// The arrangement of records in the text of a catalog.
enum CatalogShape: Hashable, Sendable {
    /// The records are elements of the array at this path, and of others after it.
    case array(path: [ContainerStep])
    /// The records are the values of the object at this path, whose keys are ignored.
    case members(path: [ContainerStep])
    /// Each line is a record (JSON Lines).
    case lines
    /// The whole text is a single record.
    case document
}

/// The layout of a catalog's text.
struct CatalogLayout: Sendable {
    /// The arrangement of the records.
    var shape: CatalogShape
    /// The offset at which the array, object or first line begins.
    var offset: Int
    /// The paths of the records.
    var records: RecordPaths
    /// The decoder of the records.
    var decoder: RecordDecoder
    /// The steps from an element to the record within it.
    var innerSteps: [FieldPath.Step] = []
}

/// A part of a catalog's text that begins and ends between two records.
struct Chunk: Sendable {
    /// The number of the chunk, from 0.
    var number: Int
    /// The offset of its first byte in the file.
    var offset: Int
    /// The number of bytes that were read.
    var count = 0
    /// The length of the chunk in bytes, up to the end of its last record.
    var end = 0
    /// Whether the file ends with these bytes.
    var isLast = false
}

/// The result of parsing a chunk.
struct ChunkContent: Sendable {
    /// The number of the chunk.
    var number: Int
    /// The index of the records that are books.
    var segments: [IndexSegment]
    /// The values that are not books, and the syntax errors.
    var problems: RecordProblems
    /// The offset in the file after the chunk.
    var end: Int
    /// Whether this is the last chunk of the file.
    var isLast: Bool
}

/// The problems in a text, by offset.
struct RecordProblems: Hashable, Sendable {
    /// A value that is not a book, or a malformed line.
    struct Omission: Hashable, Sendable {
        var offset: Int
        /// The syntax error of a malformed line.
        var reason: JSONSyntaxError.Reason?
    }

    /// An I/O error.
    struct Failure: Hashable, Sendable {
        var offset: Int
        /// The `errno` of the error.
        var code: Int32
    }

    /// Whether there are no problems.
    var areNone: Bool { omissionCount == 0 && syntaxError == nil && failure == nil }

    /// The number of skipped values that are not books, plus malformed lines.
    var omissionCount = 0
    /// The first skipped values of each kind.
    var omissions: [Omission] = []
    /// Whether any line is malformed.
    var hasMalformedLines = false
    /// The number of malformed lines; not stored with a cached index.
    var malformedLineCount = 0
    /// The syntax error that ended the reading.
    var syntaxError: JSONSyntaxError?
    /// The I/O error that ended the reading.
    var failure: Failure?
    /// Whether any record has a field of a book.
    var hasFields = false

    /// Those of records that are all books.
    static var none: RecordProblems {
        var none = RecordProblems()
        none.hasFields = true
        return none
    }

    /// The number of skipped values of each kind whose details are kept.
    private static let maximumCount = 10

    /// Records a value that is not a book, or a malformed line.
    mutating func omit(_ offset: Int, _ reason: JSONSyntaxError.Reason? = nil) {
        omissionCount += 1
        if reason != nil {
            hasMalformedLines = true
            malformedLineCount += 1
        }
        keep(Omission(offset: offset, reason: reason))
    }

    private mutating func keep(_ omission: Omission) {
        let alike = omissions.count { ($0.reason == nil) == (omission.reason == nil) }
        if alike < Self.maximumCount { omissions.append(omission) }
    }

    /// Removes the value at `offset` that was recorded last, because its line turned out to be malformed.
    mutating func takeBackOmission(at offset: Int) {
        omissionCount -= 1
        if omissions.last?.offset == offset { omissions.removeLast() }
    }

    /// Appends the problems of the text that follows.
    mutating func append(_ next: RecordProblems) {
        omissionCount += next.omissionCount
        next.omissions.forEach { keep($0) }
        syntaxError = syntaxError ?? next.syntaxError
        failure = failure ?? next.failure
        hasFields = hasFields || next.hasFields
        hasMalformedLines = hasMalformedLines || next.hasMalformedLines
        malformedLineCount += next.malformedLineCount
    }
}

/// Parses chunks: validates the text against RFC 8259 and extracts the indexed fields of each record.
struct ChunkParser: ~Copyable {
    private let layout: CatalogLayout
    private var fields: FieldExtractor
    /// The filters that an element of the current array must match to be a record.
    private var filters: [FieldPath.Filter] = []
    private var indexer = RecordIndexer()
    private var problems = RecordProblems()

    /// Creates a parser for a catalog with this layout.
    init(_ layout: CatalogLayout) {
        self.layout = layout
        fields = FieldExtractor(layout.decoder.plan)
    }

    /// Parses a chunk of `text`, which is followed by the padding of a `JSONReader` and is partly overwritten.
    ///
    /// A syntax error after the available bytes means that the chunk is incomplete, unless it is the last.
    mutating func read(_ window: Chunk, of text: UnsafeMutablePointer<UInt8>) -> ChunkContent {
        problems = RecordProblems()
        var reader = JSONReader(text, count: window.count)
        do throws(JSONSyntaxError) {
            switch layout.shape {
            case .array(let path), .members(let path): try readRecords(of: window, at: path, with: &reader)
            case .lines: readLines(of: window, in: text)
            case .document:
                try readValue(at: [], of: window, with: &reader)
                try reader.readEnd()
            }
        } catch {
            problems.syntaxError = JSONSyntaxError(error.reason, at: window.offset + error.offset)
        }
        return ChunkContent(
            number: window.number, segments: indexer.writer.take(), problems: problems, end: window.offset + window.end,
            isLast: window.isLast || problems.syntaxError != nil)
    }

    private mutating func readRecords(
        of window: Chunk, at path: [ContainerStep], with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        let isArray = if case .array = layout.shape { true } else { false }
        let bracket = isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
        if case .container(let filters) = layout.records.match(path) { self.filters = filters } else { filters = [] }
        let depth = path.count
        var hasMore = try begin(window, depth: depth, before: bracket, with: &reader)
        while hasMore {
            if !isArray { _ = try reader.readKey() }
            try readElement(at: window.offset, depth: depth + 1, with: &reader)
            if reader.offset >= window.end && !window.isLast { return }
            hasMore = try reader.hasMore(before: bracket)
        }
        filters = []
        try readRest(of: window, behind: path, with: &reader)
        try reader.readEnd()
    }

    /// Parses the remainder of the containers that enclose an array or object, with the records in them.
    private mutating func readRest(
        of window: Chunk, behind path: [ContainerStep], with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        let mayHaveMore = layout.records.mayGoOn(behind: path)
        for level in stride(from: path.count - 1, through: 0, by: -1) {
            let container = Array(path[..<level])
            switch path[level] {
            case .key:
                while try reader.hasMore(before: UInt8(ascii: "}")) {
                    let key = try reader.readKey()
                    if mayHaveMore {
                        try readValue(at: container + [.key(reader.string(of: key))], of: window, with: &reader)
                    } else {
                        try reader.skipValue(depth: level + 1)
                    }
                }
            case .element(var index):
                while try reader.hasMore(before: UInt8(ascii: "]")) {
                    index += 1
                    try readValue(at: container + [.element(index)], of: window, with: &reader)
                }
            }
        }
    }

    /// Parses the value that starts here and is at `path`, with the records in it.
    private mutating func readValue(
        at path: [ContainerStep], of window: Chunk, with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        let depth = path.count
        let first = reader.peek()
        let match = layout.records.match(path)
        switch (match, first) {
        case (.container(let filters), UInt8(ascii: "[")), (.container(let filters), UInt8(ascii: "{")):
            self.filters = filters
            try reader.readContainer(depth: depth) { reader, _ throws(JSONSyntaxError) in
                try readElement(at: window.offset, depth: depth + 1, with: &reader)
            }
            self.filters = []
        case (.record, UInt8(ascii: "{")): try readElement(at: window.offset, depth: depth, with: &reader)
        case (.record, UInt8(ascii: "[")):
            try reader.readArray(depth: depth) { reader throws(JSONSyntaxError) in
                try readElement(at: window.offset, depth: depth + 1, with: &reader)
            }
        case (.above, UInt8(ascii: "[")), (.above, UInt8(ascii: "{")):
            try reader.readContainer(depth: depth) { reader, step throws(JSONSyntaxError) in
                try readValue(at: path + [step], of: window, with: &reader)
            }
        default: try reader.skipValue(depth: depth)
        }
    }

    /// Moves to the first element of a chunk, or to its key.
    ///
    /// - Returns: Whether there is one.
    private func begin(
        _ window: Chunk, depth: Int, before bracket: UInt8, with reader: inout JSONReader
    ) throws(JSONSyntaxError) -> Bool {
        if window.number > 0 { return try reader.hasMore(before: bracket) }
        try reader.enter(depth: depth)
        // Without elements, the closing bracket takes the position of a comma.
        if reader.peek() != bracket { return true }
        return try reader.hasMore(before: bracket)
    }

    private mutating func readLines(of window: Chunk, in text: UnsafeMutablePointer<UInt8>) {
        var start = 0
        while start < window.end {
            let newline = memchr(text + start, 0x0A, window.end - start)
            let end = newline.map { UnsafeMutableRawPointer(text).distance(to: $0) } ?? window.end
            // A zero byte ends the text for the reader.
            text[end] = 0
            var reader = JSONReader(text, count: end, offset: start)
            if reader.peek() != nil { readLine(at: window.offset, with: &reader) }
            start = end + 1
        }
    }

    private mutating func readLine(at base: Int, with reader: inout JSONReader) {
        let bookCount = indexer.writer.count
        let omissionCount = problems.omissionCount
        _ = reader.peek()
        let start = base + reader.offset
        do throws(JSONSyntaxError) {
            try readElement(at: base, depth: 0, with: &reader)
            try reader.readEnd()
        } catch {
            // The beginning of the line was mistaken for a complete value.
            if indexer.writer.count > bookCount { indexer.writer.removeLast() }
            if problems.omissionCount > omissionCount { problems.takeBackOmission(at: start) }
            problems.omit(base + error.offset, error.reason)
        }
    }

    private mutating func readElement(
        at base: Int, depth: Int, with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        let first = reader.peek()
        let start = reader.offset
        guard first == UInt8(ascii: "{") else {
            try reader.skipValue(depth: depth)
            problems.omit(base + start)
            return
        }
        try fields.readRecord(depth: depth, with: &reader)
        if !filters.isEmpty || !layout.innerSteps.isEmpty {
            // A value that does not match, or lacks the inner path, is not a record.
            let record = layout.decoder.record(at: start, with: reader)
            guard filters.isEmpty || filters.contains(where: { $0.matches(record) }),
                layout.innerSteps.isEmpty || FieldPath(steps: layout.innerSteps).value(in: record) != nil
            else { return }
        }
        if layout.decoder.isPlanned {
            guard isBook(accepted: fields.accepted, refused: fields.refused, at: base + start) else { return }
            indexer.add(fields, of: layout.decoder, in: reader, at: start, offset: base + start)
        } else {
            let record = layout.decoder.record(at: start, with: reader)
            let (accepted, refused) = layout.decoder.fields(of: record)
            guard isBook(accepted: accepted, refused: refused, at: base + start) else { return }
            indexer.writer.add(layout.decoder.indexed(record), offset: base + start)
        }
    }

    /// Whether the object at `offset` is a book, given the fields with readable values and those with unreadable ones;
    /// records it as skipped if not.
    private mutating func isBook(accepted: UInt8, refused: UInt8, at offset: Int) -> Bool {
        if accepted | refused != 0 { problems.hasFields = true }
        // An object whose fields all have a wrong type is not a book, whereas fields may be missing.
        if accepted == 0 && refused != 0 {
            problems.omit(offset)
            return false
        }
        return true
    }
}

extension JSONReader {
    /// Reads the array or object that starts here, calling `value` for each value in it.
    fileprivate mutating func readContainer(
        depth: Int, _ value: (inout JSONReader, ContainerStep) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        if byte == UInt8(ascii: "[") {
            var index = -1
            try readArray(depth: depth) { reader throws(JSONSyntaxError) in
                index += 1
                try value(&reader, .element(index))
            }
        } else {
            try readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
                try value(&reader, .key(reader.string(of: key)))
            }
        }
    }
}
