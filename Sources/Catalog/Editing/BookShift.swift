public import Indexing

/// What became of the positions of books by edits.
public struct BookShift: Sendable {
    private var edits: [CatalogEdit] = []
    /// Whether the books have been read anew, so that no position is known.
    public private(set) var isUnknown = false

    /// Creates the shift of books that stay where they are.
    public init() {}

    /// Creates the shift of a catalog that was read anew.
    static var unknown: BookShift {
        var shift = BookShift()
        shift.isUnknown = true
        return shift
    }

    /// What became of the positions after `start`, an earlier state of this shift.
    public func since(_ start: BookShift) -> BookShift {
        var rest = self
        rest.edits.removeFirst(min(edits.count, start.edits.count))
        rest.isUnknown = isUnknown && !start.isUnknown
        return rest
    }

    /// Whether all books are where they were.
    public var isEmpty: Bool { edits.isEmpty && !isUnknown }

    /// Adds an edit. One that changes no position has no effect.
    mutating func append(_ edit: CatalogEdit) {
        if case .replace = edit { return }
        if isUnknown { return }
        // Where a record goes is asked, not which one comes.
        if case .reorder(let order) = edit { edits.append(.reorder(order.reversed)) } else { edits.append(edit) }
    }

    /// Adds what became of the positions afterwards.
    mutating func append(_ later: BookShift) {
        if later.isUnknown { self = later } else { edits += later.edits }
    }

    /// Returns where a book is now; nil if it is gone. Logarithmic in the books of each edit.
    public func callAsFunction(_ id: BookID) -> BookID? {
        if isUnknown { return nil }
        var position = id.index
        for edit in edits {
            switch edit {
            case .replace: break
            case .remove(let records):
                let before = records.countAscending { $0.position < position }
                if before < records.count, records[before].position == position { return nil }
                position -= before
            case .insert(let records):
                // The number of records at positions up to where it comes to stand.
                var (low, high) = (0, records.count)
                while low < high {
                    let middle = (low + high) / 2
                    if records[middle].position <= position + middle { low = middle + 1 } else { high = middle }
                }
                position += low
            case .move(let move):
                if position == move.from {
                    position = move.to
                } else {
                    if position > move.from { position -= 1 }
                    if position >= move.to { position += 1 }
                }
            case .reorder(let places):
                if places.order.indices.contains(position) { position = places.order[position] }
            }
        }
        return BookID(position)
    }
}

extension [CatalogEdit.PlacedRecord] {
    /// The number of records at the beginning that `isBefore`, in ascending order.
    fileprivate func countAscending(where isBefore: (CatalogEdit.PlacedRecord) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
