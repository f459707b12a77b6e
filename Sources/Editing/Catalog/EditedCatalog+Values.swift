public import Books
internal import Catalog
public import Indexing

extension EditedCatalog {
    /// Returns a book with its title, authors, ISBN and `field`, in half the time of the whole book; a changed book has all
    /// fields. Nil if it is gone.
    public func book(_ id: BookID, with field: BookField) -> Book? {
        guard isUnchanged || id.index < sequence.count, let reader = CatalogText(base)?.reader else { return nil }
        var original = id
        if !isUnchanged {
            switch sequence[id.index] {
            case .original(let numbers): original = BookID(numbers.lowerBound)
            case .changed(let record): return record.book
            }
        }
        guard let record = reader.record(original) else { return nil }
        var book = Book(title: "")
        for field in Set([.title, .authors, .isbn, field]) {
            if let value = reader.decoder.mapping.value(of: field, in: record) { field.set(value, in: &book) }
        }
        // The file may have been written since it was indexed.
        return MatchKeys(of: book) == index.keys(of: id) ? book : nil
    }
}
