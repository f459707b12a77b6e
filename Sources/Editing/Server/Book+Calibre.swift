public import Books

extension Book {
    /// The book as calibre stores it: with at least one author, no duplicate authors, no "&" in names, and no comma in
    /// tags.
    public var keptByCalibre: Book {
        var book = self
        var known: Set<String> = []
        // calibre separates names with "&".
        book.authors = authors.map { $0.replacing("&", with: ";") }
        // calibre separates tags with commas.
        book.subjects = subjects.map { $0.replacing(",", with: ";") }
        book.authors = book.authors.filter { known.insert($0.lowercased()).inserted }
        if book.authors.isEmpty { book.authors = [Self.unknown] }
        if book.title.isEmpty { book.title = Self.unknown }
        // The key of the catalog has no meaning there, and covers are files, not links.
        (book.sourceID, book.cover) = (nil, nil)
        if book.series == nil { book.seriesPosition = nil }
        book.identifiers.removeAll { $0.scheme == Self.fileScheme }
        return book
    }

    /// calibre's name for an unknown author or title.
    private static let unknown = "Unknown"
    /// The scheme of the files of a book, which are not identifiers.
    private static let fileScheme = "file"

    /// The book in the state between the two requests that add it, so that a half-added book is not added again.
    ///
    /// calibre splits an author such as "Ann and Ben" when it adds a book; the second request sets the whole name.
    public var halfAddedToCalibre: Book {
        var book = self
        book.authors = authors.flatMap { name in
            name.split(whereSeparator: \.isWhitespace)
                .split { ["and", "with"].contains($0.lowercased()) }
                .map { words in
                    let author = words.joined(separator: " ")
                    return author.hasSuffix(",") ? String(author.dropLast()) : author
                }
        }
        return book
    }

    /// The book in a form that is equal for two books with the same values on a server of calibre.
    ///
    /// - Parameter hasComputed: Whether it has the values that the server computes if nobody sets them.
    private func comparable(withComputed hasComputed: Bool) -> Book {
        var book = keptByCalibre
        func day(_ date: PartialDate) -> PartialDate {
            PartialDate(year: date.year, month: date.month ?? 1, day: date.day ?? 1)
        }
        // These lists have no order there, and dates have a day.
        book.subjects = Set(book.subjects).sorted()
        book.identifiers = book.identifiers.sorted { ($0.scheme, $0.value) < ($1.scheme, $1.value) }
        (book.published, book.dateAdded) = (published.map(day), dateAdded.map(day))
        book.otherFields = []
        if !hasComputed { (book.sortTitle, book.dateAdded) = (nil, nil) }
        return book
    }

    /// Whether a server of calibre keeps this book as it keeps `other`.
    ///
    /// - Parameter hasComputed: Whether the values that the server computes if nobody sets them are compared, too.
    func isSameOnServer(as other: Book, withComputed hasComputed: Bool = false) -> Bool {
        comparable(withComputed: hasComputed) == other.comparable(withComputed: hasComputed)
    }

    /// The fields with a value that a server of calibre does not keep as it keeps that of `other`.
    func fieldsOnServer(differingFrom other: Book) -> Set<BookField> {
        let (mine, theirs) = (comparable(withComputed: false), other.comparable(withComputed: false))
        return Set(
            BookField.builtIn.filter { field in
                field.value(in: mine).map { $0 != field.value(in: theirs) } ?? false
            })
    }
}
