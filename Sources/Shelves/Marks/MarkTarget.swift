public import Books

/// What a change of marks is made to: a book with the marks it has, or a mark alone.
public struct MarkTarget: Sendable {
    /// What a new mark says of the book; nil where there is none but a mark.
    let book: MarkedBook?
    /// The name of a new mark, unless it is taken.
    let identity: BookIdentity
    /// The marks of the book, the best first.
    let marks: [BookIdentity]

    /// A book of a catalog.
    ///
    /// - Parameters:
    ///   - identity: Its identity in that catalog.
    ///   - marks: The identities of its marks, as `MarkIndex` gives them; with none a change makes a new one.
    ///   - catalog: The path of the catalog.
    public init(book: Book, identity: BookIdentity, marks: [BookIdentity], catalog: String?) {
        self.book = MarkedBook(
            title: book.title, authors: book.authors, keys: MatchKeys(of: book), catalog: catalog,
            sourceID: book.sourceID)
        self.identity = identity
        self.marks = marks
    }

    /// A mark whose book is not in the catalog.
    public init(mark: BookIdentity) {
        book = nil
        identity = mark
        marks = [mark]
    }

    /// The same with other marks.
    func with(marks: [BookIdentity]) -> MarkTarget { MarkTarget(book: book, identity: identity, marks: marks) }

    private init(book: MarkedBook?, identity: BookIdentity, marks: [BookIdentity]) {
        self.book = book
        self.identity = identity
        self.marks = marks
    }
}
