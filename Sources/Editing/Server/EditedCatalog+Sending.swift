internal import Catalog
public import ConnectorProtocol
internal import Glibc
internal import Indexing
internal import JSON
internal import Remote
internal import Storage
internal import Threading

/// Saving the edits on a server: the books are copied again and compared, the edits are sent, and the books are copied
/// once more.
extension EditedCatalog {
    /// The progress of sending; nil while nothing is sent.
    public var sendingProgress: SendingProgress? {
        guard case .server(let save)? = saving, case .sending(let publication, let edits) = save.phase else {
            return nil
        }
        return SendingProgress(
            count: publication.progress?.rows ?? 0, total: edits.reduce(0) { $0 + $1.bookCount },
            rate: publication.rate)
    }

    /// Whether the edits are being saved on a server, which can be stopped.
    public var isSending: Bool { if case .server? = saving { true } else { false } }

    /// Whether the server was asked to take the edits, and has taken none yet.
    public var isConnecting: Bool {
        guard case .server(let save)? = saving else { return false }
        return switch save.phase {
        case .comparing: true
        case .sending(let publication, _): publication.progress == nil
        case .copying: false
        }
    }

    /// Stores the user and password for the next save on a server.
    public func signIn(with credential: SourceCredential) { mirror?.access.signIn.answer(credential) }

    /// Stops saving: on a server between two books, in a file before it is replaced. The edits that were not saved stay.
    public func stopSaving() {
        if case .file(let save)? = saving { save.task.cancel() }
        guard case .server(let save)? = saving else { return }
        save.stop()
        if case .sending = save.phase { return }
        mirror?.stopCopying()
    }

