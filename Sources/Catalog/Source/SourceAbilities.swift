public import Books
public import ConnectorProtocol
public import Indexing
public import JSON
public import Search

/// A source with an in-memory index of all books, which allows local search, sorting, grouping and counting.
public protocol LocallyIndexed: CatalogSource {
    /// The index of the books so far.
    var index: BookIndex { get }
}

/// A source that searches and sorts itself, and returns rows on demand.
public protocol RemotelyQueried: CatalogSource {
    /// Returns the rows that match `request` at once; their contents are loaded when they are displayed.
    func rows(for request: ListRequest) -> any RowSource

    /// The state of the connection.
    var connection: RemoteConnection { get }

    /// Returns the most recent failure of the connection, once.
    func takeFailure() -> ConnectorFailure?

    /// The keys by which the source sorts; nil if unknown so far.
    var sortKeys: Set<SortOrder.Key>? { get }

    /// Returns the id of a book in the source, which stays the same when the catalog is opened again; nil for a book
    /// that was never loaded.
    func sourceID(of id: BookID) -> String?

    /// Keeps the identifiers of these books, such as selected ones, as long as they are not loaded; others may get new
    /// ones.
    func keepIDs(where isKept: @escaping (BookID) -> Bool)

    /// Returns the identifier of the book with an id in the source; whether it exists shows when it is loaded.
    func id(ofSourceID sourceID: String) -> BookID

    /// Returns the row in which one of the source's lists has the book with an id in the source; `gone` if it does not
    /// have it.
    func row(ofBookWithSourceID sourceID: String, in rows: any RowSource) -> Slot<Int>

    /// Returns the first row of one of the source's sorted lists at a letter or number, as typed, or after it; `gone` if
    /// the source cannot tell.
    func row(ofFirstBookAt text: String, in rows: any RowSource) -> Slot<Int>
}

/// The state of the connection to a server that is queried for the rows on the screen.
public enum RemoteConnection: Hashable, Sendable {
    /// Nothing has arrived yet.
    case connecting
    /// The most recent request was answered.
    case fresh
    /// The most recent request failed. The displayed books that were loaded earlier are at least as new as the time
    /// `since`, in seconds since 1970; nil if there are none.
    case failed(ConnectorFailure, since: Int?)

    /// The time of the oldest displayed books that were loaded earlier, in seconds since 1970.
    public var dateOfPages: Int? { if case .failed(_, let date) = self { date } else { nil } }
}

/// A source on a server that may require a user and password.
public protocol PasswordProtected: CatalogSource {
    /// The question for a user and password that was not answered.
    var passwordQuestion: CredentialQuestion? { get }

    /// Answers the questions of the server for a user and password, as far as they are known.
    var credentials: CredentialSource { get }

    /// Asks the server again, as this user.
    func signIn(with credential: SourceCredential)

    /// Whether the source is being opened.
    var isConnecting: Bool { get }

    /// Gives up opening the source.
    func stopConnecting()
}

/// A source that can be read again.
public protocol Reloadable: CatalogSource {
    /// Whether reloading is possible now; a pipe cannot be reread.
    var canReload: Bool { get }

    /// Whether the catalog has changed since it was opened.
    var isOutdated: Bool { get }

    /// Whether to show the new state without a command by the user.
    var reloadsUnasked: Bool { get }

    /// Returns what reads, on any thread, the parts of files that the next `reload()` needs; nil if it reads none.
    func reloadPreparation() -> (@Sendable () -> Void)?

    /// Reloads the first books of the catalog and invalidates all ids.
    ///
    /// - Throws: `CatalogError` if reloading fails, in which case the books stay unchanged.
    func reload() throws(CatalogError)

    /// Calls `wake` on any thread when the catalog changes, as long as the returned object lives; nil if the catalog
    /// cannot change.
    func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject?
}

extension Reloadable {
    /// By default, the user reloads the catalog.
    public var reloadsUnasked: Bool { false }

    /// By default, no file is read.
    public func reloadPreparation() -> (@Sendable () -> Void)? { nil }
}

/// A source whose books are decoded from records.
public protocol RecordBacked: CatalogSource {
    /// The way the records are read; nil until opened.
    var format: CatalogFormat? { get }

