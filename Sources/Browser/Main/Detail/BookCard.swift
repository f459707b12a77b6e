internal import Books
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI

/// The detail of a book as a card: what it is, what the reader has of it, what it is about, its series, other books by its
/// author, and the facts last. Unknown values are left out.
struct BookCard {
    /// The book as the catalog describes it.
    let book: Book
    /// The names of the reader's shelves that it is on.
    var shelves: [String] = []
    /// What else is the reader's own of it.
    var bookData: UserBookData?
    /// The directory of the calibre library that is open, if one is.
    var directory: String?
    /// The titles of related books, as far as they are known.
    var related = RelatedTitles()
    /// Today, from which the days of reading count.
    var today = CalendarDay(number: 0)
    /// The keys of the commands that list related books.
    var keys = CardKeys()
    /// Whether the catalog has the book.
    var isInCatalog = true
    /// Finds the matches to highlight.
    var finder: MatchHighlighter?
    /// The targets of the links in the parts that have been made.
    private(set) var targets: [CardTarget] = []

    /// The text of the card, with an empty line between its parts.
    var text: LinkedText {
        var card = self
        // The parts with links are made in their order, as the targets are.
        let parts = [
            card.heading(), yours, about, card.seriesList(), card.others(), card.facts(), moreFields,
        ].filter { !$0.isEmpty }
        return LinkedText(paragraphs: Array(parts.joined(separator: [.init("")])), targets: card.targets)
    }

    // MARK: - Parts

    /// Title, subtitle, other title, a line with the place in the series, the authors and the year, and a line of facts.
    private mutating func heading() -> [TextView.Paragraph] {
        let year = book.published.map { PartialDate.name(ofYear: $0.year) }
        let place = CardText(
            book.shownPlaceInSeries, .series, findingBooks: { RelatedBooks.series.query(for: book) })
        let origin = [place, Self.names(book.authors), CardText(year)].joined(by: Self.dot)
        let facts = [
            CardText(book.shownShortRating), CardText(book.pageCount.map { $0.grouped + ($0 == 1 ? " p" : " pp") }),
            CardText(book.fiction == nil ? nil : book.shownKind),
            CardText(book.languages.count == 1 ? book.shownLanguages : nil, .languages),
        ]
        var paragraphs = [paragraph(CardText(book.shownTitle, .title), style: .strong)]
        let titles = [CardText(book.subtitle, .title), CardText(book.otherTitle, .title)]
        for line in titles + [origin, facts.map(\.unbroken).joined(by: Self.gap)]
        where !line.isEmpty {
            paragraphs.append(paragraph(line))
        }
        if !isInCatalog { paragraphs.append(.init("Not in this catalog", style: .secondary)) }
        return paragraphs
    }

    /// What the reader has of the book: status and favourite, rating and shelves, and the note.
    private var yours: [TextView.Paragraph] {
        let reading = bookData.map {
            ReadingLines(status: $0.status, log: $0.readingLog, pageCount: book.pageCount, today: today)
        }
        let favourite = bookData?.isFavourite == true ? "★ Favourite" : nil
        let rating = bookData?.rating.map { "My rating " + $0.text }
        let lists = shelves.isEmpty ? nil : (shelves.count == 1 ? "Shelf:\u{A0}" : "Shelves:\u{A0}") + shelves.listed
        let values = [
            [CardText(reading?.statusLine), CardText(favourite).unbroken].joined(by: Self.gap),
            [CardText(reading?.progressLine), CardText(rating).unbroken, CardText(lists)]
                .joined(by: Self.gap),
            CardText(reading?.logLine.map { "Log: " + $0 }),
        ]
        var lines = values.filter { !$0.isEmpty }.map { TextView.Paragraph($0.text) }
        for (number, line) in (bookData?.noteLines ?? []).enumerated() {
            lines.append(prose(number == 0 ? "Note: " + line : line))
        }
        for number in lines.indices {
            if number == 0 { lines[number].label = "YOU" } else { lines[number].continuesLabel = true }
        }
        return lines
    }

    private var about: [TextView.Paragraph] {
        let paragraphs = book.descriptionParagraphs
        return paragraphs.isEmpty ? [] : [.heading("About")] + paragraphs.map(prose)
    }

    /// The books of the series by their places, each with its status.
    private mutating func seriesList() -> [TextView.Paragraph] {
        if related.series.isEmpty { return [] }
        let entries = lines(of: related.series) { ($0.isCurrent ? "▸" : " ") + ($0.place ?? "") }
        func rest(_ count: Int, _ place: String) -> [TextView.Paragraph] {
            if count == 0 { return [] }
            return [.init("\(count.grouped) more \(place)", label: " ", style: .secondary)]
        }
        return [heading("Series", keys.series.map { "\($0): show series" })] + rest(related.before, "before") + entries
            + rest(related.after, "after")
    }

    /// Other books by the first author, each with its status.
    private mutating func others() -> [TextView.Paragraph] {
        guard let author = book.authors.first, !related.others.isEmpty else { return [] }
        let rest = related.otherCount - related.others.count
        return [heading("More by \(author) (\(related.otherCount.grouped))", keys.author.map { "\($0): show all" })]
            + lines(of: related.others) { _ in "" }
            + (rest > 0 ? [.init("\(rest.grouped) more", style: .secondary)] : [])
    }

