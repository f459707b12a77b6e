internal import Search

/// A text of a card, composed of values in which a search finds different fields.
struct CardText {
    fileprivate var runs: [(text: String, field: Query.TextField?)]

    /// Creates the text of a value; empty if there is none.
    ///
    /// - Parameter field: The field in which a search finds the value, if any.
    init(_ text: String?, _ field: Query.TextField? = nil) {
        runs = text.map { $0.isEmpty ? [] : [($0, field)] } ?? []
    }

    fileprivate init(runs: [(text: String, field: Query.TextField?)]) { self.runs = runs }

    /// Whether there is no text.
    var isEmpty: Bool { runs.isEmpty }

    /// The whole text.
    var text: String { runs.map(\.text).joined() }

    /// The text with no-break spaces, so that it stays on one line.
    var unbroken: CardText {
        CardText(runs: runs.map { ($0.text.split(separator: " ").joined(separator: "\u{A0}"), $0.field) })
    }

    /// Returns the matches of `finder` as ranges of UTF-8 bytes, ascending and disjoint.
    func matches(of finder: MatchHighlighter) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for (text, field) in runs {
            if let field {
                ranges += finder.ranges(in: text, field: field).map { $0.lowerBound + start..<$0.upperBound + start }
            }
            start += text.utf8.count
        }
        return ranges
    }
}

extension [CardText] {
    /// Returns the texts that are not empty, with `separator` between them.
    func joined(by separator: String) -> CardText {
        let parts = filter { !$0.isEmpty }.map(\.runs)
        return CardText(runs: parts.joined(separator: [(separator, nil)]).map(\.self))
    }
}
