public import Storage

extension UserData {
    /// Undoes the most recent step that is not undone, whichever instance made it. Newer changes by other instances
    /// that are not loaded yet are kept.
    ///
    /// An undo is recorded in the journal and therefore survives a restart. It is not a step to undo itself, but
    /// `redo()` reverses it until something else is done.
    /// - Returns: The step, or nil if there is nothing to undo.
    /// - Throws: `FileError` if the journal cannot be read or the undo cannot be saved; see `apply(_:to:)`.
    @discardableResult
    public func undo() throws(FileError) -> UndoStep? {
        guard let record = try stepToReverse(redoing: false) else { return nil }
        try reverse([record], as: .undo)
        return UndoStep(record, isUndone: true)
    }

    /// Redoes the step that was undone last, unless something else was done since.
    ///
    /// - Returns: The step, or nil if there is nothing to redo.
    /// - Throws: See `undo()`.
    @discardableResult
    public func redo() throws(FileError) -> UndoStep? {
        guard let record = try stepToReverse(redoing: true) else { return nil }
        try reverse([record], as: .redo)
        return UndoStep(record, isUndone: false)
    }

    /// Returns the step that the next undo or redo reverses.
    func stepToReverse(redoing isRedo: Bool) throws(FileError) -> StepRecord? {
        try recentSteps { steps -> (StepRecord?, Bool) in
            if !isRedo { return (steps.lastDone, steps.lastDone != nil) }
            let (id, isCertain) = steps.nextRedo
            let record = steps.records.last { $0.id == id && steps.isOwn($0) }
            return (record, isCertain && (id == nil || record != nil))
        }
    }

    /// Whether the step that an undo or redo would reverse is so long that this should be done on another thread.
    public func isLastStepLarge(redoing isRedo: Bool) -> Bool {
        loadOnce()
        guard let (lines, areAll) = try? lastLines(inBytes: Self.largeStepByteCount), unsaved.count < 1000 else {
            return !unsaved.isEmpty
        }
        let steps = RecentSteps(lines, unsaved: unsaved, areAll: areAll, catalog: openCatalog)
        if areAll { return false }
        return isRedo ? !steps.records.contains { $0.id == steps.nextRedo.id } : steps.lastDone == nil
    }

    /// The number of bytes of a step that is undone within a frame.
    private static let largeStepByteCount = 1 << 16

    /// Returns the most recent steps, newest first, including undone ones but not undo and redo. Reads the journal from
    /// its end as far as needed.
    ///
    /// - Throws: `FileError` if the journal cannot be read.
    public func history(limit: Int) throws(FileError) -> [UndoStep] {
        try recentSteps { steps in
            let own = steps.records.filter(steps.isOwn).suffix(max(0, limit))
            return (own.reversed().compactMap { UndoStep($0, isUndone: steps.isUndone($0.id)) }, own.count >= limit)
        }
    }

    /// Undoes everything after `step`, if there is anything, as one step that can be undone itself.
    ///
    /// - Throws: See `undo()`.
    public func goBack(to step: UndoStep) throws(FileError) {
        let records = try records(after: step)
        if !records.isEmpty { try reverse(records, as: .goBack) }
    }

    func records(after step: UndoStep) throws(FileError) -> [StepRecord] {
        try recentSteps { steps -> ([StepRecord], Bool) in
            guard let index = steps.records.lastIndex(where: { $0.id == step.id && steps.isOwn($0) }) else {
                return ([], false)
            }
            return (steps.done(after: index), true)
        }
    }

    /// Reverses steps or, for a redo, repeats them.
    private func reverse(_ records: [StepRecord], as reversal: Reversal) throws(FileError) {
        let moment = moment
        let header = JournalEntry(
            subject: .steps(reversal), value: .steps(records.map(\.id)), old: .nothing)
        let step = add(header, at: moment, step: nil)
        for record in records {
            let changes = record.changes
            prepareForStep(of: changes.count)
            for index in changes.indices {
                var line = reversal == .redo ? changes[index] : changes[changes.count - 1 - index].reversed
                guard line.subject.changes else { continue }
                // Skip values that have changed since the step.
                guard replay.state[line.subject].isSame(as: line.old) else { continue }
                (line.bookCount, line.importedFile, line.ratingStep) = (nil, nil, nil)
                if case .entry(let kind, let id, .existence) = line.subject, case .entry(var entry) = line.value {
                    entry.name = replay.state[kind].freeName(for: entry.name, id: id)
                    line.value = .entry(entry)
                }
                _ = add(line, at: moment, step: step)
            }
        }
        try commit()
    }

    /// Returns the result of `find` for the most recent steps, reading as many as it needs; `find` also returns whether
    /// they are enough.
    func recentSteps<Result>(_ find: (RecentSteps) -> (Result, Bool)) throws(FileError) -> Result {
        loadOnce()
        var byteCount = 1 << 16
        while true {
            let (lines, areAll) = try lastLines(inBytes: byteCount)
            let (result, isEnough) = find(RecentSteps(lines, unsaved: unsaved, areAll: areAll, catalog: openCatalog))
            if isEnough || areAll { return result }
            byteCount *= 4
        }
    }
}
