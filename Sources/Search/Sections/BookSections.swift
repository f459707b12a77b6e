internal import Books
public import Indexing
internal import Text

/// A list grouped into sections. Immutable.
public struct BookSections: Sendable {
    /// The property that the books of a section share.
    public let key: SectionKey
    /// The books, section by section; within a section they keep the order of the original list.
    public let list: BookList
    /// The first row of each section, ascending; no section is empty.
    public let starts: [Int]
    /// Whether the last section contains the books whose value is unknown.
    public let hasUnknown: Bool
    /// The index of the catalog, used for the section titles.
    let index: BookIndex
    let order: SectionOrder
    /// The reading statuses in the user data, if the sections are by status.
    let statuses: UserStatusOverlay
    /// The column of the field that only the catalog has, if the sections are by one.
    var column: FieldColumn?

    /// The number of sections.
    public var count: Int { starts.count }

    /// Returns the rows of a section.
    public func rows(ofSection section: Int) -> Range<Int> {
        starts[section]..<(section + 1 < starts.count ? starts[section + 1] : list.count)
    }

    /// Returns the section that contains `row`. Logarithmic.
    public func section(ofRow row: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the title of a section: "A", "1990s", "Fiction", "To read", or the spelling in the section's first book.
    func title(ofSection section: Int, in books: any BookReader) -> String {
        if hasUnknown, section == count - 1 { return key.absenceTitle }
        let book = list[starts[section]]
        let facts = index.facts(at: book.index)
        switch key {
        case .letter:
            let letter = order.letter(index.text(at: book.index).sortedTitle, facts.language)
            return letter.map(order.letterTitle) ?? key.absenceTitle
        case .decade: return Decade(ofYear: Int(facts.year)).name
        case .own(let field):
            guard let column, book.index < column.numbers.count, column.numbers[book.index] > 0,
                let value = column.values(ofEntry: Int(column.numbers[book.index]) - 1).first
            else { return key.absenceTitle }
            return column.section(ofValue: value, field).title
        case .fiction: return FacetValue.name(ofFiction: facts.traits.isFiction ?? false)
        case .status: return (statuses[book.index] ?? facts.traits.status).map(FacetValue.name) ?? key.absenceTitle
        case .author, .subject, .series:
            guard let field = Query.TextField(rawValue: key.rawValue),
                let value = index.text(at: book.index).first(field.line)
            else { return key.absenceTitle }
            return books.bookAtHand(book).flatMap { field.spelling(of: Array(value), in: $0) }
                ?? String(decoding: value, as: UTF8.self)
        }
    }
}

/// The titles of sections, with a cache of recent ones, so that redrawing the screen decodes no books.
public final class SectionTitles {
    private let sections: BookSections
    private let books: any BookReader
    private var recent = [(section: Int, title: String)?](repeating: nil, count: recentCount)
    private static let recentCount = 64

    /// Creates the titles of `sections`, decoding books with `books`.
    public init(of sections: BookSections, in books: any BookReader) {
        self.sections = sections
        self.books = books
    }

    /// Returns the title of a section.
    public subscript(section: Int) -> String {
        let slot = section % Self.recentCount
        if let recent = recent[slot], recent.section == section { return recent.title }
        let title = sections.title(ofSection: section, in: books)
        // The name is shown as its book spells it once the book is read.
        if !books.isFetching { recent[slot] = (section, title) }
        return title
    }
}

extension IndexedText {
    /// Returns the first non-empty line of this kind, for a series without the position.
    @inline(__always)
    func first(_ kind: IndexedTextField) -> UnsafeBufferPointer<UInt8>? {
        for line in self where line.kind == kind && !line.content.isEmpty {
            if kind != .series { return line.content }
            return UnsafeBufferPointer(rebasing: line.content.prefix(SeriesName.length(of: line.content)))
        }
        return nil
    }

    /// The sort title if the catalog has one, otherwise the title.
    var sortedTitle: UnsafeBufferPointer<UInt8> {
        first(.sortTitle) ?? first(.title) ?? UnsafeBufferPointer(start: nil, count: 0)
    }
}
