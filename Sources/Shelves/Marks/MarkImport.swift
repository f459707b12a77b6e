public import Storage

/// What another program has of a book that becomes the reader's own.
public struct MarkImport: Sendable {
    /// The book.
    public var target: MarkTarget
    /// What is said of it.
    public var changes: [MarkChange]
    /// The day on which the reader got to its status, "2026-11-21"; nil where nobody knows.
    public var statusDay: String?

    /// What is said of a book, and since when.
    public init(target: MarkTarget, changes: [MarkChange], statusDay: String? = nil) {
        self.target = target
        self.changes = changes
        self.statusDay = statusDay
    }
}

extension UserData {
    /// Makes all changes of `imports`: one step of undo, however many and of whatever kinds they are. When this returns they
    /// are on the disk: all of them, or nothing. Each target may be there once.
    ///
    /// - Returns: How many books it changed anything of.
    /// - Throws: `FileError`: see `apply(_:to:)`.
    @discardableResult
    public func apply(_ imports: [MarkImport]) throws(FileError) -> Int {
        loadOnce()
        let moment = moment
        var step: Int?
        var changedCount = 0
        for entry in imports {
            var target = entry.target
            let count = unsaved.count
            for change in entry.changes {
                if case .shelf(let id, _) = change, ledger.kept.shelves.index(of: id) == nil { continue }
                // The first change makes the mark that the others are of.
                target = target.with(marks: make(change, to: target, at: moment, day: entry.statusDay, step: &step))
            }
            if unsaved.count > count { changedCount += 1 }
        }
        guard let step else { return 0 }
        setBookCount(changedCount, ofStep: step)
        try commit()
        return changedCount
    }
}
