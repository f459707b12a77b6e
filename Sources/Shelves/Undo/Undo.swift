public import Storage

extension UserData {
    /// Undoes the last step that was not undone yet, whoever made it, as far as it is known here. What another instance changed
    /// since, and was not taken in yet, stays as that one wants it.
    ///
    /// An undo is a step of the journal itself, and so survives a restart; it is no step that could be undone, but one that
    /// can be taken back by `redo()` until something else is done.
    /// - Returns: The step; nil where there is none to undo.
    /// - Throws: `FileError`, where the journal cannot be read, or the undo not be saved: see `apply(_:to:)`.
    @discardableResult
    public func undo() throws(FileError) -> UndoStep? {
        let record = try recentSteps { ($0.lastDone, $0.lastDone != nil) }
        guard let record else { return nil }
        try reverse([record], as: .undo)
        return UndoStep(record, isUndone: true)
    }

    /// Does the step again that was undone last, where nothing else was done since.
    ///
    /// - Returns: The step; nil where there is none to do again.
    /// - Throws: See `undo()`.
    @discardableResult
    public func redo() throws(FileError) -> UndoStep? {
        let record = try recentSteps { steps -> (StepRecord?, Bool) in
            let (id, isCertain) = steps.nextRedo
            let record = steps.records.last { $0.id == id && $0.isOwn }
            return (record, isCertain && (id == nil || record != nil))
        }
        guard let record else { return nil }
        try reverse([record], as: .redo)
        return UndoStep(record, isUndone: false)
    }

    /// The last steps, the newest first, those that were undone among them; undoing and redoing are none. The journal is read
    /// for it, from its end on as far as needed.
    ///
    /// - Throws: `FileError`, where the journal cannot be read.
    public func history(limit: Int) throws(FileError) -> [UndoStep] {
        try recentSteps { steps in
            let own = steps.records.filter(\.isOwn).suffix(max(0, limit))
            return (own.reversed().compactMap { UndoStep($0, isUndone: steps.isUndone($0.id)) }, own.count >= limit)
        }
    }

    /// Undoes all that was done after `step`, as one step that can be undone itself. Does nothing where nothing was.
    ///
    /// - Throws: See `undo()`.
    public func goBack(to step: UndoStep) throws(FileError) {
        let records = try recentSteps { steps -> ([StepRecord], Bool) in
            guard let index = steps.records.lastIndex(where: { $0.id == step.id && $0.isOwn }) else {
                return ([], false)
            }
            return (steps.done(after: index), true)
        }
        if !records.isEmpty { try reverse(records, as: .goBack) }
    }

    /// Does steps backwards, or, for a redo, forwards.
    private func reverse(_ records: [StepRecord], as reversal: Reversal) throws(FileError) {
        let moment = moment
        let header = JournalEntry(
            subject: .steps(reversal), value: .steps(records.map(\.id)), old: .nothing)
        let step = add(header, at: moment, step: nil)
        for record in records {
            for var line in reversal == .redo ? record.lines : record.lines.reversed().map(\.reversed)
            where line.subject.changes {
                // What is not as the step left it, somebody changed since.
                guard ledger.kept[line.subject].isSame(as: line.old) else { continue }
                line.bookCount = nil
                if case .entry(let kind, let id, .existence) = line.subject, case .entry(var entry) = line.value {
                    entry.name = ledger.kept[kind].freeName(for: entry.name, id: id)
                    line.value = .entry(entry)
                }
                _ = add(line, at: moment, step: step)
            }
        }
        try commit()
    }

    /// What `find` makes of the last steps, of as many as it needs: it says whether these are enough.
    private func recentSteps<Result>(_ find: (RecentSteps) -> (Result, Bool)) throws(FileError) -> Result {
        loadOnce()
        var byteCount = 1 << 16
        while true {
            let (lines, areAll) = try lastLines(inBytes: byteCount)
            let (result, isEnough) = find(RecentSteps(lines + unsaved, areAll: areAll))
            if isEnough || areAll { return result }
            byteCount *= 4
        }
    }
}
