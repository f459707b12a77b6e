internal import Books
public import Catalog
public import Indexing
public import Shelves
internal import Storage
internal import Threading

/// How an edit is made in a copy of the catalog, on other threads.
public enum EditWork: Sendable {
    /// Prepared for some of the books at a time, and then made as a whole.
    case prepared(@Sendable (EditedCatalog, [BookID]) throws(CatalogEditError) -> EditPreparation)
    /// Made at once; nil if nothing had to be changed.
    case atOnce(@Sendable (EditedCatalog) throws(CatalogEditError) -> EditOutcome?)
}

/// Editing books on another thread, and undoing such edits.
extension Library {
    /// Starts editing books; user data follows the books whose title, authors or ISBN change.
    ///
    /// - Parameters:
    ///   - kind: The kind of edit.
    ///   - ids: The books; empty for new ones.
    ///   - title: The title of the first book.
    ///   - notify: Called on any thread at the end, and ten times a second until then.
    ///   - work: Makes the edit.
    /// - Returns: The running change, for `receive(_:)` when it has ended.
    /// - Throws: `CatalogEditError` if the catalog cannot be edited now.
    public func startEdit(
        _ kind: CatalogEditStep.Kind, _ ids: [BookID], title: String, notifying notify: @escaping @Sendable () -> Void,
        _ work: EditWork
    ) throws(CatalogEditError) -> BulkChange {
        let original = try copyOfCatalog()
        let (copy, resolver, path) = (userData.copy, located.currentResolver, catalogPath)
        return BulkChange(ids.count, notifying: notify) { progress, isCancelled in
            let catalog = EditedCatalog(original)
            let userData = UserData(copy)
            // The user data must be located before the keys of its books change.
            let before = EditedUserData(kind, ids, of: catalog, userData) {
                UserDataIndex(userData, at: resolver ?? userData.resolver(in: catalog.index))
            }
            var product = BulkChange.Product(
                copy: copy, resolver: resolver ?? userData.resolver(in: catalog.index), outcome: .edited(nil))
            let outcome: EditOutcome?
            do throws(CatalogEditError) {
                switch work {
                case .atOnce(let make): outcome = try make(catalog)
                case .prepared(let prepare):
                    let parts = EditParts(original, ids.sorted(), prepare)
                    guard let prepared = try parts.prepared(progress, unless: isCancelled) else { return nil }
                    outcome = try catalog.make(prepared, unless: isCancelled)
                }
            } catch {
                product.outcome = .notEdited(error)
                return product
            }
            guard let outcome, let after = catalog.copy else { return isCancelled() ? nil : product }
            let moves = before?.moves(after: outcome, in: catalog, catalog: path) ?? []
            let step = CatalogEditStep(
                kind, number: outcome.number, catalog: path ?? catalog.path, title: title, bookCount: outcome.bookCount)
            product.outcome = .edited(outcome)
            do throws(FileError) {
                try userData.record(step, moving: moves)
            } catch {
                product.outcome = .editedWithoutHistory(error)
            }
            (product.copy, product.resolver) = (userData.copy, userData.resolver(in: catalog.index))
            product.catalog = (original, after)
            return product
        }
    }

    /// Returns a copy of the catalog for editing.
    private func copyOfCatalog() throws(CatalogEditError) -> EditedCatalog.Copy {
        guard let edited = store.edited else { throw store.obstacleToEditing }
        try edited.checkEditable()
        if edited.isSaving { throw .saving }
        guard let copy = edited.copy else { throw .loading }
        return copy
    }

