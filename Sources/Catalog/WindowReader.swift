internal import Glibc

/// How the records of a catalog stand in its text.
enum CatalogShape: Hashable, Sendable {
    /// As elements of an array that is within so many objects.
    case array(enclosingObjects: Int)
    /// As values of an object, whose keys do not matter.
    case members
    /// One a line (JSON Lines).
    case lines
    /// There is one, which is all of the text.
    case document
}

/// A stretch of a catalog's text that begins and ends between two records.
struct Window: Sendable {
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
struct WindowContent: Sendable {
    /// The window's place among the others.
    var number: Int
    /// The records that are books.
    var segments: [CatalogSegment]
    /// What is no book, or no JSON.
    var faults: RecordFaults
    /// The offset in the file behind what was read.
    var end: Int
    /// Whether nothing follows.
    var isLast: Bool
}

/// What of a text could not be read, by offsets.
struct RecordFaults: Hashable, Sendable {
    /// How many values stood among the records that are no books, and how many lines that are no JSON.
    var omissionCount = 0
    /// Where the first of them is, and why, where it is no JSON.
    var firstOmission: (offset: Int, reason: JSONFault.Reason?)?
    /// Whether any line is no JSON.
    var hasMalformedLines = false
    /// Where reading ended before the text did.
    var fault: JSONFault?
    /// Where the file could not be read further, and why, as `errno` has it.
    var failure: (offset: Int, code: Int32)?
    /// Whether any record has a field of a book.
    var hasFields = false

    /// Notes a value that is no book.
    mutating func omit(_ offset: Int, _ reason: JSONFault.Reason? = nil) {
        if omissionCount == 0 { firstOmission = (offset, reason) }
        omissionCount += 1
        if reason != nil { hasMalformedLines = true }
    }

    /// Forgets the value that was noted last.
    mutating func takeBackOmission() {
        omissionCount -= 1
        if omissionCount == 0 { firstOmission = nil }
    }

    /// Adds what was found in what follows.
    mutating func append(_ next: RecordFaults) {
        omissionCount += next.omissionCount
        firstOmission = firstOmission ?? next.firstOmission
        fault = fault ?? next.fault
        failure = failure ?? next.failure
        hasFields = hasFields || next.hasFields
        hasMalformedLines = hasMalformedLines || next.hasMalformedLines
    }

    static func == (left: RecordFaults, right: RecordFaults) -> Bool {
        left.omissionCount == right.omissionCount && left.firstOmission?.offset == right.firstOmission?.offset
            && left.fault == right.fault && left.hasFields == right.hasFields
            && left.hasMalformedLines == right.hasMalformedLines && left.failure?.offset == right.failure?.offset
            && left.failure?.code == right.failure?.code
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(omissionCount)
        hasher.combine(fault)
    }
}

/// Reads the records of windows: checks all of them against RFC 8259, and takes from each what is searched.
struct WindowReader: ~Copyable {
    private let shape: CatalogShape
    private let plan: ScanPlan
    private var fields: FieldScanner
    private var builder = SegmentBuilder()
    private var faults = RecordFaults()

    /// A reader of windows of a catalog of this shape.
    init(shape: CatalogShape) {
        self.shape = shape
        plan = RecordDecoder.plan
        fields = FieldScanner(plan)
    }

    /// Reads a window of `text`, which is followed by the padding of a `JSONReader` and is overwritten in part.
    ///
    /// A fault behind the bytes at hand, where these are not the last, means that there are too few of them.
    mutating func read(_ window: Window, of text: UnsafeMutablePointer<UInt8>) -> WindowContent {
        faults = RecordFaults()
        var reader = JSONReader(text, count: window.count)
        do throws(JSONFault) {
            switch shape {
            case .array(let depth): try readElements(of: window, within: depth, with: &reader)
            case .members: try readMembers(of: window, with: &reader)
            case .lines: readLines(of: window, in: text)
            case .document:
                try readElement(at: window.offset, depth: 0, with: &reader)
                try reader.readEnd()
            }
        } catch {
            faults.fault = JSONFault(error.reason, at: window.offset + error.offset)
        }
        return WindowContent(
            number: window.number, segments: builder.take(), faults: faults, end: window.offset + window.end,
            isLast: window.isLast || faults.fault != nil)
    }

    private mutating func readElements(
        of window: Window, within depth: Int, with reader: inout JSONReader
    ) throws(JSONFault) {
        let bracket = UInt8(ascii: "]")
        var hasMore = try begin(window, depth: depth, before: bracket, with: &reader)
        while hasMore {
            try readElement(at: window.offset, depth: depth + 1, with: &reader)
            if reader.offset >= window.end && !window.isLast { return }
            hasMore = try reader.hasMore(before: bracket)
        }
        for level in stride(from: depth, to: 0, by: -1) {
            while try reader.hasMore(before: UInt8(ascii: "}")) {
                _ = try reader.readKey()
                try reader.skipValue(depth: level)
            }
        }
        try reader.readEnd()
    }

    private mutating func readMembers(of window: Window, with reader: inout JSONReader) throws(JSONFault) {
        let bracket = UInt8(ascii: "}")
        var hasMore = try begin(window, depth: 0, before: bracket, with: &reader)
        while hasMore {
            _ = try reader.readKey()
            try readElement(at: window.offset, depth: 1, with: &reader)
            if reader.offset >= window.end && !window.isLast { return }
            hasMore = try reader.hasMore(before: bracket)
        }
        try reader.readEnd()
    }

    /// Goes to where the first element of a window, or its key, begins.
    ///
    /// - Returns: Whether there is one.
    private func begin(
        _ window: Window, depth: Int, before bracket: UInt8, with reader: inout JSONReader
    ) throws(JSONFault) -> Bool {
        if window.number > 0 { return try reader.hasMore(before: bracket) }
        try reader.enter(depth: depth)
        // Where there are no elements, the bracket stands where a comma would.
        if reader.peek() != bracket { return true }
        return try reader.hasMore(before: bracket)
    }

    private mutating func readLines(of window: Window, in text: UnsafeMutablePointer<UInt8>) {
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
        let bookCount = builder.count
        let omissionCount = faults.omissionCount
        do throws(JSONFault) {
            try readElement(at: base, depth: 0, with: &reader)
            try reader.readEnd()
        } catch {
            // What begins the line was taken for a value that stands there alone.
            if builder.count > bookCount { builder.removeLast() }
            if faults.omissionCount > omissionCount { faults.takeBackOmission() }
            faults.omit(base + error.offset, error.reason)
        }
    }

    private mutating func readElement(
        at base: Int, depth: Int, with reader: inout JSONReader
    ) throws(JSONFault) {
        let first = reader.peek()
        let start = reader.offset
        guard first == UInt8(ascii: "{") else {
            try reader.skipValue(depth: depth)
            faults.omit(base + start)
            return
        }
        try fields.readRecord(depth: depth, with: &reader)
        let (accepted, refused) = (fields.accepted, fields.refused)
        if accepted | refused != 0 { faults.hasFields = true }
        // An object whose every field is of a wrong type is no book; one that only lacks fields is.
        if accepted == 0 && refused != 0 {
            faults.omit(base + start)
        } else if !builder.add(fields, of: plan, in: reader, offset: base + start) {
            builder.add(RecordDecoder().book(at: start, with: reader), offset: base + start)
        }
    }
}
