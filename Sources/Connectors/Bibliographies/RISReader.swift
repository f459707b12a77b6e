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

    /// Creates a reference without values.
    init(isTooLarge: Bool = false) {
        self.isTooLarge = isTooLarge
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
        private let first: UInt8
        private let second: UInt8

        init(_ first: UInt8, _ second: UInt8) { (self.first, self.second) = (first, second) }

        init(stringLiteral text: StaticString) { self.init(text.utf8Start[0], text.utf8Start[1]) }

        /// The tag of a value that was taken.
        static let taken = Tag(0, 0)

        /// The tag as text.
        var text: String { String(decoding: [first, second], as: UTF8.self) }
    }
}

/// Reads references of RIS line by line. It needs memory for one reference.
///
/// A line without a tag continues the previous value, and text outside of references is ignored.
final class RISReader {
    private let source: any ByteSource
    private let limit: Int
    private var part: [UInt8] = []
    private var index = 0
    /// The next places of the bytes that end a line, from the last one that was looked for.
    private var ends: (feed: Int, carriage: Int) = (-1, -1)
    /// The start of a line that goes on in the next part.
    private var lineStart: [UInt8] = []
    private var isLineTooLong = false
    private var record: RISRecord?
    private var size = 0
    private var count = 0
    /// The number of references with an end tag.
    private var endCount = 0
    private var lacksEnd = false

    /// Whether only the last reference has no end tag. Files without any end tag exist, too.
    var isCut: Bool { lacksEnd && (endCount > 0 || count == 1) }

    /// Creates a reader of UTF-8 text, which leaves out references longer than `limit` bytes.
    init(_ source: any ByteSource, limit: Int) {
        (self.source, self.limit) = (source, limit)
    }

    /// Returns the next reference; nil at the end of the text.
    func next() throws(ConnectorFailure) -> RISRecord? {
        while let line = try line() {
            switch tag(of: line) {
            case "TY"?:
                let last = record
                begin()
                add("TY", line.dropTag)
                if let last { return last }
            case "ER"?:
                guard let last = record else { continue }
                record = nil
                endCount += 1
                return last
            case let tag?: add(tag, line.dropTag)
            case nil: proceed(line)
            }
        }
        if record != nil { lacksEnd = true }
        defer { record = nil }
        return record
    }

    private func begin() {
        record = RISRecord()
        count += 1
        size = 0
    }

    private func add(_ tag: RISRecord.Tag, _ text: ArraySlice<UInt8>) {
        guard allows(text.count) else { return }
        record?.add(tag, text.trimmingBlanks)
    }

    /// Adds a line without a tag to the previous value.
    private func proceed(_ line: ArraySlice<UInt8>) {
        guard record?.values.isEmpty == false, line.contains(where: { $0 > 0x20 }), allows(line.count) else { return }
        record?.proceed(line.trimmingBlanks)
    }

    /// Counts a text of the reference; returns whether it is to be kept.
    private func allows(_ count: Int) -> Bool {
        size += count
        if size > limit || isLineTooLong { record = record.map { _ in RISRecord(isTooLarge: true) } }
        return record?.isTooLarge == false
    }

    /// Returns the tag at the start of a line, before blanks and a hyphen.
    private func tag(of line: ArraySlice<UInt8>) -> RISRecord.Tag? {
        let start = line.startIndex
        guard line.count > 3, (0x41...0x5A).contains(line[start]), line[start + 2] == 0x20,
            (0x41...0x5A).contains(line[start + 1]) || (0x30...0x39).contains(line[start + 1]),
            line.dropFirst(2).first(where: { $0 != 0x20 }) == UInt8(ascii: "-")
        else { return nil }
        return RISRecord.Tag(line[start], line[start + 1])
    }

    // MARK: Lines

    /// Returns the place of the byte that ends the line at `start`; nil if the line goes on in the next part.
    private func endOfLine(from start: Int) -> Int? {
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

    /// Returns the next line without its end; nil at the end of the text.
    private func line() throws(ConnectorFailure) -> ArraySlice<UInt8>? {
        lineStart.removeAll(keepingCapacity: true)
        isLineTooLong = false
        while true {
            if index == part.count {
                part = try source.read(upTo: 1 << 16)
                (index, ends) = (0, (-1, -1))
                if part.isEmpty { return lineStart.isEmpty ? nil : lineStart[...] }
            }
            let start = index
            let end = endOfLine(from: start)
            index = end.map { $0 + 1 } ?? part.count
            let piece = part[start..<(end ?? part.count)]
            if end != nil, lineStart.isEmpty { return piece }
            isLineTooLong = isLineTooLong || lineStart.count + piece.count > limit
            if !isLineTooLong { lineStart += piece }
            if end != nil { return lineStart[...] }
        }
    }
}

extension ArraySlice<UInt8> {
    /// The text after the hyphen of a tag.
    fileprivate var dropTag: ArraySlice<UInt8> { drop { $0 != UInt8(ascii: "-") }.dropFirst() }

    /// The text without blanks at its ends.
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        let start = firstIndex { $0 > 0x20 } ?? endIndex
        return self[start..<(lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start)]
    }
}
