internal import ConnectorProtocol

/// A reference of RIS: the values of its tags in their order.
struct RISRecord {
    /// The values, each on one line, with their tags.
    var values: [(tag: Tag, text: String)] = []
    /// Whether the reference is longer than a row may be; it has no values then.
    var isTooLarge = false

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
        record?.values.append((tag, String(decoding: text.trimmingBlanks, as: UTF8.self)))
    }

    /// Adds a line without a tag to the previous value.
    private func proceed(_ line: ArraySlice<UInt8>) {
        guard let last = record?.values.indices.last, line.contains(where: { $0 > 0x20 }), allows(line.count) else {
            return
        }
        if record?.values[last].text.isEmpty == false { record?.values[last].text += " " }
        record?.values[last].text += String(decoding: line.trimmingBlanks, as: UTF8.self)
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

    /// Returns the next line without its end; nil at the end of the text.
    private func line() throws(ConnectorFailure) -> ArraySlice<UInt8>? {
        lineStart.removeAll(keepingCapacity: true)
        isLineTooLong = false
        while true {
            if index == part.count {
                part = try source.read(upTo: 1 << 16)
                index = 0
                if part.isEmpty { return lineStart.isEmpty ? nil : lineStart[...] }
            }
            let start = index
            let end = part[start...].firstIndex { $0 == 0x0A || $0 == 0x0D }
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
