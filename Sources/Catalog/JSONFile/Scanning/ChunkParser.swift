internal import Books
internal import Glibc
internal import Indexing
internal import JSON

/// How the records of a catalog stand in its text.
enum CatalogShape: Hashable, Sendable {
    /// As elements of the array at this path, and of others behind it.
    case array(path: [ContainerStep])
    /// As values of the object at this path, whose keys do not matter.
    case members(path: [ContainerStep])
    /// One a line (JSON Lines).
    case lines
    /// There is one, which is all of the text.
    case document
}

/// How a catalog is laid out.
struct CatalogLayout: Sendable {
    /// How its records stand.
    var shape: CatalogShape
    /// Where the array, the object or the first line begins.
    var offset: Int
    /// Where the records are.
    var records: RecordPaths
    /// What makes books of them.
    var decoder: RecordDecoder
    /// The steps to the record within each element.
    var innerSteps: [FieldPath.Step] = []
}

/// A stretch of a catalog's text that begins and ends between two records.
struct Chunk: Sendable {
    /// Its place among the windows, counted from 0.
    var number: Int
    /// The offset of its first byte in the file.
    var offset: Int
    /// How many bytes are at hand from there on.
    var count = 0
    /// Behind which byte of them the window ends.
    var end = 0
    /// Whether the file ends where the bytes do.
    var isLast = false
}

/// What reading a window gave.
struct ChunkContent: Sendable {
    /// The window's place among the others.
    var number: Int
    /// The records that are books.
    var segments: [IndexSegment]
    /// What is no book, or no JSON.
    var faults: RecordFaults
    /// The offset in the file behind what was read.
    var end: Int
    /// Whether nothing follows.
    var isLast: Bool
}

/// What of a text could not be read, by offsets.
struct RecordFaults: Hashable, Sendable {
    /// A value among the records that is no book, or a line that is no JSON.
    struct Omission: Hashable, Sendable {
        var offset: Int
        /// Why it is no JSON; nil where it is.
        var reason: JSONSyntaxError.Reason?
    }

    /// Where the file could not be read further.
    struct Failure: Hashable, Sendable {
        var offset: Int
        /// Why, as `errno` has it.
        var code: Int32
    }

    /// How many values stood among the records that are no books, and how many lines that are no JSON.
    var omissionCount = 0
    /// The first of them, of each of these kinds some.
    var omissions: [Omission] = []
    /// Whether any line is no JSON.
    var hasMalformedLines = false
    /// How many of them are lines that are no JSON; not kept with an index.
    var malformedLineCount = 0
    /// Where reading ended before the text did.
    var fault: JSONSyntaxError?
    /// Where the file could not be read further, and why.
    var failure: Failure?
    /// Whether any record has a field of a book.
    var hasFields = false

    /// How many omissions of a kind are kept.
    private static let keptCount = 10

    /// The first value that was left out.
    var firstOmission: Omission? { omissions.first }

    /// Notes a value that is no book.
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
        if alike < Self.keptCount { omissions.append(omission) }
    }

    /// Forgets the value at `offset`, which was noted last and is no book.
    mutating func takeBackOmission(at offset: Int) {
        omissionCount -= 1
        if omissions.last?.offset == offset { omissions.removeLast() }
    }

    /// Adds what was found in what follows.
    mutating func append(_ next: RecordFaults) {
        omissionCount += next.omissionCount
        next.omissions.forEach { keep($0) }
        fault = fault ?? next.fault
        failure = failure ?? next.failure
        hasFields = hasFields || next.hasFields
        hasMalformedLines = hasMalformedLines || next.hasMalformedLines
        malformedLineCount += next.malformedLineCount
    }
}

/// Reads the records of windows: checks all of them against RFC 8259, and takes from each what is searched.
struct ChunkParser: ~Copyable {
    private let layout: CatalogLayout
    private var fields: FieldExtractor
    /// What elements of the array that is being read must have to be records.
    private var filters: [FieldPath.Filter] = []
    private var indexer = RecordIndexer()
    private var faults = RecordFaults()

