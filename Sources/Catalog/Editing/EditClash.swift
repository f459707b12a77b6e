public import Books
public import JSON

/// An edit of a book that others changed otherwise in the file, or deleted.
public struct EditClash: Sendable {
    /// What became of the book in the file.
    public enum Kind: Sendable {
        /// Some of its values were changed on both sides.
        case changed
        /// It was deleted there and changed here.
        case deletedThere
        /// It was deleted here and changed there.
        case deletedHere
    }

    /// What became of the book.
    public let kind: Kind
    /// The book as it was before both.
    public let old: Book
    /// The book as it was edited here; nil if it was deleted.
    public let mine: Book?
    /// The book as it is in the file; nil if it was deleted.
    public let theirs: Book?
    /// The values that both changed differently.
    public let conflicts: [JSONMerge.Conflict]

    /// The bytes of the records.
    let records: (old: [UInt8], mine: [UInt8]?, theirs: [UInt8]?)
    /// The position at which the book is or is to be.
    let position: Int
}
