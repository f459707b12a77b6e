internal import Catalog
internal import ConnectorProtocol
internal import Formats
internal import Glibc
internal import Library
internal import Storage

/// Where books are published.
struct PublishTarget {
    /// The target as the user names it, without a user and password.
    let name: CatalogName
    /// Whether nothing is written.
    let isDryRun: Bool
    /// Whether a file is replaced whatever version it has.
    let isForced: Bool
    /// The directories of the program.
    let directories: Directories
    private let termination: TerminationCleanup

    /// Finds the target that the user names, as a path, an address or a name of the config file.
    ///
    /// - Parameter source: The path or address of the catalog.
    /// - Throws: `CommandError` if it is the catalog itself, or is not a target.
    init(
        _ given: String, from source: String, in directories: Directories, isDryRun: Bool, isForced: Bool,
        _ termination: TerminationCleanup
    ) throws(CommandError) {
        func config() -> Config { ConfigFile(in: directories).read() }
        name = CatalogName(OpenedCatalog.path(named: given, in: config()) ?? given, in: config())
        (self.isDryRun, self.isForced) = (isDryRun, isForced)
        (self.directories, self.termination) = (directories, termination)
        let isSame =
            name.isAddress ? name.path == source : resolvedPath(name.path).map { $0 == resolvedPath(source) } ?? false
        if isSame {
            throw CommandError(
                sentence: Message.publishTargetIsCatalog.text(shownName), exitStatus: ExitStatus.usage)
        }
        if !name.isAddress, !Self.isDatabase(name.path) {
            throw CommandError(sentence: Message.publishTargetUnknown.text(shownName), exitStatus: ExitStatus.usage)
        }
    }

    /// The name of the target in messages.
    var shownName: String { name.isAddress ? name.path : abbreviatedPath(name.path) }

    private static func isDatabase(_ path: String) -> Bool {
        if ExportFormat.sqlite.endings.contains(where: path.lowercased().hasSuffix) { return true }
        let mark = Array("SQLite format 3\0".utf8)
        return (try? RandomAccessInput(path).bytes(in: 0..<mark.count)) == mark
    }

    /// Returns what takes the books, as JSON Lines in native form.
    ///
    /// - Throws: `CommandError` if the target cannot be reached, or takes no books.
    func output() throws(CommandError) -> any BookOutput {
        if !name.isAddress {
            if isDryRun { return DatabasePreview(of: self) }
            let path = expandedPath(name.path)
            let database = try ConnectedOutput(.sqlite, path: path, in: directories, termination: termination)
            return DatabasePublication(to: self, by: database)
        }
        let copy = try TargetCopy(of: name, in: directories)
        if Self.isNameOfFile(name.path) { return try FilePublication(to: self, copy, try publication(copy)) }
        let state = try copy.bringUpToDate()
        switch state.kind {
        case Publication.Kind.calibre.rawValue:
            let changes = ServerChanges(try publication(copy), of: copy)
            return try CalibrePublication(to: self, copy, changes)
        case "json": return try FilePublication(to: self, copy, try publication(copy))
        default:
            throw CommandError(sentence: Message.publishTargetUnknown.text(shownName), exitStatus: ExitStatus.usage)
        }
    }

    /// Whether an address ends as those of files do that can be put there.
    private static func isNameOfFile(_ address: String) -> Bool {
        let path = address.prefix { $0 != "?" }.lowercased()
        return (ExportFormat.json.endings + ExportFormat.jsonl.endings).contains(where: path.hasSuffix)
    }

    private func publication(_ copy: TargetCopy) throws(CommandError) -> ServerPublication {
        try copy.publication(termination)
    }
}

/// The copy of what is published at an address: it tells which version the user knows, and is counted in the end.
struct TargetCopy {
    /// The address.
    let name: CatalogName
    private let program: ConnectorProgram
    /// Where the copy is.
    let directory: MirrorDirectory

    /// Names the copy.
    ///
    /// - Throws: `CommandError` if the connector program is missing, or there is nowhere to keep copies.
    init(of name: CatalogName, in directories: Directories) throws(CommandError) {
        guard let cache = directories.cache else {
            throw CommandError(sentence: Message.noCacheDirectory.text(), exitStatus: ExitStatus.usage)
        }
        guard let program = ConnectorProgram(in: directories) else {
            throw CommandError(
                sentence: Message.publishNeedsConnector.text(name.path), exitStatus: ExitStatus.noInput)
        }
        (self.name, self.program) = (name, program)
        directory = MirrorDirectory(of: name.path, in: cache)
    }

    /// Returns a place for rows that are sent to the address; a signal that ends the program deletes it.
    ///
    /// - Throws: `CommandError` if there is none.
    func publication(_ termination: TerminationCleanup) throws(CommandError) -> ServerPublication {
        do throws(FileError) {
            return try termination.begin { () throws(FileError) in
                let publication = try ServerPublication(by: program, credentials: name.credentials)
                return (publication, publication.cleanUp)
            }
        } catch {
            throw CommandError(
                sentence: Message.outputFailed.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// Copies what has changed at the address, also within the time for which the copy is trusted.
    ///
    /// - Returns: What is known of the copy.
    /// - Throws: `CommandError` if it cannot be copied.
    func bringUpToDate() throws(CommandError) -> MirrorState {
        do throws(ConnectorFailure) {
            var outcome = try copy(takingAll: false)
            // What is published is taken as it is, also if there is less of it.
            if case .smaller = outcome { outcome = try copy(takingAll: true) }
            switch outcome {
            case .complete(let state), .unchanged(let state): return state
            case .incomplete, .smaller: throw ConnectorFailure(.format, .cut)
            case .stopped: throw ConnectorFailure(.cancelled)
            case .failed(let failure): throw failure
            }
        } catch {
            throw error.commandError(publishing: name.path)
        }
    }

    private func copy(takingAll takesAll: Bool) throws(ConnectorFailure) -> SourceCopy.Outcome {
        let copy = try SourceCopy(
            of: directory, with: program.path, takingAll: takesAll, credentials: name.credentials
        ) {}
        return copy.waitTellingProgress() ?? .failed(ConnectorFailure(.helper))
    }
}

extension ServerPublication {
    /// Sends rows and waits for the end; shows the progress if standard error is a terminal.
    ///
    /// - Throws: `CommandError` if the server cannot be reached or refuses.
    func send(_ publication: Publication, to name: CatalogName) throws(CommandError) -> Outcome {
        send(publication)
        var line = ProgressLine("publishing")
        while outcome == nil {
            if let progress { line.show(progress.rows, fraction: progress.fraction, rate: rate?.words) }
            usleep(5000)
        }
        line.clear()
        switch outcome {
        case .success(let outcome)?: return outcome
        case .failure(let failure)?: throw failure.commandError(publishing: name.path)
        case nil: throw ConnectorFailure(.helper).commandError(publishing: name.path)
        }
    }
}

extension ConnectorFailure {
    /// The failure as the end of a command that was to publish at `address`.
    func commandError(publishing address: String) -> CommandError {
        var status = commandError(opening: address).exitStatus
        if reason == .noEnding { status = ExitStatus.usage }
        return CommandError(sentence: sentence(publishing: address), exitStatus: status, isFinal: true)
    }
}
