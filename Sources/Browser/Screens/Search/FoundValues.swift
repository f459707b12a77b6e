internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Threading

/// A search for the values of a field that complete what was typed.
enum FoundValues {
    case ofEveryBook(BackgroundTask<[ValueCompletion]>)
    /// Those of a field that only the catalog has.
    case own(BackgroundTask<[OwnValueCompletion]>)

    /// Returns the values with the number of their books; nil while they are searched for.
    func found(in store: BookStore) -> [(name: String, bookCount: Int)]? {
        switch self {
        case .ofEveryBook(let task): task.value?.map { ($0.name(in: store), $0.bookCount) }
        case .own(let task): task.value?.map { ($0.name, $0.bookCount) }
        }
    }

    /// Waits at most `milliseconds` for the values.
    func wait(milliseconds: Int) {
        switch self {
        case .ofEveryBook(let task): _ = task.wait(milliseconds: milliseconds)
        case .own(let task): _ = task.wait(milliseconds: milliseconds)
        }
    }

    /// Stops the search.
    func cancel() {
        switch self {
        case .ofEveryBook(let task): task.cancel()
        case .own(let task): task.cancel()
        }
    }
}

extension Session {
    /// Starts searching the open list for the values of a field that only the catalog has; nil while its column is being
    /// made.
    func values(
        of field: BookField, startingWith typed: String, inAllBooks isOfAll: Bool = false
    ) -> BackgroundTask<[OwnValueCompletion]>? {
        guard let column = library.columns(of: [field], waiting: books.timeBudget, notifying: wake)?[field] else {
            return nil
        }
        let index = library.store.index
        let scope = isOfAll ? BookSearch.Scope(BookList(allOf: index.count), of: index) : books.pipeline.scope
        return scope.completions(of: column, in: index, startingWith: typed, notifying: wake)
    }
}
