public import Books
internal import Catalog
public import Indexing
internal import JSON

/// Reads the records of an edited catalog as it is now, a stretch of the file at once, because records that are read
/// together are usually adjacent.
struct EditedRecordReader: ~Copyable {
    private let base: RecordReader
    /// The edited records; nil if they are those of the file.
    private let sequence: RecordSequence?
    private let index: BookIndex
    private let fields: Set<BookField>
    private var stretch = ReadAheadBuffer()

    /// A record that was read.
    struct Record {
        var bytes: [UInt8]
        var value: JSONValue
        /// The book with title, authors, ISBN and the fields that were asked for.
        var book: Book
    }

    /// Creates a reader of records with `fields`; fails before the file is opened.
    init?(of catalog: EditedCatalog, with fields: Set<BookField>) {
        guard let base = CatalogText(catalog.base)?.reader else { return nil }
        self.base = base
        sequence = catalog.isUnchanged ? nil : catalog.sequence
        index = catalog.index
        self.fields = fields
    }

    /// Returns the record of a book; nil if it is gone.
    mutating func record(of id: BookID) -> Record? {
        var original = id
        if let sequence {
            guard id.index < sequence.count else { return nil }
            switch sequence[id.index] {
            case .original(let numbers): original = BookID(numbers.lowerBound)
            case .changed(let record):
                guard let value = JSONValue(parsing: record.bytes) else { return nil }
                return Record(bytes: record.bytes, value: value, book: base.decoder.book(from: value, with: fields))
            }
        }
        guard let (bytes, value) = base.record(original, through: &stretch) else { return nil }
        let book = base.decoder.book(from: value, with: fields)
        // The file may have been written since it was indexed.
        return MatchKeys(of: book) == index.keys(of: id) ? Record(bytes: bytes, value: value, book: book) : nil
    }
}

extension EditedCatalog {
    /// Calls `body` with each of these books, with title, authors, ISBN and `field` alone; nil for one that is gone.
    public func forEachBook(of ids: ArraySlice<BookID>, with field: BookField, _ body: (Book?) -> Void) {
        guard var reader = EditedRecordReader(of: self, with: [field]) else {
            for _ in ids { body(nil) }
            return
        }
        for id in ids { body(reader.record(of: id)?.book) }
    }
}
