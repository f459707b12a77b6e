public import Books
internal import Catalog
internal import JSON

/// What the unsaved edits of a catalog change, book by book.
public struct UnsavedChanges: Sendable {
    /// A book that differs from the file.
    public struct Item: Hashable, Sendable {
        /// How it differs.
        public enum Kind: Hashable, Sendable {
            /// These fields have other values, in the order of the schema; none if only what no field reads does.
            case changed([BookField])
            /// The book is not in the file.
            case added
            /// The book is only in the file.
            case deleted
            /// The book is at another place.
            case moved
        }

        /// The title; "" if there is none.
        public let title: String
        /// How the book differs.
        public let kind: Kind
    }

    /// The books that differ, by their place in the file; those that are added or moved come later.
    public private(set) var items: [Item] = []
    /// Whether only the order of the books differs.
    public private(set) var isOnlyOrder = false

    /// The fields that differ in some book, in the order of the schema.
    public var fields: [BookField] { fieldsOfSchema.filter(changedFields.contains) }

    private let fieldsOfSchema: [BookField]
    private var changedFields: Set<BookField> = []

    fileprivate init(of schema: Schema) { fieldsOfSchema = schema.fields }

    fileprivate mutating func add(_ old: Book, _ new: Book) {
        let fields = fieldsOfSchema.filter { $0.value(in: old) != $0.value(in: new) }
        changedFields.formUnion(fields)
        items.append(Item(title: new.title.isEmpty ? old.title : new.title, kind: .changed(fields)))
    }

    fileprivate mutating func add(_ book: Book, _ kind: Item.Kind) { items.append(Item(title: book.title, kind: kind)) }

    fileprivate mutating func noteOrder() { isOnlyOrder = true }
}

extension EditedCatalog {
    /// Returns what the unsaved edits change; linear in their number.
    ///
    /// - Parameter isStopped: Asked now and then; the rest is left out once it returns true.
    public func unsavedChanges(unless isStopped: () -> Bool = { false }) -> UnsavedChanges {
        guard let mapping = base.format?.mapping else { return UnsavedChanges(of: .ofEveryBook) }
        var changes = UnsavedChanges(of: mapping.schema)
        if isOnlyReordered {
            changes.noteOrder()
            return changes
        }
        func book(_ bytes: [UInt8]) -> Book { mapping.book(from: JSONValue(parsing: bytes) ?? .null) }
        var removed: [CatalogEdit.PlacedRecord] = []
        var inserted: [CatalogEdit.PlacedRecord] = []
        for edit in unsavedEdits {
            switch edit {
            case .replace(let replacements):
                for replacement in replacements {
                    if isStopped() { return changes }
                    changes.add(book(replacement.old), book(replacement.new))
                }
            case .insert(let records): inserted += records
            case .remove(let records): removed += records
            case .move(let move): changes.add(book(move.bytes), .moved)
            case .reorder: changes.noteOrder()
            }
        }
        // A moved book is taken out, and put in elsewhere.
        var counts = Dictionary(removed.map { ($0.bytes, 1) }, uniquingKeysWith: +)
        var moved: [[UInt8]: Int] = [:]
        for record in inserted {
            if isStopped() { return changes }
            if let count = counts[record.bytes], count > 0 {
                counts[record.bytes] = count - 1
                moved[record.bytes, default: 0] += 1
                changes.add(book(record.bytes), .moved)
            } else {
                changes.add(book(record.bytes), .added)
            }
        }
        for record in removed {
            if isStopped() { return changes }
            if let count = moved[record.bytes], count > 0 {
                moved[record.bytes] = count - 1
            } else {
                changes.add(book(record.bytes), .deleted)
            }
        }
        return changes
    }

    /// Returns the fields in which changed books differ from the file, in the order of the schema.
    ///
    /// - Parameter limit: The maximum number of books to compare.
    func changedFields(limit: Int) -> [BookField] {
        guard let mapping = base.format?.mapping, !isOnlyReordered else { return [] }
        var changes = UnsavedChanges(of: mapping.schema)
        for piece in sequence.pieces {
            if changes.items.count >= limit { break }
            guard case .changed(let record) = piece, let origin = record.origin,
                let old = bytes(of: .original(origin..<origin + 1)), let before = JSONValue(parsing: old),
                let after = JSONValue(parsing: record.bytes)
            else { continue }
            changes.add(mapping.book(from: before), mapping.book(from: after))
        }
        return changes.fields
    }
}
