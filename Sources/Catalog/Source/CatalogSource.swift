public import Books
public import Indexing
public import JSON
public import Storage

/// Where books come from: a file, an array, a server.
public protocol CatalogSource {
    /// What the catalog is called on the screen.
    var name: String { get }

    /// Whether it can be read again.
    var canReload: Bool { get }

    /// Watches the catalog, and calls `notify`, on any thread, when it was changed, as long as what is returned lives.
    func watch(notifying notify: @escaping @Sendable () -> Void) -> AnyObject?

    /// Reads the catalog, as far as is needed for the first screen.
    ///
    /// - Throws: `CatalogError`, where there is nothing to show.
    func load() throws(CatalogError) -> any BookRecords
}

extension CatalogSource {
    /// It can.
    public var canReload: Bool { true }

    /// It never changes.
    public func watch(notifying notify: @escaping @Sendable () -> Void) -> AnyObject? { nil }
}

/// The books of a catalog that is being read or was: each decoded when it is asked for. More may come at the end, and
/// nothing else changes.
public protocol BookRecords: AnyObject {
    /// What is known of the books so far.
    var index: BookIndex { get }

    /// The book at `index`, from zero to below the index's count, in the catalog's order; nil where its record is not
    /// there any more, as the file was changed.
    func book(at index: Int) -> Book?

    /// What is missing, where the catalog is not whole.
    var defects: CatalogDefects { get }

    /// How far the catalog was read; nil where nothing is left to read.
    var progress: LoadingProgress? { get }

    /// Whether the catalog is another one now than it was when it was opened.
    var isChanged: Bool { get }

    /// The same with its title, authors and ISBN at least: what a row of a list needs, sooner.
    func heading(at index: Int) -> Book?

    /// How the catalog is read; nil where its books come from elsewhere.
    var format: CatalogFormat? { get }

    /// The record of the book at `index` as the catalog has it; nil where it has none, or it is not there any more.
    func record(at index: Int) -> JSONValue?

    /// Where in the catalog the record of the book at `index` begins; nil where there are no bytes.
    func byteOffset(at index: Int) -> Int?

    /// The line and column of a byte of the catalog. Linear in the offset.
    func position(ofByte offset: Int) -> TextPosition?

    /// Where the lines and columns of several bytes are, in the order of `offsets`; nothing where the catalog is no text.
    func positions(ofBytes offsets: [Int]) -> [TextPosition]

    /// Where the value at `path` begins in the record of the book at `index`, in bytes; nil where that cannot be told. The
    /// path is of names and indices alone.
    func byteOffset(at index: Int, of path: FieldPath) -> Int?

    /// Begins to read what is left, on other threads, which call `notify` when there is something to take in.
    func startLoading(notifying notify: @escaping @Sendable () -> Void)

    /// Takes in what other threads have read.
    ///
    /// - Returns: Whether there was anything.
    func receive() -> Bool

    /// Reads more of what is left on this thread, where no others do.
    func loadMore()

    /// Reads all that is left, on several threads, and calls `report` on this one now and then.
    func loadRest(reporting report: () -> Void)

    /// Waits until what is known of the catalog is kept for the next start, where it is to be.
    func finishKeeping()
}

extension BookRecords {
    /// How many books there are so far.
    public var count: Int { index.count }

    /// Nothing is missing.
    public var defects: CatalogDefects { CatalogDefects() }

    /// Nothing is left to read.
    public var progress: LoadingProgress? { nil }

    /// The whole book.
    public func heading(at index: Int) -> Book? { book(at: index) }

    /// The books come from elsewhere.
    public var format: CatalogFormat? { nil }

    /// There are none.
    public func record(at index: Int) -> JSONValue? { nil }

    /// There are none.
    public func byteOffset(at index: Int) -> Int? { nil }

    /// There are none.
    public func position(ofByte offset: Int) -> TextPosition? { nil }

    /// It is no text.
    public func positions(ofBytes offsets: [Int]) -> [TextPosition] { [] }

    /// It is no text.
    public func byteOffset(at index: Int, of path: FieldPath) -> Int? { nil }

