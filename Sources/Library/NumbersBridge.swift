public import Books
public import Catalog
public import Indexing
public import JSON
public import Search
public import Storage
public import Shelves

// Until every screen takes books by their ids.
extension ListPipeline { public typealias Request = ListRequest }

extension BookList {
    public func index(atRow row: Int) -> Int { self[row].index }
    public func row(of index: Int) -> Int? { row(of: BookID(index)) }
    public func row(ofOneOf indices: [Int], nearestTo row: Int) -> Int? {
        self.row(ofOneOf: indices.map { BookID($0) }, nearestTo: row)
    }
}

extension BookIndex {
    public func keys(at index: Int) -> MatchKeys { keys(of: BookID(index)) }
    public func identity(at index: Int) -> BookIdentity { identity(of: BookID(index)) }
}

extension BookLookup {
    public func indices(bestMatching keys: MatchKeys) -> [Int] { ids(bestMatching: keys).map(\.index) }
    public func indices(with key: BookIdentity.Key) -> [Int] { ids(with: key).map(\.index) }
}

extension BookSet {
    public func contains(_ index: Int) -> Bool { contains(BookID(index)) }
    public mutating func insert(_ index: Int) { insert(BookID(index)) }
    public mutating func remove(_ index: Int) { remove(BookID(index)) }
    public var indices: [Int] { ids.map(\.index) }
}

extension Library {
    public func mark(at index: Int) -> UserBookData? { mark(of: BookID(index)) }
    public func shownMark(at index: Int) -> UserBookData? { shownMark(of: BookID(index)) }
    public func apply(_ change: MarkChange, to indices: [Int], missing: [BookIdentity] = []) throws(Storage.FileError) {
        try apply(change, to: indices.map { BookID($0) }, missing: missing)
    }
}

public struct LoadingProgress { public var fraction: Double? }

extension BookStore {
    public var progress: LoadingProgress? {
        if case .loading(let fraction) = state { LoadingProgress(fraction: fraction) } else { nil }
    }
    public func book(at index: Int) -> Book? { bookAtHand(BookID(index)) }
    public func heading(at index: Int) -> Book? { summary(of: BookID(index)).value.map(Book.init) }
    public func record(at index: Int) -> JSONValue? { recordBacked?.record(BookID(index)) }
    public var format: CatalogFormat? { recordBacked?.format }
    public var isChanged: Bool { reloadable?.isOutdated ?? false }
    public func startLoading(notifying notify: @escaping @Sendable () -> Void) { start(waking: notify) }
    public var bookCount: Int { index.count }
}
