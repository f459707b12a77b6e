internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves
internal import Text

/// The columns that have values, of the catalog or of the user. Cached, because they change only with the catalog and the
/// user data: widths that depended on the visible rows would change with every scroll.
struct KnownColumns {
    /// What the first books of the catalog have.
    private struct Sample {
        /// The columns with values.
        var columns: Set<ListColumn> = []
        /// Whether the books have different languages.
        var hasLanguages = false

        /// Creates the sample of some books of `index`.
        init(_ index: BookIndex, books: Range<Int>) {
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
    /// The columns in which the user has values.
    private var userColumns = Cached<Set<ListColumn>>()

    /// The number of books that are examined for what the index does not know of all: enough to tell whether a catalog has
    /// statuses or publishers.
    private static let sampleSize = 1000

    /// Updates the answers. Linear in the user data if that has changed since the last call.
    mutating func update(for library: Library) {
        let books = library.version(of: [.books]).limited(toBooks: Self.sampleSize)
        if sample[books] == nil { sample[books] = Sample(library.store.index, books: 0..<max(0, books.bookCount)) }
        let userData = library.version(of: [.userData])
        if userColumns[userData] == nil {
            userColumns[userData] = Self.columns(of: library.userData.books.values)
        }
    }

    private static func columns(of userData: some Sequence<UserBookData>) -> Set<ListColumn> {
        var columns: Set<ListColumn> = []
        for bookData in userData {
            if bookData.isFavourite { columns.insert(.favourite) }
            if bookData.status != nil { columns.insert(.status) }
            if bookData.rating != nil { columns.insert(.mine) }
            if columns.count == 3 { break }
        }
        return columns
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
        case .favourite, .mine: userColumns.latest?.contains(column) == true
        case .status: userColumns.latest?.contains(column) == true || sample.latest?.columns.contains(column) == true
        case .series, .publisher: sample.latest?.columns.contains(column) == true
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