    /// Returns a line of each of some related books, with its status if one of them has a status, and its year if it has no
    /// place in a series.
    private mutating func lines(
        of entries: [RelatedTitles.Entry], label: (RelatedTitles.Entry) -> String
    ) -> [TextView.Paragraph] {
        let hasStatus = entries.contains { $0.status != nil }
        return entries.map { entry in
            let status = hasStatus ? (entry.status?.sign ?? " ") + "\u{A0}" : ""
            let label = label(entry)
            let year = label.isEmpty ? entry.year.map { "\u{A0}" + PartialDate.name(ofYear: $0) } ?? "" : ""
            let target = entry.isCurrent ? nil : entry.id.map(CardTarget.book)
            var paragraph = self.paragraph(
                [CardText(status), CardText(entry.title, to: target), CardText(year)].joined(by: ""), label: label,
                style: entry.isCurrent ? .strong : .plain)
            paragraph.trailing = entry.outcome
            return paragraph
        }
    }

    private mutating func facts() -> [TextView.Paragraph] {
        var fields: [TextView.Paragraph] = []
        func add(_ text: CardText, _ label: String) {
            if !text.isEmpty { fields.append(paragraph(text, label: label)) }
        }
        func add(_ text: String?, _ label: String) { add(CardText(text), label) }
        for field in BookField.inFacts {
            let label = field.info.label
            switch field {
            // The heading has the year.
            case .published where book.published?.month == nil: break
            case .subjects: add(book.subjects.map { CardText($0, allWith: .subject) }.joined(by: Self.dot), label)
            // The heading has the only one.
            case .languages where book.languages.count < 2: break
            case .languages: add(book.languageNames.map { CardText($0, field) }.joined(by: Self.dot), label)
            case .contributors: for (role, names) in book.shownContributors { add(Self.names(names), role) }
            case .identifiers:
                for (scheme, values) in book.shownIdentifiers(below: directory) {
                    add(values.joined(separator: "\n"), scheme)
                }
            // What the reader says goes before what the catalog does.
            case .status: if bookData?.status == nil { add(book.status.map { "\($0.sign) \($0.shown)" }, label) }
            case .cover: add(book.hasCoverOnTheWeb ? nil : book.shownCover, label)
            case .sortTitle where book.sortTitle == book.title: break
            default: add(CardText(field.shown(in: book), field), label)
            }
        }
        for own in book.own { add(text(of: own), own.field.info.label) }
        add(links, "Links")
        return fields.isEmpty ? [] : [.heading("Facts")] + fields
    }

    private var moreFields: [TextView.Paragraph] {
        if book.otherFields.isEmpty { return [] }
        return [.heading("More fields")] + book.otherFields.map { .init($0.text, label: $0.path) }
    }

    /// The names of the links by the numbers that open them.
    private var links: CardText {
        book.namedLinks(below: directory).enumerated().map { number, link in
            CardText("\(number + 1) \(link.name)", to: .link(link.link)).unbroken
        }.joined(by: Self.gap)
    }

    /// The value of a field that only the catalog has. Texts that several books can have lead to these books.
    private func text(of own: Book.OwnValue) -> CardText {
        let field = own.field
        guard let info = field.info.own, info.isFacet, [.text, .list].contains(info.kind) else {
            return CardText(field.shown(in: book), field)
        }
        let texts = own.value.texts
        return texts.map { text in CardText(text, field) { Query.text(ofOwn: field, whole: text) } }
            .joined(by: texts.listSeparator)
    }

    /// Names of people, each of which leads to the books by them.
    private static func names(_ names: [String]) -> CardText {
        names.map { CardText($0, allWith: .author) }.joined(by: names.listSeparator)
    }

    // MARK: - Paragraphs

    /// The space between values on one line.
    private static let gap = "   "
    /// The separator of values of one kind, which does not begin a line.
    private static let dot = "\u{A0}· "

    /// A heading with a text at the end of its rule.
    private func heading(_ text: String, _ trailing: String?) -> TextView.Paragraph {
        var heading = TextView.Paragraph.heading(text)
        heading.trailing = trailing ?? ""
        return heading
    }

    /// Returns a paragraph with links, whose targets follow those of the paragraphs before it.
    private mutating func paragraph(
        _ text: CardText, label: String = "", style: Style = .plain
    ) -> TextView.Paragraph {
        var paragraph = TextView.Paragraph(
            text.text, label: label, style: style, highlights: finder.map(text.matches) ?? [])
        paragraph.links = text.links
        targets += text.targets
        return paragraph
    }

    /// A paragraph of the description or the note, which searches do not look at.
    private func prose(_ text: String) -> TextView.Paragraph {
        .init(text, highlights: finder?.ranges(inDescription: text) ?? [])
    }
}

/// The keys of the commands that a card names; nil for a command without keys.
struct CardKeys: Hashable {
    /// The key that lists the books of the series.
    var series: String?
    /// The key that lists the books of the first author.
    var author: String?

    /// No keys.
    init() {}

    /// The first keys of the commands in `bindings`.
    init(_ bindings: KeyBindings) {
        series = bindings.labels(of: .same(.series)).first
        author = bindings.labels(of: .same(.author)).first
    }
}

extension Book {
    /// Whether the picture of the cover is among the links.
    fileprivate var hasCoverOnTheWeb: Bool { cover.flatMap { WebLink($0) } != nil }
}

extension RelatedTitles.Entry {
    /// What the reader made of the book: "read 2024 ★★★★½", or "up next".
    fileprivate var outcome: String {
        if isNext { return "up next" }
        return [yearRead.map { "read \($0)" }, rating?.filled].compactMap(\.self).joined(separator: " ")
    }
}
