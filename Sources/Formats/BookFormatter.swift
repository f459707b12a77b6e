public import Books
public import JSON

/// A book to be formatted.
public struct PrintedBook {
    /// The book.
    public var book: Book
    /// The identity that commands accept; nil if the formatter does not need it.
    public var identity: BookIdentity?
    /// Whether the book is in the catalog; otherwise it is known only from the user data.
    public var isInCatalog: Bool
    /// The user data; nil if there is none, or if it is left out.
    public var userData: PrintedUserData?
    /// The picture of the cover; nil if there is none at hand, or if the formatter does not need it.
    public var cover: CoverPicture?
    /// The record of the catalog; nil if it has none, or if the formatter does not need it.
    public var record: JSONValue?
    /// What no field of every catalog reads of the record.
    public var unread: [JSONValue.Member] = []
    /// The spellings of members of the record, by key, as far as they say more than the values.
    public var spellings: [String: String] = [:]

    /// Creates a book to be formatted.
    public init(
        book: Book, identity: BookIdentity? = nil, isInCatalog: Bool = true, userData: PrintedUserData? = nil,
        record: JSONValue? = nil
    ) {
        self.book = book
        self.identity = identity
        self.isInCatalog = isInCatalog
        self.userData = userData
        self.record = record
    }

    /// The identity, or the identity without a catalog if there is none.
    var knownIdentity: BookIdentity { identity ?? BookIdentity(key: MatchKeys(of: book).identifying) }
}

/// An output format for a sequence of books.
public protocol BookFormatter {
    /// Whether the formatter needs more of a book than its title, authors and ISBN.
    var needsWholeBooks: Bool { get }
    /// Whether the formatter needs the identities of books.
    var needsIdentities: Bool { get }
    /// Whether the formatter needs the user data of books.
    var needsUserData: Bool { get }
    /// Whether the formatter needs the records of books.
    var needsRecords: Bool { get }
    /// Whether the formatter needs the pictures of covers.
    var needsCovers: Bool { get }
    /// Whether only books with user data are formatted.
    var omitsBooksWithoutUserData: Bool { get }
    /// Takes the identities of all books that are going to be appended, in their order, before the text begins. It is
    /// called only if the formatter needs identities; one that ignores them costs nothing.
    mutating func expect(_ identities: some Sequence<BookIdentity>)
    /// Takes the fields of the catalog, before the text begins.
    ///
    /// - Returns: What the format cannot keep of their values.
    mutating func expect(_ schema: Schema) -> [FieldLoss]
    /// Appends the text before the first book.
    mutating func begin(_ text: inout [UInt8])
    /// Appends a book, or keeps it until later books have been appended.
    mutating func append(_ printed: PrintedBook, to text: inout [UInt8])
    /// Appends the kept books and the text after the last book.
    mutating func end(_ text: inout [UInt8])
}

extension BookFormatter {
    /// True, as for nearly all formats.
    public var needsWholeBooks: Bool { true }
    /// True, as for formats that programs read.
    public var needsIdentities: Bool { true }
    /// True, as for formats that programs read.
    public var needsUserData: Bool { true }
    /// False, as for nearly all formats.
    public var needsRecords: Bool { false }
    /// False, as for nearly all formats.
    public var needsCovers: Bool { false }
    /// False, as for nearly all formats.
    public var omitsBooksWithoutUserData: Bool { false }
    /// Does nothing, as in nearly all formats.
    public func expect(_ identities: some Sequence<BookIdentity>) {}
    /// Nothing, as for formats that people read.
    public func expect(_ schema: Schema) -> [FieldLoss] { [] }
    /// Appends nothing.
    public func begin(_ text: inout [UInt8]) {}
    /// Appends nothing.
    public func end(_ text: inout [UInt8]) {}
}
