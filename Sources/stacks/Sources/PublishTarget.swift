internal import Catalog
internal import ConnectorProtocol
internal import Formats
internal import Glibc
internal import Library
internal import Remote
internal import Storage
internal import Text

/// A target for publishing books: a file on a server, a calibre library, or a database, in a file or on servers.
struct PublishTarget {
    /// The target as named by the user, without user and password.
    let name: CatalogName
    /// Whether nothing is sent or written.
    let isDryRun: Bool
    /// Whether a file is replaced regardless of its version.
    let isForced: Bool
    /// The directories of the program.
    let directories: Directories
    private let termination: TerminationCleanup

    /// Finds the target that the user names by a path, an address or a name in the config file.
    ///
    /// - Parameter source: The path or address of the catalog.
    /// - Throws: `CommandError` if the target is the catalog itself or cannot be published to.
    init(
        _ given: String, from source: String, in directories: Directories, isDryRun: Bool, isForced: Bool,
        _ termination: TerminationCleanup
    ) throws(CommandError) {
        func config() -> Config { ConfigFile(in: directories).read() }
        name = CatalogName(named: given, in: config())
        (self.isDryRun, self.isForced) = (isDryRun, isForced)
        (self.directories, self.termination) = (directories, termination)
        let isSame =
            name.isAddress ? name.path == source : resolvedPath(name.path).map { $0 == resolvedPath(source) } ?? false
        if isSame {
            throw CommandError(
                sentence: CommandMessage.publishTargetIsCatalog.text(shownName), exitStatus: ExitStatus.usage)
        }
        if !name.isAddress, !Self.isDatabase(name.path) {
            throw CommandError(
                sentence: CommandMessage.publishTargetUnknown.text(shownName), exitStatus: ExitStatus.usage)
        }
    }

    /// The name of the target in messages.
    var shownName: String { name.isAddress ? name.path : abbreviatedPath(name.path) }

    /// Whether the target at a path or address has a place for what only the catalog has: a file, unlike the tables and
    /// indexes of servers.
    static func hasRoom(_ path: String) -> Bool {
        [.json, .jsonl].contains(ExportFormat(fileName: path)) || isDatabase(path)
    }

    private static func isDatabase(_ path: String) -> Bool {
        if ExportFormat.sqlite.endings.contains(where: path.lowercased().hasSuffix) { return true }
        let mark = Array("SQLite format 3\0".utf8)
        return (try? RandomAccessInput(path).bytes(in: 0..<mark.count)) == mark
    }

    /// Returns the output for the books, in JSON Lines with native fields.
    ///
    /// - Throws: `CommandError` if the target cannot be reached or accepts no books.
    func output() throws(CommandError) -> any BookOutput {
        if !name.isAddress {
            if isDryRun { return DatabasePreview(of: self) }
            let path = expandedPath(name.path)
            let database = try ConnectedOutput(path, in: directories, termination: termination)
            return DatabasePublication(to: self, by: database)
        }
        let copy = try TargetDownload(of: name, in: directories)
        if let engine = EngineTarget(self) { return try publication(copy, to: engine) }
        if Self.isNameOfFile(name.path) { return try publication(copy, to: FileTarget(self, copy)) }
        let state = try copy.bringUpToDate()
        switch state.kind {
        case Publication.Kind.calibre.rawValue:
            let changes = ServerChanges(try copy.publication(termination), of: copy)
            return try CalibrePublication(to: self, copy, changes)
        case "json": return try publication(copy, to: FileTarget(self, copy))
        default:
            throw CommandError(
                sentence: CommandMessage.publishTargetUnknown.text(shownName), exitStatus: ExitStatus.usage)
        }
    }

    /// Returns whether an address has the extension of a file that can be uploaded.
    private static func isNameOfFile(_ address: String) -> Bool {
        let path = address.prefix { $0 != "?" }.lowercased()
        return (ExportFormat.json.endings + ExportFormat.jsonl.endings).contains(where: path.hasSuffix)
    }

    private func publication(
        _ copy: TargetDownload, to target: any CatalogTarget
    ) throws(CommandError) -> CatalogPublication {
        CatalogPublication(to: target, named: shownName, try copy.publication(termination))
    }
}

/// The copy of a target on a server. It holds the version that the user knows, and its books are counted at the end.
struct TargetDownload {
    /// The address.
    let name: CatalogName
    private let program: ConnectorProgram
    /// The directory of the copy.
    let directory: MirrorDirectory
    private let access: SourceAccess

    /// Creates a reference to the copy.
    ///
    /// - Throws: `CommandError` if the connector program or the cache directory is missing.
    init(of name: CatalogName, in directories: Directories) throws(CommandError) {
        guard let cache = directories.cache else {
            throw CommandError(sentence: directories.noCacheSentence, exitStatus: directories.noCacheExitStatus)
        }
        guard let program = ConnectorProgram(in: directories) else {
            throw CommandError(
                sentence: CommandMessage.publishNeedsConnector.text(name.path), exitStatus: ExitStatus.noInput)
        }
        (self.name, self.program) = (name, program)
        directory = MirrorDirectory(of: name.path, in: cache)
        access = SourceAccess(to: name, by: program.path, in: directories)
    }

    /// Returns a publication for rows to send. `termination` deletes its files if a signal ends the program.
    ///
    /// - Throws: `CommandError` if its files cannot be created.
    func publication(_ termination: TerminationCleanup) throws(CommandError) -> ServerPublication {
        do throws(FileError) {
            return try termination.begin { () throws(FileError) in
                let publication = try ServerPublication(by: program, credentials: name.credentials)
                return (publication, publication.cleanUp)
            }
        } catch {
            throw CommandError(
                sentence: CommandMessage.outputFailed.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// Updates the copy, even if it is recent.
    ///
    /// - Returns: The state of the copy.
    /// - Throws: `CommandError` if the target cannot be copied.
    func bringUpToDate() throws(CommandError) -> MirrorState {
        do throws(ConnectorFailure) {
            var outcome = try copy(takingAll: false)
            // The published catalog is accepted even if it has become much smaller.
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

    private func copy(takingAll takesAll: Bool) throws(ConnectorFailure) -> Download.Outcome {
        let copy = try Download(
            of: directory, by: access, with: program.path, takingAll: takesAll
        ) {}
        return copy.waitTellingProgress() ?? .failed(ConnectorFailure(.helper))
    }
}

extension ServerPublication {
    /// Sends the rows and waits for the result; shows the progress if standard error is a terminal.
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
    /// Returns this failure for a command that publishes to `address`.
    func commandError(publishing address: String) -> CommandError {
        var status = commandError(opening: address).exitStatus
        let isWrongTarget = [.noEnding, .databaseAddress, .otherIndex].contains { reason == $0 }
        if isWrongTarget { status = ExitStatus.usage }
        return CommandError(sentence: sentence(publishing: address), exitStatus: status, isFinal: true)
    }
}
