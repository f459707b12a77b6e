package import Catalog
internal import Storage
package import Shelves

// Until every screen takes books by their ids.
extension ListPipeline { typealias Request = ListRequest }

extension BookList {
    func index(atRow row: Int) -> Int { self[row].index }
    func row(of index: Int) -> Int? { row(of: BookID(index)) }
    func row(ofOneOf indices: [Int], nearestTo row: Int) -> Int? {
        self.row(ofOneOf: indices.map { BookID($0) }, nearestTo: row)
    }
}

extension BookIndex {
    func keys(at index: Int) -> MatchKeys { keys(of: BookID(index)) }
    func identity(at index: Int) -> BookIdentity { identity(of: BookID(index)) }
}

extension BookLookup {
    func indices(bestMatching keys: MatchKeys) -> [Int] { ids(bestMatching: keys).map(\.index) }
    func indices(with key: BookIdentity.Key) -> [Int] { ids(with: key).map(\.index) }
}

extension BookSet {
    func contains(_ index: Int) -> Bool { contains(BookID(index)) }
    mutating func insert(_ index: Int) { insert(BookID(index)) }
    mutating func remove(_ index: Int) { remove(BookID(index)) }
    var indices: [Int] { ids.map(\.index) }
}

extension Library {
    func mark(at index: Int) -> UserBookData? { mark(of: BookID(index)) }
    func shownMark(at index: Int) -> UserBookData? { shownMark(of: BookID(index)) }
    func apply(_ change: MarkChange, to indices: [Int], missing: [BookIdentity] = []) throws(Storage.FileError) {
        try apply(change, to: indices.map { BookID($0) }, missing: missing)
    }
}

struct LoadingProgress { var fraction: Double? }

extension BookStore {
    var progress: LoadingProgress? {
        if case .loading(let fraction) = state { LoadingProgress(fraction: fraction) } else { nil }
    }
    func book(at index: Int) -> Book? { bookAtHand(BookID(index)) }
    func heading(at index: Int) -> Book? { summary(of: BookID(index)).value.map(Book.init) }
    func record(at index: Int) -> JSONValue? { recordBacked?.record(BookID(index)) }
    var format: CatalogFormat? { recordBacked?.format }
    var isChanged: Bool { reloadable?.isOutdated ?? false }
    func startLoading(notifying notify: @escaping @Sendable () -> Void) { start(waking: notify) }
    var bookCount: Int { index.count }
}
