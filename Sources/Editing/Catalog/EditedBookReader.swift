internal import Books
internal import Catalog
internal import Indexing

/// Reads the books of an edited catalog on any thread.
struct EditedBookReader: ConcurrentBookReader {
    let base: any ConcurrentBookReader
    let sequence: RecordSequence

    func forEachSummary(of ids: ArraySlice<BookID>, _ body: (BookID, BookSummary?) -> Void) {
        var waiting: [(id: BookID, original: BookID)] = []
        func read() {
            var next = 0
            base.forEachSummary(of: waiting.map(\.original)[...]) { _, summary in
                body(waiting[next].id, summary)
                next += 1
            }
            waiting = []
        }
        for id in ids {
            guard id.index < sequence.count else {
                read()
                body(id, nil)
                continue
            }
            switch sequence[id.index] {
            case .original(let numbers): waiting.append((id, BookID(numbers.lowerBound)))
            case .changed(let record):
                read()
                body(id, BookSummary(of: record.book))
            }
        }
        read()
    }

    func wholeBook(_ id: BookID) -> Book? {
        guard id.index < sequence.count else { return nil }
        switch sequence[id.index] {
        case .original(let numbers): return base.wholeBook(BookID(numbers.lowerBound))
        case .changed(let record): return record.book
        }
    }

    func forEachBook(of ids: ArraySlice<BookID>, with field: BookField, _ body: (BookID, Book?) -> Void) {
        var rest = ids
        while let id = rest.first {
            guard id.index < sequence.count, case .original = sequence[id.index] else {
                body(id, wholeBook(id))
                rest = rest.dropFirst()
                continue
            }
            // Records that are read together are usually adjacent.
            let originals = rest.prefix { $0.index < sequence.count && original(of: $0) != nil }
            var next = originals.startIndex
            base.forEachBook(of: originals.compactMap(original)[...], with: field) { _, book in
                body(originals[next], book)
                next += 1
            }
            rest = rest.dropFirst(originals.count)
        }
    }

    /// Returns the book in the file; nil if it is changed or new.
    private func original(of id: BookID) -> BookID? {
        if case .original(let numbers) = sequence[id.index] { BookID(numbers.lowerBound) } else { nil }
    }
}
