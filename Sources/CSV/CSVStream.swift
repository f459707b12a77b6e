/// Reads rows of CSV from a stream, row by row, and goes on after malformed ones.
///
/// It needs memory for a buffer and the longest row. Each error costs one line: reading goes on with the next one, so
/// that a quote without its partner does not swallow the rest of the file; a field that is too long costs its row. A
/// error is found at most twice in the same bytes, because text that a closed field may contain does not open a field
/// when it is read on its own; therefore the time is linear in the length of the stream.
public final class CSVStream {
    /// The next part of the stream.
    public enum Event: Hashable, Sendable {
        /// A row; `field(_:)` returns its fields until the next call of `next()`.
        case row(line: Int)
        /// A malformed row, whose line was skipped.
        case syntaxError(CSVSyntaxError)
        /// A row that is too long, whose line was skipped.
        case tooLong(line: Int)
    }

    /// The bytes after the buffer that may be read.
    public static let paddingCount = 64

    private var scanner: CSVScanner
    private let rowLimit: Int
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var buffer: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes in the buffer.
    private var count = 0
    /// The offset of the next row.
    private var index = 0
    private var line = 1
    private var isAtEnd = false
    /// The number of fields of the last row; nil before the first one.
    private var usualFieldCount: Int?

    /// The lines after an open quote that are compared with rows.
    private static let sampleCount = 100

    /// Creates a reader of the UTF-8 text that `read` returns in parts; it fills a part of the buffer that it is given
    /// and returns the number of bytes, zero at the end. Rows longer than `rowLimit` bytes are errors; of rows with
    /// more than `fieldLimit` fields, one more is kept.
    public init(
        separator: UInt8, bufferSize: Int = 1 << 18, rowLimit: Int = 1 << 22, fieldLimit: Int = .max,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        scanner = CSVScanner(separator: separator, acceptsStrayQuotes: true)
        scanner.fieldLimit = fieldLimit
        self.rowLimit = rowLimit
        self.read = read
        buffer = .allocate(capacity: bufferSize + Self.paddingCount)
        buffer.initialize(repeating: 0)
    }

    deinit { buffer.deallocate() }

    /// The number of fields of the row.
    public var fieldCount: Int { scanner.fields.count }

    /// Whether a quoted field of the row has a quote that is not doubled.
    public var hasStrayQuotes: Bool { scanner.hasStrayQuotes }

