internal import ConnectorProtocol

/// A bibliography in RIS.
final class RISConnector: Connector {
    private let input: SourceInput
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// Opens a bibliography.
    init(_ input: SourceInput) {
        self.input = input
        let facts = ["encoding": input.encoding.text.name]
        opened = OpenedSource(kind: "ris", profile: "native", facts: facts)
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let text = try ConvertedText(input)
        var reader = RISReader(text, limit: RowWriter.rowLimit / 4)
        var number = 0
        while var record = try reader.next() {
            number += 1
            rows.place = .line(record.line)
            if record.isTooLarge {
                rows.note(.tooLarge, at: .record(number))
            } else {
                try rows.add { record.append(to: &$0) }
            }
        }
        rows.note(text.encodingErrors)
        let isCut = reader.isCut || text.isCut
        if isCut { rows.note(.cut, at: .record(max(1, number))) }
        return !isCut
    }
}
