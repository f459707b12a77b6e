/// Where books come from: a file, an array, a server.
public protocol BookSource {
    /// What the catalog is called on the screen.
    var name: String { get }

    /// Reads the catalog, as far as is needed to know how many books there are.
    ///
    /// - Throws: `CatalogError`, where there is nothing to show.
    func load() throws(CatalogError) -> any BookRecords
}

/// The books of a catalog that was read: immutable, each decoded when it is asked for.
public protocol BookRecords {
    /// How many books there are.
    var count: Int { get }

    /// The book at `index`, from zero to below `count`, in the catalog's order.
    func book(at index: Int) -> Book

    /// What is missing, where the catalog is not whole.
    var defects: CatalogDefects { get }
}

extension BookRecords {
    /// Nothing is missing.
    public var defects: CatalogDefects { CatalogDefects() }
}

/// What of a catalog could not be read.
public struct CatalogDefects: Hashable, Sendable {
    /// How many values stood among the records that are no books.
    public var omissionCount: Int
    /// Where the first of them is.
    public var firstOmission: TextPosition?
    /// Where reading ended before the file did, and why.
    public var fault: Fault?

    /// A place at which reading ended.
    public struct Fault: Hashable, Sendable {
        /// Why.
        public var reason: JSONFault.Reason
        /// Where.
        public var position: TextPosition

        /// The fault at `position`.
        public init(_ reason: JSONFault.Reason, at position: TextPosition) {
            self.reason = reason
            self.position = position
        }
    }

    /// No defects, unless some are given.
    public init(omissionCount: Int = 0, firstOmission: TextPosition? = nil, fault: Fault? = nil) {
        self.omissionCount = omissionCount
        self.firstOmission = firstOmission
        self.fault = fault
    }

    /// Whether the catalog is whole.
    public var isEmpty: Bool { omissionCount == 0 && fault == nil }
}

extension [Book]: BookRecords {
    /// The book at `index`.
    public func book(at index: Int) -> Book { self[index] }
}

/// A catalog of books that are at hand: for tests, and for what a program makes by itself.
public struct FixedBookSource: BookSource {
    /// What the catalog is called on the screen.
    public let name: String
    private let books: [Book]

    /// The catalog of `books`.
    public init(name: String, books: [Book]) {
        self.name = name
        self.books = books
    }

    /// The books.
    public func load() -> any BookRecords { books }
}
