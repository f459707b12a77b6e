internal import ConnectorProtocol

/// A bibliography in BibTeX or BibLaTeX.
final class BibTeXConnector: Connector {
    private let input: SourceInput
    private let isBibLaTeX: Bool
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// Opens a bibliography.
    init(_ input: SourceInput, isBibLaTeX: Bool) {
        self.input = input
        self.isBibLaTeX = isBibLaTeX
        let facts = ["encoding": input.encoding.text.name]
        opened = OpenedSource(kind: isBibLaTeX ? "biblatex" : "bibtex", profile: "native", facts: facts)
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let text = try ConvertedText(input)
        let scanner = BibTeXScanner(text, limit: RowWriter.rowLimit / 4)
        var strings = BibTeXStrings()
        var number = 0
        var isCut = false
        while let item = try scanner.next() {
            isCut = item.end == .cut
            // Comments and abbreviations can be long.
            if item.type == "comment" || item.type == "preamble" || item.type == "string" {
                if item.end == .unclosed { rows.note(.unclosed, at: .record(number + 1)) }
                if item.type == "string" { strings.define(item.content) }
                try rows.checkCancellation()
                continue
            }
            number += 1
            rows.place = .line(item.line)
            if item.end == .unclosed { rows.note(.unclosed, at: .record(number)) }
            let entry = BibTeXEntry(type: item.type, item.content, strings)
            if item.isTooLarge || entry.isTooLarge {
                rows.note(.tooLarge, at: .record(number))
                continue
            }
            // Nothing is known of a book whose first field is cut off.
            if isCut, entry.fields.isEmpty { continue }
            if entry.hasForeignText, item.end == .closed { rows.note(.foreign, at: .record(number)) }
            try rows.add { entry.append(to: &$0, splitsTitles: !isBibLaTeX) }
        }
        rows.note(text.encodingErrors)
        isCut = isCut || text.isCut
        if isCut { rows.note(.cut, at: .record(max(1, number))) }
        return !isCut
    }
}