    /// A reader of windows of a catalog of this layout.
    init(_ layout: CatalogLayout) {
        self.layout = layout
        fields = FieldExtractor(layout.decoder.plan)
    }

    /// Reads a window of `text`, which is followed by the padding of a `JSONReader` and is overwritten in part.
    ///
    /// A fault behind the bytes at hand, where these are not the last, means that there are too few of them.
    mutating func read(_ window: Chunk, of text: UnsafeMutablePointer<UInt8>) -> ChunkContent {
        faults = RecordFaults()
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
            faults.fault = JSONSyntaxError(error.reason, at: window.offset + error.offset)
        }
        return ChunkContent(
            number: window.number, segments: indexer.writer.take(), faults: faults, end: window.offset + window.end,
            isLast: window.isLast || faults.fault != nil)
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

    /// Reads what stands behind an array or object in those that it is in, and the records there.
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

    /// Reads the value that begins here and is at `path`, and the records in it.
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

    /// Goes to where the first element of a window, or its key, begins.
    ///
    /// - Returns: Whether there is one.
    private func begin(
        _ window: Chunk, depth: Int, before bracket: UInt8, with reader: inout JSONReader
    ) throws(JSONSyntaxError) -> Bool {
        if window.number > 0 { return try reader.hasMore(before: bracket) }
        try reader.enter(depth: depth)
        // Where there are no elements, the bracket stands where a comma would.
        if reader.peek() != bracket { return true }
        return try reader.hasMore(before: bracket)
    }

    private mutating func readLines(of window: Chunk, in text: UnsafeMutablePointer<UInt8>) {
        var start = 0
        while start < window.end {
            let newline = memchr(text + start, 0x0A, window.end - start)
            let end = newline.map { UnsafeMutableRawPointer(text).distance(to: $0) } ?? window.end
            // A zero ends a text for its reader.
            text[end] = 0
            var reader = JSONReader(text, count: end, offset: start)
            if reader.peek() != nil { readLine(at: window.offset, with: &reader) }
            start = end + 1
        }
    }

    private mutating func readLine(at base: Int, with reader: inout JSONReader) {
        let bookCount = indexer.writer.count
        let omissionCount = faults.omissionCount
        _ = reader.peek()
        let start = base + reader.offset
        do throws(JSONSyntaxError) {
            try readElement(at: base, depth: 0, with: &reader)
            try reader.readEnd()
        } catch {
            // What begins the line was taken for a value that stands there alone.
            if indexer.writer.count > bookCount { indexer.writer.removeLast() }
            if faults.omissionCount > omissionCount { faults.takeBackOmission(at: start) }
            faults.omit(base + error.offset, error.reason)
        }
    }

    private mutating func readElement(
        at base: Int, depth: Int, with reader: inout JSONReader
    ) throws(JSONSyntaxError) {
        let first = reader.peek()
        let start = reader.offset
        guard first == UInt8(ascii: "{") else {
            try reader.skipValue(depth: depth)
            faults.omit(base + start)
            return
        }
        try fields.readRecord(depth: depth, with: &reader)
        if !filters.isEmpty || !layout.innerSteps.isEmpty {
            // What does not pass, or has nothing where the record is, is none.
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

    /// Whether the object at `offset`, which has values that these fields can be read from and cannot, is a book; where it
    /// is none, that is noted.
    private mutating func isBook(accepted: UInt8, refused: UInt8, at offset: Int) -> Bool {
        if accepted | refused != 0 { faults.hasFields = true }
        // An object whose every field is of a wrong type is no book; one that only lacks fields is.
        if accepted == 0 && refused != 0 {
            faults.omit(offset)
            return false
        }
        return true
    }
}

extension JSONReader {
    /// Reads the array or object that begins here; `value` reads each of the values in it.
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
