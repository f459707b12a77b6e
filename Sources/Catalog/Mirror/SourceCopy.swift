public import ConnectorProtocol
internal import Glibc
public import Storage
internal import Threading

/// A source that is being copied into the cache, in the background.
public final class SourceCopy: Sendable {
    /// What came of it.
    public enum Outcome: Sendable {
        /// All of it is copied, and has taken the place of the last copy.
        case complete(MirrorState)
        /// The source ended early; what there is of it can be read, but the last copy stays.
        case incomplete(MirrorState)
        /// The copy was stopped after so many rows, which can be read; the last copy stays.
        case stopped(rows: Int)
        /// The source has less than half the rows of the last copy, which stays.
        case smaller(SmallerSource)
        /// The source could not be copied; the last copy stays.
        case failed(ConnectorFailure)
    }

    /// What the source is.
    public let opened: OpenedSource
    /// The path of the copy while it is made.
    public var temporaryPath: String { file.path }
    private let file: NewCopyFile
    /// How far it has been written.
    public let growth = GrowingFile()
    private let conversation: ConnectorConversation
    private let task: BackgroundTask<Outcome>
    private let progress: Locked<CopyProgress?>

    /// Opens a source, and starts to copy it.
    ///
    /// - Parameters:
    ///   - program: The path of the connector program.
    ///   - takesAll: Whether a copy with less than half the rows of the last one takes its place, too.
    ///   - notify: Called on any thread when there is progress, and at the end.
    /// - Throws: `ConnectorFailure` if the source cannot be opened.
    public init(
        of directory: MirrorDirectory, with program: String, takingAll takesAll: Bool = false,
        notifying notify: @escaping @Sendable () -> Void
    ) throws(ConnectorFailure) {
        let file: NewCopyFile
        do throws(FileError) {
            file = try NewCopyFile(in: directory.path)
        } catch {
            throw ConnectorFailure(.helper, .cannotWrite, subject: directory.path, detail: error.cause)
        }
        let conversation = try ConnectorConversation(program: program, cache: directory.path)
        // What the source is before it is read: if it changes meanwhile, it is read again at the next start.
        let fingerprint = sourceFingerprint(of: directory.source)
        guard case .opened(let opened) = try conversation.ask(.open(source: directory.source, known: nil)) else {
            throw ConnectorFailure(.helper, .programFailed)
        }
        guard opened.mode == .mirror else { throw ConnectorFailure(.unsupported, detail: opened.kind) }
        let progress = Locked<CopyProgress?>(nil)
        let growth = growth
        task = BackgroundTask(notifying: notify) { _ in
            defer { growth.end() }
            do throws(ConnectorFailure) {
                let end = try conversation.ask(.mirror(path: file.path)) { content in
                    guard case .progress(let new) = content else { return }
                    progress.withLock { $0 = new }
                    growth.grow(to: new.bytes)
                    notify()
                }
                conversation.end()
                guard case .mirrored(let copy) = end else { throw ConnectorFailure(.helper, .programFailed) }
                let state = MirrorState(opened, copy, of: directory.source, fingerprint: fingerprint)
                growth.grow(to: copy.bytes)
                guard copy.isComplete else { return .incomplete(state) }
                if let before = directory.state?.rows, copy.rows * 2 < before, !takesAll {
                    return .smaller(SmallerSource(rows: copy.rows, before: before))
                }
                do throws(FileError) {
                    try directory.keep(file.path, with: state)
                } catch {
                    throw ConnectorFailure(.helper, .cannotWrite, subject: directory.path, detail: error.cause)
                }
                return .complete(state)
            } catch {
                conversation.end()
                if error.kind == .cancelled {
                    let read = progress.withLock { $0 } ?? CopyProgress(rows: 0, bytes: 0)
                    return .stopped(rows: read.rows)
                }
                return .failed(error)
            }
        }
        (self.opened, self.file, self.conversation, self.progress) = (opened, file, conversation, progress)
    }

    deinit { conversation.end() }

    /// How far it has come; nil before the first rows.
    public var rows: CopyProgress? { progress.withLock { $0 } }

    /// What came of it; nil while it is going on.
    public var outcome: Outcome? { task.value }

    /// Waits for its end.
    public func wait() -> Outcome? {
        while !task.isMade { _ = task.wait(milliseconds: 1000) }
        return task.value
    }

    /// Stops it. What was copied can still be read.
    public func cancel() { conversation.cancel() }
}

/// Returns the fingerprint of the files of a source, which is another one when one of them changes; nil if there are none.
///
/// A directory is a library of calibre: its database counts. Databases have their newest rows in a file beside them.
public func sourceFingerprint(of source: String) -> String? {
    var path = source
    if access(path, F_OK) != 0, let range = path.firstRange(of: "?table=") { path = String(path[..<range.lowerBound]) }
    let names = [path, path + "/metadata.db", path + "/metadata.db-wal", path + "-wal"]
    let found = names.map { RandomAccessInput.Fingerprint(ofFileAt: $0)?.description ?? "" }
    return found[0].isEmpty ? nil : found.joined(separator: " ")
}