    /// Starts saving on the server.
    func startSending(
        to mirror: MirroredCatalog, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> SaveProgress {
        if !clashes.isEmpty { return .clashing }
        if unsavedCount == 0, history.sent == nil {
            try forgetSaved()
            return .nothing
        }
        if mirror.access.refreshes == .never { throw .offline }
        if mirror.sender == nil { throw .server(.noSender) }
        guard let path = journal?.path else { throw .notKept }
        let lock: FileLock?
        do throws(FileError) {
            lock = try FileLock(path: path + ".sending")
        } catch {
            throw .journal(error)
        }
        guard let lock else { throw .busy }
        passwordQuestion = nil
        saving = .server(ServerSave(lock, notifying: notify))
        return .running
    }

    /// Continues saving on the server, waiting for at most `milliseconds`.
    ///
    /// - Throws: `CatalogEditError`; the edits that were not sent are kept.
    func receiveSending(_ save: ServerSave, waiting milliseconds: Int) throws(CatalogEditError) -> SaveProgress {
        let deadline = MonotonicTime.milliseconds + milliseconds
        while true {
            do throws(CatalogEditError) {
                if let progress = try proceed(save) {
                    saving = nil
                    return progress
                }
            } catch {
                saving = nil
                if case .server(let failure) = error, failure.wantsPassword {
                    passwordQuestion = mirror?.access.signIn.openQuestion
                }
                throw error
            }
            if MonotonicTime.milliseconds >= deadline { return .running }
            usleep(Self.pause)
        }
    }

    /// The time between two looks at a save, in microseconds.
    private static let pause: useconds_t = 5000

    /// Does what can be done without waiting.
    ///
    /// - Returns: The result; nil if it is still running.
    private func proceed(_ save: ServerSave) throws(CatalogEditError) -> SaveProgress? {
        guard let mirror else { throw .foreign }
        switch save.phase {
        case .comparing:
            guard try isCopied(again: save, mirror) else { return nil }
            if mirror.smallerSource != nil { throw .changedSince }
            if let failure = mirror.takeFailureOfCopy() { throw .server(failure) }
            do throws(CatalogError) {
                if mirror.isOutdated { try reloadCompletely() }
            } catch {
                throw .unreadable(error)
            }
            guard isComplete else { throw .loading }
            mirror.discardNewsOfCopy()
            if save.isStopped { throw .server(ConnectorFailure(.cancelled)) }
            if !clashes.isEmpty { return .clashing }
            guard try send(save, mirror) else { return .saved(bookCount: 0) }
        case .sending(let publication, let edits):
            guard let outcome = publication.outcome else { return nil }
            if case .failure(let failure) = outcome, failure.wantsPassword, publication.progress == nil {
                // Nothing was sent.
                do throws(FileError) { try keep(unsavedEdits) } catch { throw .journal(error) }
                throw .server(failure)
            }
            finish(save, edits, outcome)
            (save.phase, save.hasStartedCopy) = (.copying, false)
            // Only the end of the copy is signalled.
            return try proceed(save)
        case .copying:
            guard try isCopied(again: save, mirror) else { return nil }
            if mirror.smallerSource != nil {
                // The user has deleted these books.
                save.hasStartedCopy = false
                return try proceed(save)
            }
            // Without the copy, the edits stay, and the next save finds out which of them the server has.
            if let failure = mirror.takeFailureOfCopy() { throw .server(save.failure ?? failure) }
            try settle(save, mirror)
            mirror.discardNewsOfCopy()
            return try result(of: save)
        }
        return nil
    }

    /// Starts a copy of the server once the running one, if any, has ended.
    ///
    /// - Returns: Whether it has ended, too.
    private func isCopied(again save: ServerSave, _ mirror: MirroredCatalog) throws(CatalogEditError) -> Bool {
        _ = mirror.receive()
        if mirror.isCopying { return false }
        if save.hasStartedCopy { return true }
        save.hasStartedCopy = true
        mirror.copyNow()
        return !mirror.isCopying
    }

    /// The number of the newest book in the copy, which has the books in the order of their numbers; 0 if there are none.
    var newestServerNumber: Int {
        base.index.count > 0 ? base.record(BookID(base.index.count - 1))?["id"]?.integer ?? 0 : 0
    }

    /// Starts to send the edits, once they are in the journal as those that are sent.
    ///
    /// - Returns: False if there is nothing to send any more.
    private func send(_ save: ServerSave, _ mirror: MirroredCatalog) throws(CatalogEditError) -> Bool {
        guard let journal else { throw .notKept }
        let newest = newestServerNumber
        var edits = unsavedEdits
        do throws(FileError) {
            var hasNews = false
            repeat {
                if edits.isEmpty {
                    try keep([])
                    return false
                }
                try journal.append { [edits] others in
                    hasNews = !others.isEmpty
                    take(others)
                    // Those of other instances are sent, too.
                    if hasNews { return [] }
                    history.take(.sending(edits, newest: newest))
                    return [.sending(edits, newest: newest)]
                }
                edits = hasNews ? unsavedEdits : edits
            } while hasNews
        } catch {
            throw .journal(error)
        }
        (save.phase, save.newest) = (.sending(try send(edits, to: mirror, notifying: save.notify), edits), newest)
        return true
    }

    /// Starts to send edits.
    ///
    /// - Parameter notify: Called on any thread when there is progress, and at the end.
    func send(
        _ edits: [CatalogEdit], to mirror: MirroredCatalog, notifying notify: @escaping @Sendable () -> Void
    ) throws(CatalogEditError) -> ServerPublication {
        guard let sender = mirror.sender else { throw .server(.noSender) }
        do throws(FileError) {
            let publication = try ServerPublication(by: sender, credentials: mirror.access.signIn.credentials)
            let changes = edits.flatMap(serverChanges)
            for change in changes { try publication.append(change.row) }
            publication.send(
                Publication(
                    to: mirror.directory.source, as: .calibre, from: publication.rowsPath, rows: changes.count),
                notifying: notify)
            return publication
        } catch {
            throw .journal(error)
        }
    }

    /// The changes of an edit on the server. A deleted book that returns is a new one without its files and number.
    private func serverChanges(of edit: CatalogEdit) -> [ServerChange] {
        guard case .insert = edit else { return (try? edit.serverChanges) ?? [] }
        return ((try? edit.serverChanges) ?? []).map { change in
            guard let new = change.new, new["id"] != nil, case .object(let members) = new else { return change }
            return ServerChange(old: nil, new: .object(members.filter { !Self.ofServer.contains($0.key) }))
        }
    }

    /// The members that only the server sets.
    private static let ofServer: Set<String> = ["id", "uuid", "last_modified", "cover", "formats"]

    /// Takes over which edits the server has refused.
    private func finish(
        _ save: ServerSave, _ edits: [CatalogEdit], _ outcome: Result<ServerPublication.Outcome, ConnectorFailure>
    ) {
        save.sentCount = edits.reduce(0) { $0 + $1.bookCount }
        switch outcome {
        case .failure(let failure): save.failure = failure
        case .success(let outcome):
            save.refusals = outcome.refusals(of: edits)
            save.refused = outcome.selected(edits, areRefused: true)
        }
    }

    /// Shows the copy with the edits that were sent, and records which ones are left.
    private func settle(_ save: ServerSave, _ mirror: MirroredCatalog) throws(CatalogEditError) {
        do throws(FileError) {
            // A server may have added a book and then refused the rest of its values.
            if save.failure == nil { try keep(save.refused, addedAfter: save.newest) }
        } catch {
            throw .journal(error)
        }
        do throws(CatalogError) {
            if mirror.isOutdated { try reloadCompletely() } else if isComplete { replay() }
        } catch {
            throw .unreadable(error)
        }
        guard isComplete, clashes.isEmpty, history.sent != nil else { return }
        let edits = unsavedEdits
        // After a failure, a request may still be on its way.
        if save.failure != nil, !edits.isEmpty { return }
        do throws(FileError) {
            try keep(edits)
        } catch {
            throw .journal(error)
        }
    }

    /// Records that only these edits are unsaved; those of others since then stay.
    ///
    /// - Parameter newest: The number of the newest book before new books were sent, if the server may have some of them
    ///   nevertheless.
    private func keep(_ edits: [CatalogEdit], addedAfter newest: Int? = nil) throws(FileError) {
        try journal?.append { others in
            history.take(.rebased(edits))
            if let newest, !edits.isEmpty { history.take(.sending(edits, newest: newest)) }
            take(others)
            let later = others.compactMap { entry -> [CatalogEdit]? in
                if case .step(let step) = entry { history.edits(of: step) } else { nil }
            }
            let all = edits + later.joined()
            guard let newest, !edits.isEmpty else { return [.rebased(all)] }
            return [.rebased(all), .sending(all, newest: newest)]
        }
    }

    private func result(of save: ServerSave) throws(CatalogEditError) -> SaveProgress {
        journal?.shortenInBackground()
        // What was sent nevertheless is in the copy now.
        if let failure = save.failure, unsavedCount > 0 { throw .server(failure) }
        if !clashes.isEmpty { return .clashing }
        // A server may have made a change before it, or a proxy, answered with an error.
        if save.refusals.isEmpty || unsavedCount == 0 { return .saved(bookCount: save.sentCount) }
        return .refused(save.refusals, bookCount: save.sentCount - save.refusals.count)
    }

    // MARK: - Direct edits

    /// Sends direct edits, and copies the books of the server again.
    func send(
        to mirror: MirroredCatalog, _ journal: EditJournal?,
        _ report: (SendingProgress, _ cleanUp: @escaping @Sendable () -> Void) -> Void
    ) throws(CatalogEditError) -> DirectSave {
        let edits = unsavedEdits
        let publication = try send(edits, to: mirror) {}
        let total = edits.reduce(0) { $0 + $1.bookCount }
        while publication.outcome == nil {
            let count = publication.progress?.rows ?? 0
            report(SendingProgress(count: count, total: total, rate: publication.rate), publication.cleanUp)
            usleep(Self.pause)
        }
        let result: ServerPublication.Outcome
        switch publication.outcome {
        case .success(let outcome)?: result = outcome
        case .failure(let failure)?: throw .server(failure)
        case nil: throw .server(ConnectorFailure(.helper))
        }
        var save = DirectSave(refusals: result.refusals(of: edits))
        let taken = result.selected(edits, areRefused: false)
        if let fingerprint = base.fingerprint, !taken.isEmpty {
            save.number = try? journal?.append(taken, writtenIn: fingerprint, over: fingerprint).number
            try? journal?.shorten()
        }
        // If this fails, the next start updates the copy.
        mirror.copyNow()
        mirror.waitForCopy()
        // The user has deleted these books.
        if mirror.smallerSource != nil { mirror.copyNow() }
        mirror.waitForCopy()
        return save
    }
}

extension ConnectorFailure {
    /// The program that sends edits is missing.
    fileprivate static let noSender = ConnectorFailure(.helper, .noProgram, detail: "stacks-connect")

