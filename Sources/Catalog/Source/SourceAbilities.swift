public import Books
public import Indexing
public import JSON
public import Search

/// A source whose books are all known by an index in memory: it can be searched, sorted, grouped and counted here.
public protocol LocallyIndexed: CatalogSource {
    /// What is known of the books so far.
    var index: BookIndex { get }
}

/// A source that searches and sorts itself, and hands out rows as they are looked at.
public protocol RemotelyQueried: CatalogSource {
    /// The rows that answer `request`. Returns at once; rows are asked for when they are looked at.
    func rows(for request: ListRequest) -> any RowSource
}

/// A source that can be read again.
public protocol Reloadable: CatalogSource {
    /// Whether it still can: what came through a pipe cannot.
    var canReload: Bool { get }

    /// Whether the catalog is another one now than when it was opened.
    var isOutdated: Bool { get }

    /// Reads the catalog again, its first books. All ids are others then; if it fails, the books stay as they are.
    func reload() throws(CatalogError)

    /// Calls `wake`, on any thread, when the catalog was changed, as long as what is returned lives; nil if it cannot change.
    func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject?
}

/// A source whose books were made of records, as a format says.
public protocol RecordBacked: CatalogSource {
    /// How the records are read; nil if nothing was opened.
    var format: CatalogFormat? { get }

    /// The record of a book as the catalog has it; nil if it is not there any more.
    func record(_ id: BookID) -> JSONValue?
}

/// A source whose records stand in a text.
public protocol TextBacked: RecordBacked {
    /// The lines and columns at which `places` begin, in their order. Linear in the text.
    func positions(of places: [RecordPlace]) -> [TextPosition]
}

/// A place in a text of records: where a record begins, or a value in it.
public struct RecordPlace: Hashable, Sendable {
    /// The book that the record is of.
    public var id: BookID
    /// The value, by names and indices alone; nil for the record itself.
    public var path: FieldPath?

    /// A record, or the value at `path` in it.
    public init(_ id: BookID, _ path: FieldPath? = nil) {
        self.id = id
        self.path = path
    }
}
