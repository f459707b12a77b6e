public import Books
internal import Catalog
public import Indexing
public import Threading

/// The values of a field in a catalog as they are spelt there, with the number of books of each.
public struct CountedValues: Sendable {
    /// A value.
    public struct Value: Hashable, Sendable {
        /// The text, which is that of an item for a list.
        public let text: String
        /// The books that have it, in catalog order.
        public let books: [BookID]
        /// The number of books that have it.
        public var bookCount: Int { books.count }
    }

    /// The field.
    public let field: BookField
    /// The values, those of most books first, and then by their text.
    public let values: [Value]
    /// The number of books with a value.
    public let bookCount: Int

    /// Creates the values of `field` with the books of each.
    init(_ field: BookField, _ books: [String: [BookID]], bookCount: Int) {
        (self.field, self.bookCount) = (field, bookCount)
        values = books.map { Value(text: $0.key, books: $0.value) }.sorted {
            ($1.bookCount, $0.text) < ($0.bookCount, $1.text)
        }
    }

    /// Returns the books that have one of these values, in catalog order.
    public func books(with texts: Set<String>) -> [BookID] {
        Set(values.filter { texts.contains($0.text) }.flatMap(\.books)).sorted()
    }

    /// The values that may be one, as numbers of `values`: of each set the value of most books first. The sets are in the
    /// order of their first values.
    public func variants(unless isCancelled: () -> Bool = { false }) -> [[Int]]? {
        VariantSearch(values.map(\.text), areNames: field.holdsNames).find(unless: isCancelled)
    }
}

extension BookField {
    /// Whether the values are names of persons, whose parts may stand in any order and as initials.
    public var holdsNames: Bool { self == .authors || self == .contributors }
}

extension Schema {
    /// The fields whose values are texts that books share, so that they are counted and renamed: first those of every book.
    public var withSharedValues: [BookField] {
        let common: [BookField] = [.authors, .series, .subjects, .publisher, .languages, .contributors]
        return common + described.filter { [.text, .list].contains($0.info.kind) }
    }
}

extension Library {
    /// Counts the values of a field in all books, on several threads.
    ///
    /// - Parameters:
    ///   - report: Called on any thread with the number of books that were read since the last call.
    ///   - isCancelled: Asked now and then; if true, nil is returned.
    /// - Returns: The values; nil if the source cannot be read on another thread, or if it was stopped.
    public func countValues(
        of field: BookField, reporting report: @escaping @Sendable (Int) -> Void = { _ in },
        unless isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> CountedValues? {
        guard let reader = store.concurrent?.concurrentReader else { return nil }
        return CountedValues(of: field, in: store.index.count, reader, reporting: report, unless: isCancelled)
    }

    /// Starts counting the values of a field in all books.
    ///
    /// - Parameter notify: Called on any thread at the end.
    /// - Returns: Nil if the source cannot be read on another thread.
    public func startCountingValues(
        of field: BookField, notifying notify: @escaping @Sendable () -> Void
    ) -> BackgroundTask<CountedValues>? {
        guard let reader = store.concurrent?.concurrentReader else { return nil }
        let count = store.index.count
        return BackgroundTask(notifying: notify) { isCancelled in
            CountedValues(of: field, in: count, reader, reporting: { _ in }, unless: isCancelled)
        }
    }
}

extension CountedValues {
    /// The number of books that a thread reads at a time.
    private static let partSize = 8192

    /// Counts the values in `count` books; fails if it is stopped.
    fileprivate init?(
        of field: BookField, in count: Int, _ reader: any ConcurrentBookReader,
        reporting report: @escaping @Sendable (Int) -> Void, unless isCancelled: @escaping @Sendable () -> Bool
    ) {
        let parts = ThreadPool.shared.map(count, by: Self.partSize) { part in
            var found: (books: [String: [BookID]], bookCount: Int) = ([:], 0)
            if isCancelled() { return found }
            let ids = part.map { BookID($0) }
            reader.forEachBook(of: ids[...], with: field) { id, book in
                guard let value = book.flatMap(field.value) else { return }
                found.bookCount += 1
                // A book counts once.
                for text in Set(value.texts) { found.books[text, default: []].append(id) }
            }
            report(part.count)
            return found
        }
        if isCancelled() { return nil }
        var books: [String: [BookID]] = [:]
        for part in parts { for (text, ids) in part.books { books[text, default: []] += ids } }
        self.init(field, books, bookCount: parts.reduce(0) { $0 + $1.bookCount })
    }
}