    /// It never changes.
    public var isChanged: Bool { false }

    /// There is nothing to read.
    public func startLoading(notifying notify: @escaping @Sendable () -> Void) {}

    /// There is nothing to take in.
    public func receive() -> Bool { false }

    /// There is nothing to read.
    public func loadMore() {}

    /// There is nothing to read.
    public func loadRest(reporting report: () -> Void) {}

    /// Nothing is kept.
    public func finishKeeping() {}
}

/// How far a catalog was read.
public struct LoadingProgress: Hashable, Sendable {
    /// The share that was read, from 0 to 1; nil where nobody knows how much there is.
    public var fraction: Double?

    /// So far.
    public init(fraction: Double?) {
        self.fraction = fraction
    }
}

/// What of a catalog could not be read.
public struct CatalogDefects: Hashable, Sendable {
    /// How many values stood among the records that are no books, and how many lines that are no JSON.
    public var omissionCount: Int
    /// The first of them, of those that are JSON and those that are none some each.
    public var omissions: [Omission]
    /// Whether any line is no JSON, the first that was left out or another.
    public var hasMalformedLines: Bool
    /// How many of the values that were left out are such lines, where the catalog was read now and is not known from before.
    public var malformedLineCount: Int
    /// Where reading ended before the file did, and why.
    public var fault: Fault?

    /// Why the file could not be read to its end.
    public var failure: Failure?

    /// A value that was left out.
    public struct Omission: Hashable, Sendable {
        /// Why it is no JSON; nil where it is.
        public var reason: JSONSyntaxError.Reason?
        /// Where it is.
        public var position: TextPosition

        /// The omission at `position`.
        public init(reason: JSONSyntaxError.Reason? = nil, position: TextPosition) {
            self.reason = reason
            self.position = position
        }
    }

    /// A place behind which the file could not be read.
    public struct Failure: Hashable, Sendable {
        /// Why.
        public var error: FileError
        /// Up to where it was read, in bytes.
        public var byteOffset: Int

        /// The failure at `byteOffset`.
        public init(_ error: FileError, byteOffset: Int) {
            self.error = error
            self.byteOffset = byteOffset
        }
    }

    /// A place at which reading ended.
    public struct Fault: Hashable, Sendable {
        /// Why.
        public var reason: JSONSyntaxError.Reason
        /// Where.
        public var position: TextPosition

        /// The fault at `position`.
        public init(_ reason: JSONSyntaxError.Reason, at position: TextPosition) {
            self.reason = reason
            self.position = position
        }
    }

    /// No defects, unless some are given.
    public init(
        omissionCount: Int = 0, omissions: [Omission] = [],
        hasMalformedLines: Bool = false, malformedLineCount: Int = 0, fault: Fault? = nil, failure: Failure? = nil
    ) {
        self.omissionCount = omissionCount
        self.omissions = omissions
        self.hasMalformedLines = hasMalformedLines
        self.malformedLineCount = malformedLineCount
        self.fault = fault
        self.failure = failure
    }

    /// Whether all of it is JSON, or each of its lines is.
    public var isWellFormed: Bool { fault == nil && failure == nil && !hasMalformedLines }

    /// Whether the catalog is whole.
    public var isEmpty: Bool { omissionCount == 0 && fault == nil && failure == nil }
}

/// A catalog of books that are at hand: for tests, and for what a program makes by itself.
public struct InMemoryCatalog: CatalogSource {
    /// What the catalog is called on the screen.
    public let name: String
    private let books: [Book]

    /// The catalog of `books`.
    public init(name: String, books: [Book]) {
        self.name = name
        self.books = books
    }

    /// The books.
    public func load() -> any BookRecords { FixedRecords(books) }
}

/// Books that are at hand.
public final class FixedRecords: BookRecords {
    /// What is known of the books.
    public let index: BookIndex
    private let books: [Book]

    /// The records of `books`.
    public init(_ books: [Book] = []) {
        self.books = books
        index = BookIndex(of: books)
    }

    /// The book at `index`.
    public func book(at index: Int) -> Book? { books[index] }
}
