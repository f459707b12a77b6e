internal import Books
public import Indexing

/// A title or name that a reader can go to.
public struct JumpCandidate: Hashable, Sendable {
    /// What has the name.
    public enum Kind: UInt8, BitwiseCopyable, CaseIterable, Sendable {
        case series, author, subject, title
    }

    /// What has the name.
    public let kind: Kind
    /// The number of books that have it; 1 for a title.
    public let bookCount: Int
    /// The book with the title, or the first book that has the name.
    public let book: BookID
    /// The rank among other candidates, the higher the better.
    public let rank: UInt64
    /// The normalized name.
    let folded: [UInt8]

    /// Returns the name as the book writes it.
    public func name(in books: any BookReader) -> String {
        let written = String(decoding: folded, as: UTF8.self)
        guard let book = books.bookAtHand(book) else { return written }
        return facet.map { $0.textField?.spelling(of: folded, in: book) ?? written } ?? book.title
    }

    /// Returns the query for the books that have the name.
    public func query(in books: any BookReader) -> String {
        let field: Query.TextField =
            switch kind {
            case .series: .series
            case .author: .author
            case .subject: .subject
            case .title: .title
            }
        return Query.text(of: field, whole: name(in: books))
    }

    private var facet: Facet? {
        switch kind {
        case .series: .series
        case .author: .author
        case .subject: .subject
        case .title: nil
        }
    }
}
