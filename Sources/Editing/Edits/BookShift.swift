public import Indexing

/// The effect of edits on the positions of books.
public struct BookShift: Sendable {
    private var edits: [CatalogEdit] = []
    /// Whether the books have been reloaded, so that no position is known.
    public private(set) var isUnknown = false

    /// Creates an empty shift.
    public init() {}

    /// The shift of a reloaded catalog.
    static var unknown: BookShift {
        var shift = BookShift()
        shift.isUnknown = true
        return shift
    }

    /// Returns the shift of positions since `start`, an earlier state of this shift.
    public func since(_ start: BookShift) -> BookShift {
        var rest = self
        rest.edits.removeFirst(min(edits.count, start.edits.count))
        rest.isUnknown = isUnknown && !start.isUnknown
        return rest
    }

    /// Whether no book has moved.
    public var isEmpty: Bool { edits.isEmpty && !isUnknown }

    /// Adds an edit; edits that change no position have no effect.
    mutating func append(_ edit: CatalogEdit) {
        if case .replace = edit { return }
        if isUnknown { return }
        // Lookups map old positions to new ones, so the inverse order is stored.
        if case .reorder(let order) = edit { edits.append(.reorder(order.reversed)) } else { edits.append(edit) }
    }

    /// Adds a later shift.
    mutating func append(_ later: BookShift) {
        if later.isUnknown { self = later } else { edits += later.edits }
    }

    /// Returns the current position of a book, or nil if it is gone. Logarithmic in the books of each edit.
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
                // The number of inserted records at positions up to the new one.
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
    /// The number of leading records, in ascending order, for which `isBefore` returns true.
    fileprivate func countAscending(where isBefore: (CatalogEdit.PlacedRecord) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
