public import Books

/// A book as it is printed.
public struct PrintedBook {
    /// The book.
    public var book: Book
    /// Its identity, by which every command knows it; nil where the form has no need of it.
    public var identity: BookIdentity?
    /// Whether it is in the catalog; else it is what a mark has of it.
    public var isInCatalog: Bool

    /// A book to be printed.
    public init(book: Book, identity: BookIdentity? = nil, isInCatalog: Bool = true) {
        (self.book, self.identity, self.isInCatalog) = (book, identity, isInCatalog)
    }

    /// The identity; without one that of the book alone.
    var knownIdentity: BookIdentity { identity ?? BookIdentity(key: MatchKeys(of: book).identifying) }
}

/// A form in which books are printed one after another.
public protocol BookFormatter {
    /// Whether more of a book is needed than its title, authors and ISBN.
    var needsWholeBooks: Bool { get }
    /// Whether their identities are needed.
    var needsIdentities: Bool { get }
    /// Appends what comes before the first book to `text`.
    mutating func begin(_ text: inout [UInt8])
    /// Appends a book, or keeps it until others have come.
    mutating func append(_ printed: PrintedBook, to text: inout [UInt8])
    /// Appends what comes behind the last book, and those that were kept.
    mutating func end(_ text: inout [UInt8])
}

extension BookFormatter {
    /// Nearly all forms do.
    public var needsWholeBooks: Bool { true }
    /// Those for programs do.
    public var needsIdentities: Bool { true }
    /// Nothing.
    public func begin(_ text: inout [UInt8]) {}
    /// Nothing.
    public func end(_ text: inout [UInt8]) {}
}
