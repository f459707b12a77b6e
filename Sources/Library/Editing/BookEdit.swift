public import Editing
public import Indexing
public import Shelves
public import Storage
internal import Threading

/// An edit of books; their user data follows them if their title, authors or ISBN change, or they move.
public struct BookEdit: Sendable {
    /// How an edit is made.
    public enum Work: Sendable {
        /// Prepared on several threads, and then made as a whole.
        case bulk(BulkEdit)
        /// Made at once; nil if nothing had to be changed.
        case single(@Sendable (EditedCatalog) throws(CatalogEditError) -> EditOutcome?)
    }

    /// The kind of edit.
    public let kind: CatalogEditStep.Kind
    /// The books: all that are merged, group by group, and none that are added or sorted.
    public let ids: [BookID]
    /// The groups of books that are merged, of each the one that stays first.
    private let groups: [[BookID]]
    /// The title of the first book.
    public let title: String
    private let work: Work

    /// Creates an edit.
    public init(_ kind: CatalogEditStep.Kind, _ ids: [BookID], title: String, _ work: Work) {
        (self.kind, self.ids, self.title, self.work) = (kind, ids, title, work)
        groups = []
    }

    /// Creates the edit that merges books, as one step.
    ///
    /// - Parameter title: The title of the first book that stays.
    public init(merging mergings: [BookMerging], title: String) {
        (kind, groups, self.title) = (.merged, mergings.map(\.ids), title)
        ids = Array(groups.joined())
        work = .single { catalog throws(CatalogEditError) in try catalog.merge(mergings) }
    }

    /// Makes the edit.
    ///
    /// - Parameters:
    ///   - original: A fork of the catalog.
    ///   - resolver: The located user data, if it is known.
    /// - Returns: Nil if nothing had to be changed, or the edit was cancelled.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    func make(
        in catalog: EditedCatalog, _ original: EditedCatalog.Fork, _ userData: UserData,
        at resolver: UserDataResolver?, _ progress: BulkChange.Progress,
        unless isCancelled: @escaping @Sendable () -> Bool
    ) throws(CatalogEditError) -> MadeEdit? {
        // The user data must be located before the keys of its books change.
        let before = EditedUserData(kind, ids, groups, of: catalog, userData) {
            UserDataIndex(userData, at: resolver ?? userData.resolver(in: catalog.index))
        }
        let outcome: EditOutcome?
        switch work {
        case .single(let make): outcome = try make(catalog)
        case .bulk(let edit):
            let parts = EditParts(original, ids.sorted(), edit)
            guard let prepared = try parts.prepared(progress, unless: isCancelled) else { return nil }
            outcome = try catalog.make(prepared, unless: isCancelled)
        }
        guard let outcome else { return nil }
        let moves = before?.moves(after: outcome, in: catalog, catalog: userData.openCatalog) ?? []
        return MadeEdit(edit: self, outcome: outcome, moves: moves)
    }
}

/// An edit that was made, and the user data that moves with it.
public struct MadeEdit: Sendable {
    private let edit: BookEdit
    /// The outcome.
    public let outcome: EditOutcome
    /// The user data that moves.
    public var moves: [UserDataMove]

    fileprivate init(edit: BookEdit, outcome: EditOutcome, moves: [UserDataMove]) {
        (self.edit, self.outcome, self.moves) = (edit, outcome, moves)
    }

    /// Records the edit in the history of all changes, and moves the user data.
    ///
    /// - Parameters:
    ///   - number: The number of the step in the journal of the catalog.
    ///   - path: The absolute path of the catalog.
    /// - Throws: `FileError` if the history cannot be written.
    public func record(in userData: UserData, number: Int, catalog path: String) throws(FileError) {
        let count = edit.kind == .merged ? edit.ids.count : outcome.bookCount
        let step = CatalogEditStep(edit.kind, number: number, catalog: path, title: edit.title, bookCount: count)
        try userData.record(step, moving: moves)
    }
}

/// Prepares an edit of many books, in parts on several threads.
private struct EditParts: Sendable {
    private let original: EditedCatalog.Fork
    private let ids: [BookID]
    private let edit: BulkEdit

    /// The number of books that a thread prepares at a time.
    private static let partCount = 512

    init(_ original: EditedCatalog.Fork, _ ids: [BookID], _ edit: BulkEdit) {
        (self.original, self.ids, self.edit) = (original, ids, edit)
    }

    /// Returns the edit; nil if cancelled.
    func prepared(
        _ progress: BulkChange.Progress, unless isCancelled: @escaping @Sendable () -> Bool
    ) throws(CatalogEditError) -> PreparedEdit? {
        // After a value that does not fit, the other parts are not needed.
        let hasFailed = Locked(false)
        let parts = ThreadPool.shared.map(ids.count, by: Self.partCount, with: { EditedCatalog(original) }) {
            catalog, part in
            let result = prepared(part, in: catalog, progress) { isCancelled() || hasFailed.withLock { $0 } }
            if case .failure = result { hasFailed.withLock { $0 = true } }
            return result
        }
        var edits: [PreparedEdit] = []
        for part in parts { if let edit = try part.get() { edits.append(edit) } }
        return edits.count == parts.count ? PreparedEdit(joining: edits) : nil
    }

    private func prepared(
        _ part: Range<Int>, in catalog: EditedCatalog, _ progress: BulkChange.Progress, unless isStopped: () -> Bool
    ) -> Result<PreparedEdit?, CatalogEditError> {
        if isStopped() { return .success(nil) }
        return Result { () throws(CatalogEditError) in
            try catalog.prepare(edit, of: ids[part]) { count in
                progress.add(count)
                return !isStopped()
            }
        }
    }
}