    /// Whether a user and password, or others than those given, would help.
    fileprivate var wantsPassword: Bool { kind == .auth && (reason == .password || reason == .netrc) }
}

extension ServerPublication.Outcome {
    /// Returns the refused changes of these edits.
    func refusals(of edits: [CatalogEdit]) -> [ServerRefusal] {
        let changes = edits.flatMap { (try? $0.serverChanges) ?? [] }
        return refused.map { row in
            ServerRefusal(title: changes.indices.contains(row.row - 1) ? changes[row.row - 1].title : "", row: row)
        }
    }

    /// Returns the part of these edits that the server has refused, or the rest.
    func selected(_ edits: [CatalogEdit], areRefused: Bool) -> [CatalogEdit] {
        let rows = Set(refused.map { $0.row - 1 })
        var start = 0
        return edits.compactMap { edit in
            defer { start += edit.bookCount }
            return edit.keeping { rows.contains(start + $0) == areRefused }
        }
    }
}

extension CatalogEdit {
    /// Returns the part of this edit for the books, counted from 0, that `isKept` selects; nil if there are none.
    fileprivate func keeping(_ isKept: (Int) -> Bool) -> CatalogEdit? {
        func kept<Element>(_ elements: [Element]) -> [Element]? {
            let kept = elements.enumerated().filter { isKept($0.offset) }.map(\.element)
            return kept.isEmpty ? nil : kept
        }
        return switch self {
        case .replace(let replacements): kept(replacements).map(CatalogEdit.replace)
        case .insert(let records): kept(records).map(CatalogEdit.insert)
        case .remove(let records): kept(records).map(CatalogEdit.remove)
        case .move, .reorder: nil
        }
    }
}
