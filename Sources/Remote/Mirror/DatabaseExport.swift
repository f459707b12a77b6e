public import ConnectorProtocol
public import Storage
internal import Threading

/// The connector program and the directory to which it may write.
public struct ConnectorProgram: Hashable, Sendable {
    /// The path of the program.
    public let path: String
    /// The cache directory.
    public let cache: String

    /// Creates the description of the program.
    public init(path: String, cache: String) { (self.path, self.cache) = (path, cache) }
}

/// A database that the connector program makes of rows, which are collected in a private folder.
public final class DatabaseExport {
    private let folder: ExportFolder
    private let program: ConnectorProgram
    private let job = HelperJob<Void>()
    private let made = Locked(0)

    /// Creates the folder for the rows.
    ///
    /// - Throws: `FileError`.
    public init(by program: ConnectorProgram) throws(FileError) {
        self.program = program
        folder = try ExportFolder(in: program.cache)
    }

    deinit { stop() }

    /// Appends rows, as JSON Lines.
    ///
    /// - Throws: `FileError`.
    public func append(_ bytes: [UInt8]) throws(FileError) { try folder.append(bytes) }

    /// Starts making the file in the background.
    ///
    /// - Parameters:
    ///   - existing: The path of a database to update; nil for a new file.
    ///   - notify: Called on any thread when there is progress, and at the end.
    public func make(replacing existing: String?, notifying notify: @escaping @Sendable () -> Void) {
        let (rows, file) = (folder.rowsPath, folder.filePath)
        job.start(notifying: notify) { [program, directory = folder.path] () throws(ConnectorFailure) in
            try ConnectorConversation(
                program: program.path, cache: directory, sources: [existing].compactMap(\.self))
        } _: { [made] conversation throws(ConnectorFailure) in
            try conversation.ask(.export(kind: "sqlite", from: rows, to: file, replacing: existing)) { content in
                guard case .progress(let progress) = content else { return }
                made.withLock { $0 = progress.rows }
                notify()
            }
        }
    }

    /// The number of rows in the file so far.
    public var rows: Int { made.withLock { $0 } }

    /// Whether the program has finished; then `failure` says whether it succeeded.
    public var isMade: Bool { job.isDone }

    /// The reason why the file could not be made; nil if it was made or is being made.
    public var failure: ConnectorFailure? {
        if case .failure(let failure)? = job.outcome { failure } else { nil }
    }

    /// Appends the finished file to `replacement`, and completes that.
    ///
    /// - Throws: `FileError`.
    public func complete(_ replacement: ReplacementFile, overwriting overwrites: Bool) throws(FileError) {
        let file = try RandomAccessInput(folder.filePath, if: .own)
        try replacement.append(0..<(try file.fingerprint()?.size ?? 0), of: file)
        try replacement.complete(overwriting: overwrites)
    }

    /// Stops the program; its unfinished file is deleted with this object.
    public func stop() { job.end() }

    /// Stops the program and deletes the folder, on any thread.
    public var cleanUp: @Sendable () -> Void {
        { [job, path = folder.path] in
            // Otherwise it would continue to write files there.
            job.end()
            try? deleteDirectory(path)
        }
    }
}
