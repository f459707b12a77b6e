internal import ConnectorProtocol
internal import JSON

/// Reads rows of JSON Lines from a file, one at a time.
struct RowReader {
    private let source: FileBytes
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of rows so far.
    private(set) var count = 0
    /// The number of bytes so far.
    private(set) var byteCount = 0

    private static let partSize = 1 << 18

    /// Opens the file at `path`.
    init(_ path: String) throws(ConnectorFailure) { source = try FileBytes(path) }

    /// Returns the next row, or nil at the end.
    ///
    /// - Throws: `ConnectorFailure` of the kind `format` if a line is not an object of JSON.
    mutating func next() throws(ConnectorFailure) -> JSONValue? {
        while true {
            // The last line may have no line end.
            guard let end = try lineEnd() else { return nil }
            let line = buffer[start..<end]
            start = min(end + 1, buffer.count)
            byteCount += line.count + 1
            if line.isEmpty { continue }
            count += 1
            guard let row = JSONValue(parsing: line), row.members != nil else {
                throw ConnectorFailure(.format, .damaged, at: .record(count))
            }
            return row
        }
    }

    private mutating func lineEnd() throws(ConnectorFailure) -> Int? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) { return end }
            if isAtEnd { return start < buffer.count ? buffer.count : nil }
            searched = buffer.count - start
            buffer.removeSubrange(..<start)
            start = 0
            let part = try source.read(upTo: Self.partSize)
            isAtEnd = part.isEmpty
            buffer += part
            guard buffer.count <= RowWriter.rowLimit + Self.partSize else {
                throw ConnectorFailure(.format, .tooLarge, at: .record(count + 1))
            }
        }
    }
}