    /// The bytes of the row, with quotes and separators; at least `paddingCount` bytes after them may be read.
    public var row: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[rowStart..<max(rowStart, index)])
    }
    private var rowStart = 0

    /// Returns the bytes of a field of the row without quotes; at least `paddingCount` bytes after them may be read.
    @inline(__always)
    public func field(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        var field = scanner.fields[number]
        if field.hasDoubledQuotes { field = undoubled(field, number) }
        return UnsafeBufferPointer(
            start: UnsafePointer(buffer.baseAddress.map { $0 + field.start }), count: field.end - field.start)
    }

    /// Returns the next row or error, or nil at the end of the stream.
    public func next() throws -> Event? {
        undoubledFields.removeAll(keepingCapacity: true)
        while true {
            try skipLineEnds()
            guard index < count else { return nil }
            switch scanner.scan(text, from: index, isLast: isAtEnd) {
            case .row:
                rowStart = index
                usualFieldCount = scanner.fields.count
                let event = Event.row(line: line)
                index = scanner.end
                line += scanner.lineEnds
                return event
            case .incomplete where count - index <= rowLimit: try fill()
            case .incomplete:
                let outcome = scanner.scan(text, from: index, isLast: true)
                // A quote without its partner has the rows of the table behind it, a long field has not.
                if case .syntaxError(let kind) = outcome, isFollowedByRows { return try skipLine(kind) }
                return try skipRow()
            case .syntaxError(let kind): return try skipLine(kind)
            }
        }
    }

    private var undoubledFields: [Int: CSVScanner.Field] = [:]

    /// Halves the doubled quotes of a field, in place.
    private func undoubled(_ field: CSVScanner.Field, _ number: Int) -> CSVScanner.Field {
        if let done = undoubledFields[number] { return done }
        var source = field.start
        var target = field.start
        while source < field.end {
            let byte = buffer[source]
            buffer[target] = byte
            target += 1
            source += byte == UInt8(ascii: "\"") && source + 1 < field.end && buffer[source + 1] == byte ? 2 : 1
        }
        let done = CSVScanner.Field(start: field.start, end: target, hasDoubledQuotes: true)
        undoubledFields[number] = done
        return done
    }

    private var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<count])
    }

    private func skipLineEnds() throws {
        while true {
            if index == count {
                if isAtEnd { return }
                try fill()
                continue
            }
            switch buffer[index] {
            case UInt8(ascii: "\n"): index += 1
            case UInt8(ascii: "\r"):
                if index + 1 == count, !isAtEnd {
                    try fill()
                    continue
                }
                index += index + 1 < count && buffer[index + 1] == UInt8(ascii: "\n") ? 2 : 1
            default: return
            }
            line += 1
        }
    }

    /// Skips the line at `index`, whose row has an error.
    private func skipLine(_ kind: CSVSyntaxError.Kind) throws -> Event {
        let syntaxError = Event.syntaxError(CSVSyntaxError(kind: kind, line: line))
        while true {
            while index < count, buffer[index] != UInt8(ascii: "\n"), buffer[index] != UInt8(ascii: "\r") { index += 1 }
            if index < count || isAtEnd { return syntaxError }
            try fill()
        }
    }

    /// Whether at least half of the lines after that at `index` have as many separators as the last row. Before the
    /// first row, that is assumed.
    private var isFollowedByRows: Bool {
        let lines = text[index...].split(maxSplits: Self.sampleCount, omittingEmptySubsequences: true) {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        // The first line has the quote, and the last one may not be whole.
        let sample = lines.dropFirst().dropLast()
        guard !sample.isEmpty else { return false }
        guard let usualFieldCount else { return true }
        let count = sample.count { line in line.count { $0 == scanner.separator } == usualFieldCount - 1 }
        return count * 2 >= sample.count
    }

    /// Skips the row at `index`, which is too long to be kept, up to its line end. A field that is not closed ends with
    /// the stream.
    private func skipRow() throws -> Event {
        let event = Event.tooLong(line: line)
        var isQuoted = false
        var isFieldStart = true
        while true {
            if index + 1 >= count, !isAtEnd { try fill() }
            guard index < count else { return event }
            let byte = buffer[index]
            let next = index + 1 < count ? buffer[index + 1] : UInt8(ascii: "\n")
            let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if isQuoted {
                if byte == UInt8(ascii: "\""), next == byte {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    // Any other quote is a stray one within the field.
                    isQuoted = ![scanner.separator, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(next)
                } else if isLineEnd, byte == UInt8(ascii: "\n") || next != UInt8(ascii: "\n") {
                    line += 1
                }
            } else {
                if isLineEnd { return event }
                isQuoted = isFieldStart && byte == UInt8(ascii: "\"")
                isFieldStart = byte == scanner.separator
            }
            index += 1
        }
    }

    /// Moves the unread bytes to the start of the buffer and reads more.
    private func fill() throws {
        if index > 0 {
            let rest = count - index
            if rest > 0, let base = buffer.baseAddress { base.update(from: base + index, count: rest) }
            index = 0
            count = rest
        }
        if count + Self.paddingCount >= buffer.count {
            let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: buffer.count * 2)
            larger.initialize(repeating: 0)
            if let base = buffer.baseAddress { larger.baseAddress?.update(from: base, count: count) }
            buffer.deallocate()
            buffer = larger
        }
        // Parts may be small, and the row at the start is scanned again after each call.
        while !isAtEnd, count + Self.paddingCount < buffer.count {
            let space = UnsafeMutableRawBufferPointer(buffer)[count..<buffer.count - Self.paddingCount]
            let added = try read(UnsafeMutableRawBufferPointer(rebasing: space))
            if added == 0 { isAtEnd = true }
            count += added
        }
    }
}
