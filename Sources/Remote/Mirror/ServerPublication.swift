public import ConnectorProtocol
internal import Glibc
public import Storage
internal import Threading

/// Books that are sent to a server, from rows that are kept in a private folder until then.
public final class ServerPublication {
    /// What came of it.
    public struct Outcome: Sendable {
        /// The number of rows that were sent, or would be.
        public let sent: Int
        /// How many of them the server has, if that was counted.
        public let counted: Int?
        /// The rows that the server did not take.
        public let refused: [RefusedRow]
        /// The statements that a dry run would have executed in a database.
        public var statements: [String] = []
    }

    private let folder: ExportFolder
    private let program: ConnectorProgram
    private let credentials: CredentialSource
    private let state = Locked(State())
    private let job = HelperJob<Outcome>()

    private struct State {
        var progress: CopyProgress?
        var refused: [RefusedRow] = []
        /// When it was begun, by the clock of `MonotonicTime`.
        var start = MonotonicTime.milliseconds
    }

    /// Makes the folder for the rows.
    ///
    /// - Parameter credentials: What gives the user and password that the server asks for.
    /// - Throws: `FileError`.
    public init(by program: ConnectorProgram, credentials: @escaping CredentialSource) throws(FileError) {
        (self.program, self.credentials) = (program, credentials)
        folder = try ExportFolder(in: program.cache)
    }

    deinit { job.end() }

    /// Appends rows, as JSON Lines.
    ///
    /// - Throws: `FileError`.
    public func append(_ bytes: [UInt8]) throws(FileError) { try folder.append(bytes) }

    /// The path of the rows.
    public var rowsPath: String { folder.rowsPath }

    /// Starts to send the rows in the background.
    ///
    /// - Parameters:
    ///   - publication: What is sent, from `rowsPath`.
    ///   - notify: Called on any thread when there is progress, and at the end.
    public func send(_ publication: Publication, notifying notify: @escaping @Sendable () -> Void = {}) {
        state.withLock { $0.start = MonotonicTime.milliseconds }
        job.start(notifying: notify) { [program, credentials, directory = folder.path] () throws(ConnectorFailure) in
            try ConnectorConversation(
                program: program.path, cache: directory, sources: [publication.target], credentials: credentials)
        } _: { [state] conversation throws(ConnectorFailure) in
            let end = try conversation.ask(.publish(publication)) { content in
                state.withLock { state in
                    switch content {
                    case .progress(let progress): state.progress = progress
                    case .refused(let rows): state.refused += rows
                    case .waiting, .asked, .rows, .ended, .failed: break
                    }
                }
                notify()
            }
            guard case .published(let sent, let counted, let statements) = end else {
                throw ConnectorFailure(.helper, .programFailed)
            }
            return Outcome(
                sent: sent, counted: counted, refused: state.withLock { $0.refused }, statements: statements)
        }
    }

    /// How far it has come; nil before the first rows.
    public var progress: CopyProgress? { state.withLock { $0.progress } }

    /// How fast it goes over the network; nil if that is not known yet.
    public var rate: TransferRate? {
        state.withLock { state in
            state.progress.flatMap {
                TransferRate(of: $0, afterMilliseconds: Int(MonotonicTime.milliseconds - state.start))
            }
        }
    }

    /// The rows that the server has not taken so far.
    public var refused: [RefusedRow] { state.withLock { $0.refused } }

    /// What came of it; nil while it is going on.
    public var outcome: Result<Outcome, ConnectorFailure>? { job.outcome }

    /// Stops it between two books; what was sent stays on the server.
    public func cancel() { job.cancel() }

    /// Ends the program at once and deletes the folder, on any thread.
    public var cleanUp: @Sendable () -> Void {
        { [job, path = folder.path] in
            job.end()
            try? deleteDirectory(path)
        }
    }
}
