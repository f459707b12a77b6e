public import Books
public import JSON

/// An edit of a book that others changed otherwise in the file, or deleted.
public struct EditClash: Sendable {
    /// The kind of a conflict.
    public enum Kind: Sendable {
        /// Both sides changed some of its values.
        case changed
        /// It was deleted in the file and changed here.
        case deletedThere
        /// It was deleted here and changed in the file.
        case deletedHere
    }

    /// The kind of the conflict.
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
    /// The current or intended position of the book.
    let position: Int
}
