internal import ConnectorProtocol
internal import Glibc

/// The rows of the last copy of a library. Each row begins with the id of its book.
struct LastRows {
    private var file: FileBytes?
    private var ranges: [Int: Range<Int>] = [:]

    private static let start = Array("{\"id\":".utf8)
    private static let headSize = 32

    /// Creates an empty collection.
    init() {}

    /// Indexes the rows of the copy at `path`; there are none if it cannot be read.
    init(ofFileAt path: String) {
        guard let file = try? FileBytes(path) else { return }
        self.file = file
        var lineStart = 0
        // The start of a line that continues in the next part, as far as it may contain the id.
        var line: [UInt8] = []
        var offset = 0
        while let part = try? file.read(upTo: 1 << 20), !part.isEmpty {
            var rest = part[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end].prefix(Self.headSize)
                let next = offset + end + 1
                add(line, lineStart..<next)
                line.removeAll(keepingCapacity: true)
                (lineStart, rest) = (next, rest[(end + 1)...])
            }
            if line.count < Self.headSize { line += rest.prefix(Self.headSize) }
            offset += part.count
        }
    }

    private mutating func add(_ line: [UInt8], _ range: Range<Int>) {
        guard line.starts(with: Self.start) else { return }
        let digits = line.dropFirst(Self.start.count).prefix { $0 >= 0x30 && $0 <= 0x39 }
        if let id = Int(String(decoding: digits, as: UTF8.self)) { ranges[id] = range }
    }

    /// Returns whether there is a row of the book with this id.
    func contains(_ id: Int) -> Bool { ranges[id] != nil }

    /// Removes the rows of changed books.
    mutating func remove(_ ids: [Int]) {
        for id in ids { ranges[id] = nil }
    }

    /// Writes the row of a book, if there is one.
    ///
    /// - Returns: Whether there is a row.
    func write(_ id: Int, to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        guard let file, let range = ranges[id] else { return false }
        var row = [UInt8](repeating: 0, count: range.count - 1)
        let count = row.withUnsafeMutableBytes {
            pread(file.descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound))
        }
        guard count == row.count else { return false }
        try rows.add { $0 += row }
        return true
    }
}
