internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Library
internal import Remote
internal import Storage

/// Has the connector program copy a source, and opens the copy.
struct CopyOpening {
    private let source: ForeignSource
    private let access: SourceAccess
    /// The path of the connector program.
    private let program: String

    /// The time to wait for a server before the browser opens without books, in milliseconds.
    private static let responseTimeout = 300

    private var path: String { source.path }
    private var directory: MirrorDirectory { source.directory }

    /// Prepares a copy.
    init(of source: ForeignSource, by access: SourceAccess, with program: String) {
        (self.source, self.access, self.program) = (source, access, program)
    }

    /// Opens the first copy while it is being made.
    func first() throws(CommandError) -> CopiedCatalog {
        let first: FirstDownload
        do throws(ConnectorFailure) {
            first = try FirstDownload(of: directory, by: access, with: program, opening: source.maker)
        } catch {
            throw error.commandError(opening: path)
        }
        let mayBeLate = directory.isRemote && !source.waits
        var outcome: FirstDownload.Outcome?
        repeat {
            outcome = first.wait(milliseconds: Self.responseTimeout)
            // The command that prints the password may need the terminal.
        } while outcome == nil && (!mayBeLate || source.name.passwords?.isCommandRunning == true)
        switch outcome {
        case .opened(let file): return CopiedCatalog(file: file, mirror: try following(first.copy, file))
        case .unreadable(let error): throw error.commandError(opening: path)
        case .failed:
            guard case .failed(let failure)? = first.copy.wait() else {
                throw ConnectorFailure(.cancelled).commandError(opening: path)
            }
            // The browser asks for the password.
            if mayBeLate, failure.kind == .auth, access.signIn.openQuestion != nil { break }
            if failure.reason == .unknownFormat, !directory.isRemote, let error = source.errorAsJSON {
                throw CommandError(refusing: path, error)
            }
            throw failure.commandError(opening: path, tablesOf: source.tablesProfile)
        case nil: break
        }
        let mirror = MirroredCatalog(opening: first, in: directory, by: access, catalog: source.maker)
        return CopiedCatalog(file: source.maker("json", nil), mirror: mirror)
    }

    /// Returns the source of a first copy that is open while it is being made.
    private func following(_ copy: Download, _ file: JSONFileCatalog) throws(CommandError) -> MirroredCatalog {
        // Without rows, there is nothing to open; the outcome of the copy has the reason.
        if file.count == .exactly(0), let outcome = copy.wait() {
            switch outcome {
            case .failed(let failure): throw failure.commandError(opening: path, tablesOf: source.tablesProfile)
            case .incomplete(let state):
                let news = MirrorNews.incomplete(state.defects, .nothing)
                throw CommandError(sentence: news.sentence(of: path), exitStatus: ExitStatus.badData)
            case .complete, .unchanged, .stopped, .smaller: break
            }
        }
        return MirroredCatalog(file, in: directory, state: nil, copy: copy, by: access)
    }

    /// Waits for a new copy and opens it, or the last copy if no new one could be made.
    func renewed() throws(CommandError) -> CopiedCatalog {
        let copy: Download
        do throws(ConnectorFailure) {
            copy = try Download(
                of: directory, by: access, with: program, takingAll: access.refreshes == .atStart
            ) {}
        } catch {
            throw error.commandError(opening: path)
        }
        var news: MirrorNews?
        var reason: ConnectorFailure?
        let remainder = directory.state.map { MirrorNews.Remainder.copy(of: $0.fetched) } ?? .nothing
        switch copy.waitTellingProgress() {
        case .complete(let state)?: news = state.newsOfCopy
        case .unchanged?, nil: break
        case .incomplete(let state)?:
            reason = ConnectorFailure(.format, .cut)
            news = .incomplete(state.defects, remainder)
        case .stopped?: news = .stopped(remainder)
        case .smaller(let smaller)?: news = .smaller(smaller)
        case .failed(let failure)?:
            reason = failure
            news = .failed(failure)
            if directory.isRemote, let state = directory.state {
                news = .unreachable(failure, copied: state.fetched)
            }
        }
        return try last(news, reason)
    }

    /// Opens the last copy after an attempt to make a new one.
    private func last(_ news: MirrorNews?, _ failure: ConnectorFailure?) throws(CommandError) -> CopiedCatalog {
        guard let state = directory.state else {
            throw ConnectorFailure(.helper).commandError(opening: path)
        }
        do throws(CatalogError) {
            let file = try source.openCopy(state)
            // The source was asked just now; edits may be sent to it.
            var access = access
            access.refreshes = .never
            let mirror = MirroredCatalog(file, in: directory, state: state, by: access, news: news, failure: failure)
            return CopiedCatalog(file: file, mirror: mirror)
        } catch {
            throw error.commandError(opening: path)
        }
    }
}

extension Download {
    /// Waits for the end and shows the progress if standard error is a terminal.
    func waitTellingProgress() -> Outcome? {
        var line = ProgressLine("reading")
        while outcome == nil {
            if let rows { line.show(rows.rows, fraction: rows.fraction, rate: rate?.words) }
            usleep(10_000)
        }
        line.clear()
        return outcome
    }
}
