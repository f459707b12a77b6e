/// Splits a stream of bytes into messages, one per line.
public struct MessageLines {
    /// The maximum length of a message in bytes.
    public static let limit = 1 << 20

    /// A line of the stream.
    public enum Line: Hashable, Sendable {
        /// A line without its end.
        case message([UInt8])
        /// A line longer than the maximum length of a message; its bytes are dropped.
        case tooLong
    }

    private var rest: [UInt8] = []
    private var isDropping = false

    /// Creates the state at the beginning of a stream.
    public init() {}

    /// Returns the lines completed by `bytes`, which continue the previous call; blank lines are skipped.
    public mutating func add(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var bytes = bytes[...]
        while let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            append(bytes[..<newline], to: &lines)
            bytes = bytes[bytes.index(after: newline)...]
            endLine(in: &lines)
        }
        append(bytes, to: &lines)
        return lines
    }

    /// Returns the last line of a stream, if it has no line end.
    public mutating func end() -> [Line] {
        var lines: [Line] = []
        endLine(in: &lines)
        return lines
    }

    private mutating func append(_ part: some Collection<UInt8>, to lines: inout [Line]) {
        if isDropping { return }
        if rest.count + part.count > Self.limit {
            isDropping = true
            rest = []
            lines.append(.tooLong)
        } else {
            rest += part
        }
    }

    private mutating func endLine(in lines: inout [Line]) {
        let isBlank = rest.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if !isDropping, !isBlank { lines.append(.message(rest)) }
        isDropping = false
        rest.removeAll(keepingCapacity: true)
    }
}
