internal import Catalog

/// A form in which books are printed one after another.
protocol BookForm {
    /// Whether more of a book is needed than its title, authors and ISBN.
    var needsWholeBooks: Bool { get }
    /// Appends what comes before the first book to `text`.
    mutating func begin(_ text: inout [UInt8])
    /// Appends a book, the one at `index` of its store, or keeps it until others have come.
    mutating func append(_ book: Book, at index: Int, to text: inout [UInt8])
    /// Appends what comes behind the last book, and those that were kept.
    mutating func end(_ text: inout [UInt8])
}

extension BookForm {
    /// Nearly all forms do.
    var needsWholeBooks: Bool { true }
    /// Nothing.
    func begin(_ text: inout [UInt8]) {}
    /// Nothing.
    func end(_ text: inout [UInt8]) {}
}
