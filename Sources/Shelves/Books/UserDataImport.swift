public import Storage

/// User data of a book imported from another program.
public struct UserDataImport: Sendable {
    /// The book.
    public var target: UserDataTarget
    /// The changes of the book's user data.
    public var changes: [UserDataChange]

    /// Creates the import of a book's user data.
    public init(target: UserDataTarget, changes: [UserDataChange]) {
        self.target = target
        self.changes = changes
    }
}

extension UserData {
    /// Applies all changes of `imports` as one undo step; when this method returns, either all changes are on disk or
    /// none. Each target may occur only once.
    ///
    /// - Parameter file: The name of the imported file, which names the step; nil if the changes come from elsewhere.
    /// - Returns: The number of books that have changed.
    /// - Throws: `FileError`; see `apply(_:to:)`.
    @discardableResult
    public func apply(_ imports: [UserDataImport], from file: String? = nil) throws(FileError) -> Int {
        loadOnce()
        takeInOthers()
        let moment = moment
        var step: Int?
        var changedCount = 0
        for entry in imports {
            var target = entry.target
            let count = unsaved.count
            for change in entry.changes {
                guard let change = withShelf(change, at: moment, step: &step) else { continue }
                // The first change creates the user data that the others change.
                target = target.with(identities: make(change, to: target, at: moment, step: &step))
            }
            if unsaved.count > count { changedCount += 1 }
        }
        guard let step else { return 0 }
        describe(step: step, bookCount: changedCount, importing: file)
        try commit()
        return changedCount
    }
}
