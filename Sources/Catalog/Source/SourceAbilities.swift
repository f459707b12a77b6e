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
}

/// A source that can be read again.
public protocol Reloadable: CatalogSource {
    /// Whether reloading is possible now; a pipe cannot be reread.
    var canReload: Bool { get }

    /// Whether the catalog has changed since it was opened.
    var isOutdated: Bool { get }

    /// Whether the new state is to be shown without being asked for.
    var reloadsUnasked: Bool { get }

    /// Reloads the first books of the catalog and invalidates all ids.
    ///
    /// - Throws: `CatalogError` if reloading fails, in which case the books stay unchanged.
    func reload() throws(CatalogError)

    /// Calls `wake` on any thread when the catalog changes, as long as the returned object lives; nil if the catalog
    /// cannot change.
    func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject?
}

extension Reloadable {
    /// Whether the new state is to be shown without being asked for: by default it is not.
    public var reloadsUnasked: Bool { false }
}

/// A source that is a copy of another one, which is brought up to date in the background.
public protocol Mirrored: CatalogSource {
    /// Returns what became of the copy since this was called last, if the reader should know of it.
    func takeNews() -> MirrorNews?

    /// Why what is shown is not all of the source; nil if it is, or is still being copied for the first time.
    var problem: MirrorNews? { get }

    /// Why the source could not be asked or copied when that was tried last; nil if it could, or was not tried.
    var failure: ConnectorFailure? { get }

    /// The source as it was copied last, if it has far fewer rows than what is shown: it is shown in its place when the
    /// catalog is reloaded.
    var smallerSource: SmallerSource? { get }

    /// Waits for the end of the copy that is being made, if there is one.
    func waitForCopy()

    /// When the copy that is shown was made, in seconds since 1970; nil if the source is known to be as it is, or it is
    /// still being made.
    var dateOfOldCopy: Int? { get }

    /// How fast the copy that is being made comes over the network; nil if it does not, or that is not known yet.
    var rate: TransferRate? { get }

    /// The directory of the calibre library that this is a copy of; nil if it is a copy of another source.
    var libraryDirectory: String? { get }

    /// Whether a copy is being made.
    var isCopying: Bool { get }

    /// Stops the copy that is being made; what is shown of it stays.
    func stopCopying()
}

/// A source whose books are decoded from records.
public protocol RecordBacked: CatalogSource {
    /// The way the records are read; nil until opened.
    var format: CatalogFormat? { get }

    /// Returns the record of a book as the catalog has it, or nil if it no longer exists.
    func record(_ id: BookID) -> JSONValue?
}

/// A source whose records are in a text file.
public protocol TextBacked: RecordBacked {
    /// Returns the line and column of each of `places`, in the same order. Linear in the text.
    func positions(of places: [RecordLocation]) -> [TextPosition]
}

/// A source whose books can be changed.
public protocol Editable: CatalogSource {
    /// Returns an editor of the books, all of which must have been loaded. What it saves is there when the source is
    /// opened or reloaded next.
    ///
    /// - Throws: `CatalogEditError` if the source cannot be changed now, a file that is read-only for example.
    func editor() throws(CatalogEditError) -> CatalogEditor
}

/// A source on a server that may take changes of its books.
public protocol ServerEditable: CatalogSource {
    /// Returns an editor of the copy of the source, all of which must have been read. Its changes are sent to the server.
    ///
    /// - Throws: `CatalogEditError` if the server takes no changes.
    func editorOfCopy() throws(CatalogEditError) -> CatalogEditor
}

/// A source whose books can be read on any thread.
public protocol ConcurrentlyReadable: CatalogSource {
    /// A reader of the books so far, which stays valid when the source changes.
    var concurrentReader: any ConcurrentBookReader { get }
}

/// Reads many books of a source on any thread.
public protocol ConcurrentBookReader: Sendable {
    /// Calls `body` with each book and the fields that a row shows, nil if it is gone, in the order of `ids`.
    func forEachSummary(of ids: ArraySlice<BookID>, _ body: (BookID, BookSummary?) -> Void)
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
