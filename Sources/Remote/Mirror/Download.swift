public import ConnectorProtocol
internal import Glibc
public import Storage
internal import Threading

/// Opens a source and copies it to the cache in the background.
public final class Download: Sendable {
    /// The outcomes of a copy.
    public enum Outcome: Sendable {
        /// The copy is complete and has replaced the last one.
        case complete(MirrorState)
        /// The source is unchanged since it was last copied.
        case unchanged(MirrorState)
        /// The source ended early; its available part can be read, but the last copy stays.
        case incomplete(MirrorState)
        /// The copy was stopped after this number of rows, which can be read; the last copy stays.
        case stopped(rows: Int)
        /// The source has less than half the rows of the last copy, which stays.
        case smaller(SmallerSource)
        /// The source could not be copied; the last copy stays.
        case failed(ConnectorFailure)
    }

    /// The path at which the copy can be read, even while it is being made.
    public var temporaryPath: String { file.pathForReading }
    private let file: DownloadFile
    private let use: DirectoryUse?
    /// The length written so far.
    public let growth: GrowingFile
    private let job = HelperJob<Outcome>()
    private let state: Locked<State>

    private struct State {
        var opened: OpenedSource?
        /// Whether opening has succeeded or failed.
        var isOpenKnown = false
        var progress: CopyProgress?
        /// The start time of the copy, by the clock of `MonotonicTime`.
        var start = MonotonicTime.milliseconds
    }

    /// Starts opening and copying a source.
    ///
    /// - Parameters:
    ///   - access: The encoding, the limits for this copy and all of them together, and the user and password.
    ///   - program: The path of the connector program.
    ///   - takesAll: Whether to copy even an unchanged source, and to accept one with less than half of the former
    ///   rows.
    ///   - notify: Called on any thread when there is progress, and at the end.
    /// - Throws: `ConnectorFailure` if the file for the copy cannot be created.
    public init(
        of directory: MirrorDirectory, by access: SourceAccess, with program: String, takingAll takesAll: Bool = false,
        notifying notify: @escaping @Sendable () -> Void
    ) throws(ConnectorFailure) {
        let file: DownloadFile
        do throws(FileError) {
            file = try DownloadFile(in: directory.path)
        } catch {
            throw ConnectorFailure(.helper, .cannotWrite, subject: directory.path, detail: error.cause)
        }
        let (state, growth) = (Locked(State()), GrowingFile())
        (self.file, self.state, self.growth) = (file, state, growth)
        use = DirectoryUse(of: directory)
        let limits = access.limits()
        job.start(notifying: notify) { () throws(ConnectorFailure) in
            try ConnectorConversation(
                program: program, cache: directory.path, sources: [directory.source], limit: limits.copy,
                credentials: access.signIn.credentials)
        } atEnd: {
            state.change { $0.isOpenKnown = true }
            growth.end()
        } _: { [identity = file.identity, encoding = access.encoding] conversation throws(ConnectorFailure) in
            let outcome = try Self.outcome(
                of: conversation, copying: directory, in: encoding, to: identity, takingAll: takesAll, state, growth,
                notify)
            if case .complete = outcome { directory.deleteUnusedOthers(above: limits) }
            return outcome
        }
    }

    private static func outcome(
        of conversation: ConnectorConversation, copying directory: MirrorDirectory, in encoding: String?,
        to file: DownloadFile.Identity, takingAll takesAll: Bool, _ state: Locked<State>, _ growth: GrowingFile,
        _ notify: @Sendable () -> Void
    ) throws(ConnectorFailure) -> Outcome {
        // The state of the source before it is read: if it changes during the copy, the next start copies it again.
        let fingerprint = sourceFingerprint(of: directory.source)
        let last = directory.state
        let isOutdated = last?.isOfOlderReader == true || last?.isIn(encoding) == false
        let isWhole = takesAll || !directory.isRemote || isOutdated
        let known = isWhole ? nil : last?.version
        let chosen = encoding ?? last?.encoding
        let named = chosen == MirrorState.detection ? nil : chosen
        let request = ConnectorRequest.Action.open(source: directory.source, known: known, encoding: named)
        guard case .opened(let opened) = try conversation.ask(request) else {
            throw ConnectorFailure(.helper, .programFailed)
        }
        guard opened.mode == .mirror else { throw ConnectorFailure(.unsupported, detail: opened.kind) }
        if opened.isFresh, directory.isRemote, var last {
            last.checked = time(nil)
            directory.touch(last)
            return .unchanged(last)
        }
        state.change { state in
            state.opened = opened
            state.isOpenKnown = true
        }
        let end = try conversation.ask(.mirror(path: file.path)) { content in
            guard case .progress(let new) = content else { return }
            state.withLock { $0.progress = new }
            growth.grow(to: new.bytes)
            notify()
        }
        guard case .mirrored(let copy) = end else { throw ConnectorFailure(.helper, .programFailed) }
        let new = MirrorState(opened, copy, of: directory.source, in: named, fingerprint: fingerprint)
        growth.grow(to: copy.bytes)
        guard copy.isComplete else { return .incomplete(new) }
        if let before = last?.rows, copy.rows * 2 < before, !takesAll {
            return .smaller(SmallerSource(rows: copy.rows, before: before))
        }
        guard file.isIntact else { throw ConnectorFailure(.helper, .programFailed) }
        do throws(FileError) {
            try directory.keep(file.path, with: new)
        } catch {
            throw ConnectorFailure(.helper, .cannotWrite, subject: directory.path, detail: error.cause)
        }
        return .complete(new)
    }

    deinit { job.end() }

    /// The recognized source, once it is open.
    public var opened: OpenedSource? { state.withLock { $0.opened } }

    /// Whether the copy was stopped.
    var isStopped: Bool { job.isStopped }

    /// Waits until the source is open or cannot be opened.
    public func waitUntilOpen() -> OpenedSource? {
        state.wait { $0.isOpenKnown ? .some($0.opened) : nil }
    }

    /// The progress of the copy; nil before the first rows.
    public var rows: CopyProgress? { state.withLock { $0.progress } }

    /// The transfer rate over the network, if it uses one and the rate is known.
    public var rate: TransferRate? {
        state.withLock { state in
            state.progress.flatMap {
                TransferRate(of: $0, afterMilliseconds: Int(MonotonicTime.milliseconds - state.start))
            }
        }
    }

    /// The outcome; nil while the copy runs.
    public var outcome: Outcome? {
        switch job.outcome {
        case .success(let outcome)?: outcome
        case .failure(let failure)? where failure.kind == .cancelled: .stopped(rows: rows?.rows ?? 0)
        case .failure(let failure)?: .failed(failure)
        case nil: nil
        }
    }

    /// Waits for the end of the copy.
    public func wait() -> Outcome? {
        job.wait()
        return outcome
    }

    /// Stops the copy. The copied rows can still be read.
    public func cancel() { job.cancel() }
}

/// Returns the fingerprint of the files of a source, which changes when one of them changes; nil if there are none.
///
/// A directory is a calibre library: its database counts. The newest rows of a database are in a file beside it.
public func sourceFingerprint(of source: String) -> String? {
    if SourceAddress.isAddress(source) { return nil }
    var path = source
    if access(path, F_OK) != 0, let range = path.firstRange(of: "?table=") { path = String(path[..<range.lowerBound]) }
    let names = [path, path + "/metadata.db", path + "/metadata.db-wal", path + "-wal"]
    let found = names.map { RandomAccessInput.Fingerprint(ofFileAt: $0)?.description ?? "" }
    return found[0].isEmpty ? nil : found.joined(separator: " ")
}