    /// Returns the record of a book as the catalog has it, or nil if it no longer exists.
    func record(_ id: BookID) -> JSONValue?
    /// Returns the record of a book with its spelling, as far as the catalog keeps it.
    func spelledRecord(_ id: BookID) -> SpelledObject?
}

extension RecordBacked {
    /// By default, the spelling is not known.
    public func spelledRecord(_ id: BookID) -> SpelledObject? { record(id).map(SpelledObject.init) }
}

/// A source whose records are in a text file.
public protocol TextBacked: RecordBacked {
    /// Returns the line and column of each of `places`, in the same order. Linear in the text.
    func positions(of places: [RecordLocation]) -> [TextPosition]
}

/// A source whose books can be read on any thread.
public protocol ConcurrentlyReadable: CatalogSource {
    /// A reader of the books so far, which stays valid when the source changes.
    var concurrentReader: any ConcurrentBookReader { get }

    /// Reads books that are not in memory on another thread from now on; they are pending until then.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for books that are asked for at the same time, in milliseconds.
    ///   - notify: Called on any thread when books have arrived.
    func fetch(waiting patience: Int, notifying notify: @escaping @Sendable () -> Void)

    /// Whether books are being read on another thread.
    var isFetching: Bool { get }
}

/// Reads many books of a source on any thread.
public protocol ConcurrentBookReader: Sendable {
    /// Calls `body` with each book and the fields that a row shows, nil if it is gone, in the order of `ids`.
    func forEachSummary(of ids: ArraySlice<BookID>, _ body: (BookID, BookSummary?) -> Void)

    /// Returns a book with all fields; nil if it is gone, or if it cannot be read now.
    func wholeBook(_ id: BookID) -> Book?

    /// Calls `body` with each book, of which at least `field` is read, nil if it is gone, in the order of `ids`.
    func forEachBook(of ids: ArraySlice<BookID>, with field: BookField, _ body: (BookID, Book?) -> Void)
}

/// The location of a record, or of a value in it.
public struct RecordLocation: Hashable, Sendable {
    /// The book that the record belongs to.
    public var id: BookID
    /// The path of the value, consisting of names and indices; nil for the record itself.
    public var path: FieldPath?

    /// Creates the location of a record, or of the value at `path` in it.
    public init(_ id: BookID, _ path: FieldPath? = nil) {
        self.id = id
        self.path = path
    }
}

// MARK: - What a source says about itself

extension CatalogSource {
    /// By default, a source lacks the ability.
    public var locallyIndexed: (any LocallyIndexed)? { nil }
    /// By default, a source lacks the ability.
    public var remotelyQueried: (any RemotelyQueried)? { nil }
    /// By default, a source lacks the ability.
    public var passwordProtected: (any PasswordProtected)? { nil }
    /// By default, a source lacks the ability.
    public var reloadable: (any Reloadable)? { nil }
    /// By default, a source lacks the ability.
    public var recordBacked: (any RecordBacked)? { nil }
    /// By default, a source lacks the ability.
    public var concurrentlyReadable: (any ConcurrentlyReadable)? { nil }
    /// By default, a source lacks the ability.
    public var columnBacked: (any ColumnBacked)? { nil }
}

extension LocallyIndexed {
    /// The source has the ability.
    public var locallyIndexed: (any LocallyIndexed)? { self }
}

extension RemotelyQueried {
    /// The source has the ability.
    public var remotelyQueried: (any RemotelyQueried)? { self }
}

extension PasswordProtected {
    /// The source has the ability.
    public var passwordProtected: (any PasswordProtected)? { self }
}

extension Reloadable {
    /// The source has the ability.
    public var reloadable: (any Reloadable)? { self }
}

extension RecordBacked {
    /// The source has the ability.
    public var recordBacked: (any RecordBacked)? { self }
}

extension ConcurrentlyReadable {
    /// The source has the ability.
    public var concurrentlyReadable: (any ConcurrentlyReadable)? { self }
}

extension ColumnBacked {
    /// The source has the ability.
    public var columnBacked: (any ColumnBacked)? { self }
}
