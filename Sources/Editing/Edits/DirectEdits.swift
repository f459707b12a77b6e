internal import Storage

/// Edits that are not kept as unsaved ones: they are written to the file, or sent to the server, as soon as they are
/// all made. Commands edit in this way, beside the unsaved edits of the browser.
struct DirectEdits {
    /// The journal, in which they are recorded for undo; nil if there is no directory for it.
    let journal: EditJournal?
    /// The edits in order; empty if they are too large for the journal.
    private(set) var edits: [CatalogEdit] = []
    /// Whether all edits only change the order of the books.
    private(set) var isOnlyOrder = true
    /// Whether the edits are too large for the journal.
    private(set) var areTooLarge = false
    private var byteCount = 0
    /// Whether no edit was made.
    var isEmpty: Bool { edits.isEmpty && !areTooLarge }

    /// The size of records in bytes above which they are not recorded in the journal: undoing the step would take
    /// longer than restoring the file from a backup.
    private static let maximumByteCount = 1 << 28

    /// Creates the edits of a catalog with this journal; none is made yet.
    init(_ journal: EditJournal?) { self.journal = journal }

    /// Adds edits that were made.
    mutating func append(_ made: [CatalogEdit]) {
        for edit in made {
            if case .reorder = edit {} else { isOnlyOrder = false }
            byteCount += edit.byteCount
        }
        areTooLarge = byteCount > Self.maximumByteCount
        edits = areTooLarge ? [] : edits + made
    }
}

extension CatalogEdit {
    /// The size in bytes of the records for the journal.
    fileprivate var byteCount: Int {
        switch self {
        case .replace(let replacements): replacements.reduce(0) { $0 + $1.old.count + $1.new.count }
        case .remove(let records): records.reduce(0) { $0 + $1.bytes.count * 2 }
        // New records are as long as what the user gives.
        case .insert, .move, .reorder: 0
        }
    }
}
