internal import Books
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// What a name or link of a card leads to.
enum CardTarget: Hashable {
    /// The books that a query finds.
    case results(String)
    /// A related book.
    case book(BookID)
    /// A web page, or a file of the book.
    case link(BookLink)
}

/// The text of a card with links, and what they lead to.
struct LinkedText {
    /// The paragraphs.
    var paragraphs: [TextView.Paragraph] = []
    /// The targets of the links, by the numbers of the links in the text.
    var targets: [CardTarget] = []
}

/// A text of a card, composed of values in which a search finds different fields, and of links.
struct CardText {
    fileprivate struct Run {
        var text: String
        var field: BookField?
        var target: CardTarget?
    }

    fileprivate var runs: [Run]

    /// Creates the text of a value; empty if there is none.
    ///
    /// - Parameters:
    ///   - field: The field in which a search finds the value, if any.
    ///   - target: What the value leads to, if anything.
    init(_ text: String?, _ field: BookField? = nil, to target: CardTarget? = nil) {
        runs = text.map { $0.isEmpty ? [] : [Run(text: $0, field: field, target: target)] } ?? []
    }

    /// Creates the text of a value that leads to all books that a query finds, unless the value is too long for a name:
    /// that is a mistake in the catalog, and a query of 10 MB would be made for each card.
    init(_ text: String?, _ field: BookField?, findingBooks query: () -> String?) {
        let isName = (text?.utf8.count ?? 0) <= Self.maximumNameLength
        self.init(text, field, to: isName ? query().map(CardTarget.results) : nil)
    }

    /// The length of the longest name that leads to its books, in bytes.
    private static let maximumNameLength = 1000

    /// Creates the text of a name that leads to all books with it.
    init(_ name: String, allWith field: Query.TextField) {
        self.init(name, field.bookField) { Query.text(of: field, whole: name) }
    }

    fileprivate init(runs: [Run]) { self.runs = runs }

    /// Whether there is no text.
    var isEmpty: Bool { runs.isEmpty }

    /// The whole text.
    var text: String { runs.map(\.text).joined() }

    /// The targets of the links, in the order of the text.
    var targets: [CardTarget] { runs.compactMap(\.target) }

    /// The links as ranges of UTF-8 bytes.
    var links: [Range<Int>] { ranges { $0.target == nil ? [] : [0..<$0.text.utf8.count] } }

    /// The text with no-break spaces, so that it stays on one line.
    var unbroken: CardText {
        CardText(
            runs: runs.map { run in
                var run = run
                run.text = run.text.split(separator: " ").joined(separator: "\u{A0}")
                return run
            })
    }

    /// Returns the matches of `finder` as ranges of UTF-8 bytes, ascending and disjoint.
    func matches(of finder: MatchHighlighter) -> [Range<Int>] {
        ranges { run in
            guard let field = run.field else { return [] }
            if field.info.own != nil { return finder.ranges(in: run.text, own: field) }
            return Query.TextField(field).map { finder.ranges(in: run.text, field: $0) } ?? []
        }
    }

    /// Returns ranges of all runs as ranges of the whole text.
    private func ranges(of rangesOfRun: (Run) -> [Range<Int>]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for run in runs {
            ranges += rangesOfRun(run).map { $0.lowerBound + start..<$0.upperBound + start }
            start += run.text.utf8.count
        }
        return ranges
    }
}

extension [CardText] {
    /// Returns the texts that are not empty, with `separator` between them.
    func joined(by separator: String) -> CardText {
        let parts = filter { !$0.isEmpty }.map(\.runs)
        return CardText(runs: parts.joined(separator: [CardText.Run(text: separator)]).map(\.self))
    }
}
