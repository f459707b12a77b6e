internal import ConnectorProtocol

/// A compressed file of JSON or JSON Lines, which is copied as it is: stacks reads all other ones itself.
final class CompressedJSONConnector: Connector {
    private let input: SourceInput
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// Recognizes the beginning of JSON in a compressed file; nil if it is another one.
    init?(_ input: SourceInput) {
        guard let compression = input.compression else { return nil }
        let text = input.prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? input.prefix.dropFirst(3) : input.prefix[...]
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        self.input = input
        opened = OpenedSource(kind: "json", facts: ["compression": compression.rawValue])
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let source = input.content()
        while true {
            let part = try source.read(upTo: 1 << 16)
            if part.isEmpty { break }
            try rows.add(text: part)
        }
        if source.isCut { rows.note(.cut, at: .line(rows.count + 1)) }
        return !source.isCut
    }
}
