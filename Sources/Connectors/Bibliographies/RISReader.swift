internal import ConnectorProtocol
internal import Glibc

/// A reference of RIS: the values of its tags in their order.
struct RISRecord {
    /// The texts of the values, one behind the other, each on one line.
    private(set) var text: [UInt8] = []
    /// The places of the values in the text, with their tags.
    var values: [(tag: Tag, place: Range<Int>)] = []
    /// Whether the reference is longer than a row may be; it has no values then.
    var isTooLarge = false
    /// The line of its type, counted from 1.
    var line = 0

    /// Creates a reference without values.
    init(at line: Int, isTooLarge: Bool = false) {
        (self.line, self.isTooLarge) = (line, isTooLarge)
        if isTooLarge { return }
        // Most have some hundred bytes.
        text.reserveCapacity(1024)
        values.reserveCapacity(32)
    }

    /// Adds a value.
    mutating func add(_ tag: Tag, _ line: ArraySlice<UInt8>) {
        let start = text.count
        text += line
        values.append((tag, start..<text.count))
    }

    /// Adds a line to the last value.
    mutating func proceed(_ line: ArraySlice<UInt8>) {
        guard let last = values.indices.last else { return }
        if !values[last].place.isEmpty { text.append(UInt8(ascii: " ")) }
        text += line
        values[last].place = values[last].place.lowerBound..<text.count
    }

    /// A tag of two characters, such as "TI".
    struct Tag: Hashable, ExpressibleByStringLiteral {
        private let characters: UInt16

        init(_ first: UInt8, _ second: UInt8) { characters = UInt16(first) << 8 | UInt16(second) }

        init(stringLiteral text: StaticString) { self.init(text.utf8Start[0], text.utf8Start[1]) }

        /// The tag as text.
        var text: String { String(decoding: [UInt8(characters >> 8), UInt8(characters & 0xFF)], as: UTF8.self) }
    }
}

/// Reads references of RIS line by line. It needs memory for one reference.
///
/// A line without a tag continues the previous value, and text outside of references is ignored.
struct RISReader {
    private let source: any ByteSource
    private let limit: Int
    /// A part of the text, with the start of its first line from the part before.
    private var part: [UInt8] = []
    /// The place of the next line in the part.
    private var index = 0
    /// The next places of the bytes that end a line, from the last one that was looked for.
    private var ends: (feed: Int, carriage: Int) = (-1, -1)
    private var record: RISRecord?
    private var size = 0
    private var count = 0
    /// The number of references with an end tag.
    private var endCount = 0
    private var lacksEnd = false
    /// The number of lines so far.
    private var lineCount = 0

    /// Whether only the last reference has no end tag. Files without any end tag exist, too.
    var isCut: Bool { lacksEnd && (endCount > 0 || count == 1) }

    /// Creates a reader of UTF-8 text, which leaves out references longer than `limit` bytes.
    init(_ source: any ByteSource, limit: Int) {
        (self.source, self.limit) = (source, limit)
    }

    /// Returns the next reference; nil at the end of the text.
    mutating func next() throws(ConnectorFailure) -> RISRecord? {
        while let line = try line() {
            guard let (tag, value) = value(in: line) else {
                proceed(line)
                continue
            }
            switch tag {
            case "TY":
                let last = record
                begin()
                add(tag, value)
                if let last { return last }
            case "ER":
                guard let last = record else { continue }
                record = nil
                endCount += 1
                return last
            default: add(tag, value)
            }
        }
        if record != nil { lacksEnd = true }
        defer { record = nil }
        return record
    }

    private mutating func begin() {
        record = RISRecord(at: lineCount)
        count += 1
        size = 0
    }

    private mutating func add(_ tag: RISRecord.Tag, _ value: Range<Int>) {
        guard allows(value.count) else { return }
        record?.add(tag, part[value].trimmingBlanks)
    }

    /// Adds a line without a tag to the previous value.
    private mutating func proceed(_ line: Range<Int>) {
        let text = part[line].trimmingBlanks
        guard !text.isEmpty, record?.values.isEmpty == false, allows(line.count) else { return }
        record?.proceed(text)
    }

    /// Counts a text of the reference; returns whether it is to be kept.
    private mutating func allows(_ count: Int) -> Bool {
        size += count
        if size > limit { record = record.map { RISRecord(at: $0.line, isTooLarge: true) } }
        return record?.isTooLarge == false
    }

    // MARK: Lines

    /// Returns the tag at the start of a line, and the place of the text after it and a hyphen between blanks; nil if there
    /// is none.
    private func value(in line: Range<Int>) -> (RISRecord.Tag, Range<Int>)? {
        let start = line.lowerBound
        guard line.count > 3, part[start + 2] == 0x20, (0x41...0x5A).contains(part[start]),
            (0x41...0x5A).contains(part[start + 1]) || (0x30...0x39).contains(part[start + 1])
        else { return nil }
        var hyphen = start + 3
        while hyphen < line.upperBound, part[hyphen] == 0x20 { hyphen += 1 }
        guard hyphen < line.upperBound, part[hyphen] == UInt8(ascii: "-") else { return nil }
        return (RISRecord.Tag(part[start], part[start + 1]), hyphen + 1..<line.upperBound)
    }

    /// Returns the place of the next line without its end; nil at the end of the text.
    private mutating func line() throws(ConnectorFailure) -> Range<Int>? {
        var searched = index
        lineCount += 1
        while true {
            let start = index
            if let end = endOfLine(from: searched) {
                index = end + 1
                if index < part.count, part[end] == 0x0D, part[index] == 0x0A { index += 1 }
                return start..<end
            }
            let more = try source.read(upTo: 1 << 16)
            if more.isEmpty {
                index = part.count
                return start == index ? nil : start..<index
            }
            part.removeFirst(start)
            // Only the length of a line counts if it is too long for a reference, and twice the limit is too long.
            if part.count > 2 * limit + more.count { part.removeLast(more.count) }
            (index, ends, searched) = (0, (-1, -1), part.count)
            part += more
        }
    }

    /// Returns the place of the byte that ends the line at `start`; nil if the line goes on in the next part.
    private mutating func endOfLine(from start: Int) -> Int? {
        // In most files one of the two does not occur, which must not be found out again for each line.
        if ends.feed < start { ends.feed = place(of: 0x0A, from: start) }
        if ends.carriage < start { ends.carriage = place(of: 0x0D, from: start) }
        let end = min(ends.feed, ends.carriage)
        return end == part.count ? nil : end
    }

    private func place(of byte: UInt8, from start: Int) -> Int {
        part.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), bytes.count - start)
            else {
                return bytes.count
            }
            return base.distance(to: UnsafeRawPointer(found))
        }
    }
}
