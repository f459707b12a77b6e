/// The edits that an editor makes in its file, for the journal.
struct WrittenEdits {
    private var replacements: [CatalogEdit.Replacement] = []
    private var removed: [CatalogEdit.PlacedRecord] = []
    private var others: [CatalogEdit] = []
    private var byteCount = 0

    /// The size of records in bytes from which on they are not journalled: their step would be longer to undo than what it
    /// takes to restore the file from a backup.
    private static let maximumByteCount = 1 << 28

    /// Whether there are too many for the journal.
    var areTooMany: Bool { byteCount > Self.maximumByteCount }

    /// Notes that a record gets other bytes.
    mutating func replace(_ position: Int, _ old: [UInt8], by new: [UInt8]) {
        if makesRoom(for: old.count + new.count) {
            replacements.append(.init(position: position, old: old, new: new))
        }
    }

    /// Notes that a record is taken out.
    mutating func remove(_ record: CatalogEdit.PlacedRecord) {
        if makesRoom(for: record.bytes.count * 2) { removed.append(record) }
    }

    /// Notes another edit.
    mutating func add(_ edit: CatalogEdit) { others.append(edit) }

    /// - Returns: Whether so many bytes are to be kept.
    private mutating func makesRoom(for count: Int) -> Bool {
        byteCount += count
        if areTooMany { (replacements, removed) = ([], []) }
        return !areTooMany
    }

    /// The edits in their order; none if there are too many.
    var edits: [CatalogEdit] {
        if areTooMany { return [] }
        var edits: [CatalogEdit] = []
        if !replacements.isEmpty { edits.append(.replace(replacements.sorted { $0.position < $1.position })) }
        if !removed.isEmpty { edits.append(.remove(removed)) }
        return edits + others
    }
}
