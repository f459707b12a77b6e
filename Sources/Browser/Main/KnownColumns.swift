internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves
internal import Text

/// The columns that have values, of the catalog or of the user. Cached, because they change only with the catalog and the
/// user data: widths that depended on the visible rows would change with every scroll.
struct KnownColumns {
    /// What the user data and the first books of the catalog have.
    private struct Sample {
        /// The columns with values.
        var columns: Set<ListColumn> = []
        /// Whether the books have different languages.
        var hasLanguages = false

        /// Adds the values of some books of `index`.
        mutating func add(_ index: BookIndex, books: Range<Int>) {
            var languages: Set<UInt16> = []
            for book in books {
                let facts = index.facts(at: book)
                if facts.traits.status != nil { columns.insert(.status) }
                if facts.language != .unknown { languages.insert(facts.language.bits) }
                for line in index.text(at: book) {
                    if line.kind == .series { columns.insert(.series) }
                    if line.kind == .publisher { columns.insert(.publisher) }
                }
            }
            hasLanguages = languages.count > 1
        }
    }

    private var sample = Cached<Sample>()

    /// The number of books that are examined for what the index does not know of all: enough to tell whether a catalog has
    /// statuses or publishers.
    private static let sampleSize = 1000

    /// Updates the answers. Linear in the user data if that has changed since the last call.
    mutating func update(for library: Library) {
        let version = library.version(of: [.books, .userData]).limited(toBooks: Self.sampleSize)
        if sample[version] != nil { return }
        var found = Sample()
        for bookData in library.userData.books.values {
            if bookData.isFavourite { found.columns.insert(.favourite) }
            if bookData.status != nil { found.columns.insert(.status) }
            if bookData.rating != nil { found.columns.insert(.mine) }
            if found.columns.count == 3 { break }
        }
        found.add(library.store.index, books: 0..<max(0, version.bookCount))
        sample[version] = found
    }

    /// Whether the user has a value in the column, or a book of `index`, as far as the first ones tell.
    func contains(_ column: ListColumn, in index: BookIndex) -> Bool {
        switch column {
        case .year: index.hasYears
        case .pages: index.hasPages
        case .rating: index.hasRatings
        case .added: index.hasDatesAdded
        case .language: index.hasLanguages
        case .series where index.hasSeriesPositions: true
        case .favourite, .status, .mine, .series, .publisher: sample.latest?.columns.contains(column) == true
        default: true
        }
    }

    /// Whether the column is worth its room if nobody asked for it: one language in all rows is not.
    func isWorthRoom(_ column: ListColumn, in index: BookIndex) -> Bool {
        contains(column, in: index) && (column != .language || sample.latest?.hasLanguages == true)
    }

    /// Whether certainly no book has a value in the column.
    func isEmpty(_ column: ListColumn, in index: BookIndex) -> Bool {
        if contains(column, in: index) { return false }
        switch column {
        case .favourite, .mine: return true
        // A server has more books than the index.
        case .year, .pages, .rating, .added, .language: return index.count > 0
        default: return (1...Self.sampleSize).contains(index.count)
        }
    }
}
