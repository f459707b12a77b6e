/// The edits that an editor makes in its file, for the journal.
struct WrittenEdits {
    private var replacements: [CatalogEdit.Replacement] = []
    private var removed: [CatalogEdit.PlacedRecord] = []
    private var others: [CatalogEdit] = []
    private var byteCount = 0

    /// The size of records in bytes above which they are not recorded in the journal: undoing the step would take
    /// longer than restoring the file from a backup.
    private static let maximumByteCount = 1 << 28

    /// Whether the edits are too large for the journal.
    var areTooMany: Bool { byteCount > Self.maximumByteCount }

    /// Records that the bytes of a record are replaced.
    mutating func replace(_ position: Int, _ old: [UInt8], by new: [UInt8]) {
        if makesRoom(for: old.count + new.count) {
            replacements.append(.init(position: position, old: old, new: new))
        }
    }

    /// Records that a record is removed.
    mutating func remove(_ record: CatalogEdit.PlacedRecord) {
        if makesRoom(for: record.bytes.count * 2) { removed.append(record) }
    }

    /// Records another edit.
    mutating func add(_ edit: CatalogEdit) { others.append(edit) }

    /// - Returns: Whether this many more bytes can be recorded.
    private mutating func makesRoom(for count: Int) -> Bool {
        byteCount += count
        if areTooMany { (replacements, removed) = ([], []) }
        return !areTooMany
    }

    /// The edits in order; empty if they are too large.
    var edits: [CatalogEdit] {
        if areTooMany { return [] }
        var edits: [CatalogEdit] = []
        if !replacements.isEmpty { edits.append(.replace(replacements.sorted { $0.position < $1.position })) }
        if !removed.isEmpty { edits.append(.remove(removed)) }
        return edits + others
    }
}
