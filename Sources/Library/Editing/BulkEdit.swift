internal import Catalog
public import Editing
public import Shelves
public import Storage

/// Editing books on another thread, and undoing such edits.
extension Library {
    /// Starts an edit in a fork of the catalog.
    ///
    /// - Parameter notify: Called on any thread at the end, and ten times a second until then.
    /// - Returns: The running change, for `receive(_:)` when it has ended.
    /// - Throws: `CatalogEditError` if the catalog cannot be edited now.
    public func start(
        _ edit: BookEdit, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> BulkChange {
        let original = try forkOfCatalog()
        let (fork, resolver, path) = (userData.fork, located.currentResolver, catalogPath)
        return BulkChange(edit.ids.count, notifying: notify) { progress, isCancelled in
            let catalog = EditedCatalog(original)
            let userData = UserData(fork)
            var product = BulkChange.Product(
                fork: fork, resolver: resolver ?? userData.resolver(in: catalog.index), outcome: .edited(nil))
            let made: MadeEdit?
            do throws(CatalogEditError) {
                made = try edit.make(in: catalog, original, userData, at: resolver, progress, unless: isCancelled)
            } catch {
                product.outcome = .notEdited(error)
                return product
            }
            guard let made, let after = catalog.fork else { return isCancelled() ? nil : product }
            product.outcome = .edited(made.outcome)
            do throws(FileError) {
                try made.record(in: userData, number: made.outcome.number, catalog: path ?? catalog.path)
            } catch {
                product.outcome = .editedWithoutHistory(error)
            }
            (product.fork, product.resolver) = (userData.fork, userData.resolver(in: catalog.index))
            product.catalog = (original, after)
            return product
        }
    }

    /// Makes an edit in the catalog itself, which is not recorded yet.
    ///
    /// - Returns: Nil if nothing had to be changed.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func make(_ edit: BookEdit) throws(CatalogEditError) -> MadeEdit? {
        guard let catalog = store.edited else { throw store.obstacleToEditing }
        return try edit.make(
            in: catalog, try forkOfCatalog(), userData, at: nil, BulkChange.Progress(totalCount: 1) {},
            unless: { false })
    }

    /// Returns a fork of the catalog for editing.
    func forkOfCatalog() throws(CatalogEditError) -> EditedCatalog.Fork {
        guard let edited = store.edited else { throw store.obstacleToEditing }
        try edited.checkEditable()
        if edited.isSaving { throw .saving }
        guard let fork = edited.fork else { throw .loading }
        return fork
    }

    /// Starts undoing or redoing changes.
    ///
    /// - Parameters:
    ///   - reversal: What is undone or redone.
    ///   - edits: The edits of the catalog that are reversed with it.
    /// - Returns: The running change, for `receive(_:)` when it has ended.
    /// - Throws: `CatalogEditError` if the catalog cannot be edited now.
    public func start(
        _ reversal: BulkChange.Reversal, of edits: [EditReversal] = [],
        notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> BulkChange {
        let (fork, index) = (userData.fork, store.index)
        var original: EditedCatalog.Fork?
        if !edits.isEmpty {
            try store.edited?.readChangedFile()
            original = try forkOfCatalog()
        }
        return BulkChange(1, notifying: notify) { [original] _, isCancelled in
            let userData = UserData(fork)
            let catalog = original.map { EditedCatalog($0) }
            var skipped: CatalogEditError?
            var made: EditOutcome?
            var isStopped = false
            do throws(CatalogEditError) {
                for (number, edit) in edits.enumerated() {
                    // The reversal can only be stopped before the first edit; the edits of a step stay together.
                    let outcome = try catalog?.reverse(edit.edit.number, redoing: edit.isRedo) {
                        isStopped = number == 0 && isCancelled()
                        return isStopped
                    }
                    if isStopped { return nil }
                    made = outcome ?? made
                }
            } catch {
                guard error.isLasting else {
                    return BulkChange.Product(
                        fork: fork, resolver: userData.resolver(in: index), outcome: .notEdited(error))
                }
                skipped = error
            }
            var outcome: BulkChange.Outcome
            do throws(FileError) {
                let step = try userData.reverse(reversal)
                outcome = .reversed(step, made)
                if let step, !edits.isEmpty, made == nil, reversal.isOfOneStep { outcome = .hadNoEffect(step) }
                if let skipped { outcome = .passedOver(skipped) }
            } catch {
                outcome = .unsaved(error)
            }
            var product = BulkChange.Product(
                fork: userData.fork, resolver: userData.resolver(in: catalog?.index ?? index), outcome: outcome)
            if let original, let after = catalog?.fork { product.catalog = (original, after) }
            return product
        }
    }
}

extension UserData {
    /// The edits of the open catalog that are reversed as well, in this order.
    ///
    /// - Throws: `FileError` if the journal cannot be read.
    public func edits(of reversal: BulkChange.Reversal) throws(FileError) -> [EditReversal] {
        switch reversal {
        case .undo: try editsToReverse(redoing: false)
        case .redo: try editsToReverse(redoing: true)
        case .goBack(let step): try editsToReverse(goingBackTo: step)
        }
    }

    /// Whether undoing or redoing the last change takes longer than a frame.
    public func isLarge(_ reversal: BulkChange.Reversal) -> Bool {
        switch reversal {
        case .undo: isLastStepLarge(redoing: false)
        case .redo: isLastStepLarge(redoing: true)
        case .goBack: false
        }
    }

    /// - Returns: The step that was reversed, or to which this went back; nil if there was nothing to reverse.
    fileprivate func reverse(_ reversal: BulkChange.Reversal) throws(FileError) -> UndoStep? {
        switch reversal {
        case .undo: return try undo()
        case .redo: return try redo()
        case .goBack(let step):
            let before = changeCount
            try goBack(to: step)
            return changeCount == before ? nil : step
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