    /// Starts undoing or redoing the last step.
    ///
    /// - Parameter reversals: The edits of the catalog that are reversed with it.
    /// - Returns: The running change, for `receive(_:)` when it has ended.
    /// - Throws: `CatalogEditError` if the catalog cannot be edited now.
    public func startReversal(
        of reversals: [EditReversal] = [], redoing isRedo: Bool, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> BulkChange {
        let (copy, index) = (userData.copy, store.index)
        var original: EditedCatalog.Copy?
        if !reversals.isEmpty {
            try store.edited?.readChangedFile()
            original = try copyOfCatalog()
        }
        return BulkChange(1, notifying: notify) { [original] _, isCancelled in
            let userData = UserData(copy)
            let catalog = original.map { EditedCatalog($0) }
            var skipped: CatalogEditError?
            var hadEffect = reversals.isEmpty
            var isStopped = false
            do throws(CatalogEditError) {
                for (number, reversal) in reversals.enumerated() {
                    // The reversal can only be stopped before the first edit; the edits of a step stay together.
                    let outcome = try catalog?.reverse(reversal.edit.number, redoing: reversal.isRedo) {
                        isStopped = number == 0 && isCancelled()
                        return isStopped
                    }
                    if isStopped { return nil }
                    if outcome != nil { hadEffect = true }
                }
            } catch {
                guard error.isLasting else {
                    return BulkChange.Product(
                        copy: copy, resolver: userData.resolver(in: index), outcome: .notEdited(error))
                }
                skipped = error
            }
            var outcome: BulkChange.Outcome
            do throws(FileError) {
                let step = isRedo ? try userData.redo() : try userData.undo()
                outcome = .reversed(step)
                if let step, !hadEffect { outcome = .hadNoEffect(step) }
                if let skipped { outcome = .passedOver(skipped) }
            } catch {
                outcome = .unsaved(error)
            }
            var product = BulkChange.Product(
                copy: userData.copy, resolver: userData.resolver(in: catalog?.index ?? index), outcome: outcome)
            if let original, let after = catalog?.copy { product.catalog = (original, after) }
            return product
        }
    }
}

/// Prepares an edit of many books, in parts on several threads.
private struct EditParts: Sendable {
    private let original: EditedCatalog.Copy
    private let ids: [BookID]
    private let prepare: @Sendable (EditedCatalog, [BookID]) throws(CatalogEditError) -> EditPreparation

    /// The number of books that a thread prepares at a time.
    private static let partCount = 512

    init(
        _ original: EditedCatalog.Copy, _ ids: [BookID],
        _ prepare: @escaping @Sendable (EditedCatalog, [BookID]) throws(CatalogEditError) -> EditPreparation
    ) {
        (self.original, self.ids, self.prepare) = (original, ids, prepare)
    }

    /// Returns the edit; nil if cancelled.
    func prepared(
        _ progress: BulkChange.Progress, unless isCancelled: @escaping @Sendable () -> Bool
    ) throws(CatalogEditError) -> PreparedEdit? {
        // After a value that does not fit, the other parts are not needed.
        let hasFailed = Locked(false)
        let parts = ThreadPool.shared.map(ids.count, by: Self.partCount) { part in
            let result = prepared(part, progress) { isCancelled() || hasFailed.withLock { $0 } }
            if case .failure = result { hasFailed.withLock { $0 = true } }
            return result
        }
        var edits: [PreparedEdit] = []
        for part in parts { if let edit = try part.get() { edits.append(edit) } }
        return edits.count == parts.count ? PreparedEdit(joining: edits) : nil
    }

    private func prepared(
        _ part: Range<Int>, _ progress: BulkChange.Progress, unless isStopped: () -> Bool
    ) -> Result<PreparedEdit?, CatalogEditError> {
        if isStopped() { return .success(nil) }
        return Result { () throws(CatalogEditError) in
            let preparation = try prepare(EditedCatalog(original), Array(ids[part]))
            let isReady = try preparation.run { count in
                progress.add(count)
                return !isStopped()
            }
            return isReady ? preparation.prepared : nil
        }
    }
}

extension CatalogEditError {
    /// Whether edits that cannot be reversed for this reason never can be; they must not block earlier changes.
    public var isLasting: Bool {
        switch self {
        case .changedSince, .stepGone: true
        default: false
        }
    }
}
