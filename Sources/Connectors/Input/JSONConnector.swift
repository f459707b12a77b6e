internal import ConnectorProtocol
internal import Glibc

/// Compressed JSON or JSON from the network, which is copied unchanged. stacks itself reads all other JSON files.
final class JSONConnector: Connector {
    private let input: SourceInput
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// Opens JSON; fails for other formats and for uncompressed files.
    init?(_ input: SourceInput) {
        guard input.compression != nil || input.isRemote else { return nil }
        let text = input.prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? input.prefix.dropFirst(3) : input.prefix[...]
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        self.input = input
        opened = OpenedSource(
            kind: "json", facts: input.compression.map { ["compression": $0.rawValue] } ?? [:])
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let source = input.content()
        var nesting = JSONNesting()
        while true {
            // Available rows are shown while waiting for the rest.
            let part = try source.readSome(upTo: 1 << 16)
            if part.isEmpty { break }
            nesting.add(part)
            try rows.add(text: part, count: nesting.recordCount, isLines: nesting.isLines)
        }
        let isWhole = nesting.isClosed && !source.isCut
        if !isWhole {
            rows.note(.cut, at: nesting.isLines ? .line(rows.count + 1) : nil)
            if nesting.isLines { rows.dropPartialLine() }
        }
        return isWhole
    }
}

/// The nesting depth of a JSON text, which shows whether the text is complete.
struct JSONNesting {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var first: UInt8?
    private var hasFirstLine = false
    /// Whether the last part ended within a line.
    private var isInLine = false
    /// The number of objects by their depth; deeper ones are parts of records.
    private var counts = (outermost: 0, second: 0, third: 0)
    /// The number of completed lines, if each is an object.
    private var lineCount = 0

    /// Whether the text is JSON Lines: the first line is an object.
    private(set) var isLines = false

    /// Whether all brackets and strings are closed. For JSON Lines, only the last line counts, because damaged lines do
    /// not affect later ones.
    var isClosed: Bool { depth == 0 && !isInString }

    /// The number of records: lines, or elements of the array of records.
    var recordCount: Int {
        if isLines { return lineCount + counts.outermost }
        return first == UInt8(ascii: "[") ? counts.second : max(counts.outermost, counts.third)
    }

    /// Adds the next part of the text.
    mutating func add(_ part: [UInt8]) {
        if first == nil { first = part.first { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } }
        var rest = part[...]
        if isLines, let last = part.lastIndex(of: UInt8(ascii: "\n")) {
            // Completed lines no longer matter.
            lineCount += Self.lineCount(part[...last], after: isInLine)
            (depth, isInString, isEscaped, counts) = (0, false, false, (0, 0, 0))
            rest = part[(last + 1)...]
        }
        scan(rest)
        isInLine = part.last.map { $0 != UInt8(ascii: "\n") } ?? isInLine
    }

    /// Counts the ends of lines that are not blank.
    ///
    /// - Parameter isInLine: Whether the text continues a line.
    private static func lineCount(_ text: ArraySlice<UInt8>, after isInLine: Bool) -> Int {
        text.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            var (count, index, isBlank) = (0, 0, !isInLine)
            while index < bytes.count, let found = memchr(start + index, 0x0A, bytes.count - index) {
                let end = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(found))
                isBlank = isBlank && (end == index || end == index + 1 && bytes[index] == 0x0D)
                if !isBlank { count += 1 }
                (index, isBlank) = (end + 1, true)
            }
            return count
        }
    }

    private mutating func scan(_ part: ArraySlice<UInt8>) {
        for byte in part {
            if byte == UInt8(ascii: "\n") {
                endLine()
            } else if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if byte == UInt8(ascii: "}") { countObject() }
            }
        }
    }

    private mutating func countObject() {
        switch depth {
        case 0: counts.outermost += 1
        case 1: counts.second += 1
        case 2: counts.third += 1
        default: break
        }
    }

    private mutating func endLine() {
        if !hasFirstLine, first != nil {
            hasFirstLine = true
            isLines = first == UInt8(ascii: "{") && isClosed
        }
        if isLines {
            lineCount += counts.outermost
            (depth, isInString, isEscaped, counts) = (0, false, false, (0, 0, 0))
        }
    }
}
