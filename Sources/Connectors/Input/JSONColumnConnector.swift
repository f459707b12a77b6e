internal import ConnectorProtocol

/// Lines of cells between tabs of which the last is a JSON object, as in the dumps of Open Library: type, key, revision,
/// time and record. The rows are the objects as they are.
///
/// Of a dump with a type for each line, rows are the editions and works; authors and redirections are no books.
final class JSONColumnConnector: Connector {
    private let input: SourceInput
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// The maximum number of lines by which the format is recognized.
    private static let sampleCount = 20

    /// Opens such lines; fails for other text.
    init?(_ input: SourceInput) {
        let lines = input.prefix.split(separator: UInt8(ascii: "\n")).prefix(Self.sampleCount + 1)
        // The prefix may end within a line.
        let whole = input.isWhole || lines.count > Self.sampleCount ? lines : lines.dropLast()
        let isDump =
            !whole.isEmpty
            && whole.allSatisfy { line in
                let line = Self.trimmed(line)
                return line.last == UInt8(ascii: "}") && Self.start(ofRecordIn: line) != nil
            }
        guard isDump else { return nil }
        self.input = input
        opened = OpenedSource(
            kind: "json", facts: input.compression.map { ["compression": $0.rawValue] } ?? [:])
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let source = input.content()
        var rest: [UInt8] = []
        var line = 0
        var isAtEnd = false
        while !isAtEnd {
            let part = try source.readSome(upTo: 1 << 18)
            isAtEnd = part.isEmpty
            var text = rest.isEmpty ? part[...] : (rest + part)[...]
            while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                line += 1
                try add(text[..<end], number: line, to: rows)
                text = text[(end + 1)...]
            }
            rest = Array(text)
            if rest.count > RowWriter.rowLimit { throw ConnectorFailure(.refused, .tooLarge, subject: input.path) }
        }
        if source.isCut {
            rows.note(.cut, at: .line(line + 1))
            return false
        }
        if !rest.isEmpty { try add(rest[...], number: line + 1, to: rows) }
        return true
    }

    private func add(_ line: ArraySlice<UInt8>, number: Int, to rows: RowWriter) throws(ConnectorFailure) {
        let line = Self.trimmed(line)
        if line.isEmpty || !Self.isOfBook(line) { return }
        guard let start = Self.start(ofRecordIn: line) else {
            rows.note(.malformed, at: .line(number))
            return
        }
        try rows.add { $0 += line[start...] }
    }

    /// Whether a line has a type of books, or no type.
    private static func isOfBook(_ line: ArraySlice<UInt8>) -> Bool {
        !line.starts(with: "/type/".utf8)
            || ["/type/edition\t", "/type/work\t"].contains { line.starts(with: $0.utf8) }
    }

    /// Returns where the object after the last tab starts; nil if there is none.
    private static func start(ofRecordIn line: ArraySlice<UInt8>) -> Int? {
        // Tabs within the object are escaped.
        guard let tab = line.lastIndex(of: UInt8(ascii: "\t")), tab + 1 < line.endIndex,
            line[tab + 1] == UInt8(ascii: "{")
        else { return nil }
        return tab + 1
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
