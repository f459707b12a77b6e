internal import Books
public import Indexing
internal import Text

/// A list whose books stand in sections. Immutable.
public struct BookSections: Sendable {
    /// What the books of a section have in common.
    public let key: SectionKey
    /// The books, section by section, and within each as they were in the list that was divided.
    public let list: BookList
    /// The row in which each section begins, ascending; no section is empty.
    public let starts: [Int]
    /// Whether the last section has the books of which nothing is known.
    public let hasUnknown: Bool
    /// The books of the catalog, by which titles are found, and how sections of letters are called.
    let index: BookIndex
    let order: SectionOrder
    /// What the reader gave books, where the sections are of statuses.
    let statuses: UserStatusOverlay

    /// How many sections there are.
    public var count: Int { starts.count }

    /// The rows of the section of this number.
    public func rows(ofSection section: Int) -> Range<Int> {
        starts[section]..<(section + 1 < starts.count ? starts[section + 1] : list.count)
    }

    /// The number of the section in which `row` is. Logarithmic.
    public func section(ofRow row: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return low
    }

    /// What stands over the section of this number: "A", "1990s", "Fiction", "To read", or an author, a subject or a series
    /// as the section's first book writes it.
    func title(ofSection section: Int, in books: any BookReader) -> String {
        if hasUnknown, section == count - 1 { return Facet.unknownName }
        let book = list[starts[section]]
        let facts = index.facts(at: book.index)
        switch key {
        case .letter:
            let letter = order.letter(index.text(at: book.index).sortedTitle, facts.language)
            return letter.map(order.letterTitle) ?? Facet.unknownName
        case .decade: return Decade(ofYear: Int(facts.year)).name
        case .fiction: return FacetValue.name(ofFiction: facts.traits.isFiction ?? false)
        case .status: return (statuses[book.index] ?? facts.traits.status).map(FacetValue.name) ?? Facet.unknownName
        case .author: return spelling(.author, of: book, in: books)
        case .subject: return spelling(.subject, of: book, in: books)
        case .series: return spelling(.series, of: book, in: books)
        }
    }

    private func spelling(_ facet: Facet, of book: BookID, in books: any BookReader) -> String {
        guard let kind = key.textKind, let value = index.text(at: book.index).first(kind) else { return Facet.unknownName }
        return books.bookAtHand(book).flatMap { facet.spelling(of: Array(value), in: $0) }
            ?? String(decoding: value, as: UTF8.self)
    }
}

/// The titles of sections. Those that were asked for lately are kept, so that a screen that is drawn again decodes
/// no book for them.
public final class SectionTitles {
    private let sections: BookSections
    private let books: any BookReader
    private var recent = [(section: Int, title: String)?](repeating: nil, count: recentCount)
    private static let recentCount = 64

    /// The titles of `sections` of books that `books` gives.
    public init(of sections: BookSections, in books: any BookReader) {
        self.sections = sections
        self.books = books
    }

    /// What stands over the section of this number.
    public subscript(section: Int) -> String {
        let slot = section % Self.recentCount
        if let recent = recent[slot], recent.section == section { return recent.title }
        let title = sections.title(ofSection: section, in: books)
        recent[slot] = (section, title)
        return title
    }
}

extension IndexedText {
    /// The first line of this kind that is not empty, of a series its name alone; nil where there is none.
    @inline(__always)
    func first(_ kind: IndexedTextField) -> UnsafeBufferPointer<UInt8>? {
        for line in self where line.kind == kind && !line.content.isEmpty {
            if kind != .series { return line.content }
            return UnsafeBufferPointer(rebasing: line.content.prefix(SeriesName.length(of: line.content)))
        }
        return nil
    }

    /// The title, as the catalog has it sorted where it says so.
    var sortedTitle: UnsafeBufferPointer<UInt8> {
        first(.sortTitle) ?? first(.title) ?? UnsafeBufferPointer(start: nil, count: 0)
    }
}
