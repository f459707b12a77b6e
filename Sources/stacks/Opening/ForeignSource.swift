internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Library
internal import Storage

/// A source that is not a JSON file; the connector program copies it to the cache as JSON Lines.
struct ForeignSource {
    /// The path as given by the user.
    private let path: String
    private let choice: ProfileChoice
    private let directories: Directories
    private let directory: MirrorDirectory
    /// The name of the profile that names the tables of a database, if any.
    private let tablesProfile: String?
    private let refreshes: MirrorRefresh
    /// Whether to read the current source completely before it is opened.
    private let waits: Bool
    /// The passwords for the server, if the source is on one.
    private let passwords: ServerPasswords?

    /// Creates the source; fails if there is no cache directory or the path is a pipe.
    init?(
        path: String, choice: ProfileChoice, directories: Directories, refreshes: MirrorRefresh = .whenChanged,
        waits: Bool, passwords: ServerPasswords? = nil
    ) {
        guard let cache = directories.cache, !RandomAccessInput.isPipe(path) else { return nil }
        // A missing source may still have a copy.
        let source = SourceAddress(path)?.url ?? Self.absolute(path) ?? Self.absoluteOfMissing(path)
        (self.path, self.choice, self.directories) = (path, choice, directories)
        (self.refreshes, self.waits, self.passwords) = (refreshes, waits, passwords)
        // A profile can select what is read from a database, unless the path does.
        let suffix = path.contains("?table=") ? nil : choice.profile?.suffix(of: source, in: cache)
        tablesProfile = suffix == nil ? nil : choice.profile?.name
        directory = MirrorDirectory(of: source + (suffix ?? ""), in: cache)
    }

    /// Returns the absolute path of a source, with its "?table=" part; nil if the file does not exist.
    static func absolute(_ path: String) -> String? {
        if let resolved = resolvedPath(path) { return resolved }
        guard let range = path.firstRange(of: "?table=") else { return nil }
        return resolvedPath(String(path[..<range.lowerBound])).map { $0 + path[range.lowerBound...] }
    }

    /// Returns the absolute path of a missing source, whose directory may still exist.
    static func absoluteOfMissing(_ path: String) -> String {
        let path = absolutePath(path)
        guard let slash = path.lastIndex(of: "/"), let directory = resolvedPath(String(path[..<slash])) else {
            return path
        }
        return directory + path[slash...]
    }

    /// Returns whether a file starts like JSON; nil if it cannot be read.
    static func isLikeJSON(_ path: String) -> Bool? {
        guard let start = try? RandomAccessInput(path).bytes(in: 0..<64) else { return nil }
        let first = start.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    /// Returns the path of the last copy of a source that is not a JSON file, and the name of the profile for its
    /// records; nil if there is no copy.
    static func lastCopy(of path: String, in directories: Directories) -> (path: String, profile: String?)? {
        guard let cache = directories.cache, isLikeJSON(path) != true else { return nil }
        let source = SourceAddress(path)?.url ?? absolute(path) ?? absoluteOfMissing(path)
        let directory = MirrorDirectory(of: source, in: cache)
        return directory.state.map { (directory.dataPath, $0.profile) }
    }

    /// The path of the connector program, in the directory of this program or in ../libexec/stacks; nil if it is not
    /// installed.
    static var program: String? {
        guard let program = resolvedPath("/proc/self/exe"), let slash = program.lastIndex(of: "/") else { return nil }
        let directory = program[..<slash]
        let candidates = ["\(directory)/stacks-connect", "\(directory)/../libexec/stacks/stacks-connect"]
        return candidates.first { access($0, X_OK) == 0 }
    }

    /// Opens the copy of the source, or makes the first one.
    ///
    /// - Parameter refusal: The reason why the source was not opened as a JSON file.
    /// - Returns: The copy as a file, and as a source that can be updated; nil if it is a damaged JSON file.
    /// - Throws: `CommandError` if the source cannot be opened.
    func open(refusedFor refusal: CatalogError) throws(CommandError) -> (JSONFileCatalog, MirroredCatalog)? {
        let state = directory.state
        // The name of a database with "?table=" is not a file name.
        let isMissing = !directory.isRemote && sourceFingerprint(of: directory.source) == nil
        guard directory.isRemote || refusal.mayBeForeign(path) || isMissing && state != nil else { return nil }
        if isMissing, refreshes != .never, let state {
            throw CommandError(
                sentence: Message.onlyCopyLeft.text(path, state.fetched.asDate), exitStatus: ExitStatus.noInput)
        }
        let program = Self.program
        if let state, let base = try? openCopy(state) {
            let isKnown =
                directory.isRemote
                ? !state.isDue
                : !state.isOfOlderReader && state.fingerprint == sourceFingerprint(of: directory.source)
            let isTrusted = refreshes == .whenChanged || refreshes == .whenChangedNow && !directory.isRemote
            if isKnown && isTrusted || !waits || program == nil || refreshes == .never {
                return (base, MirroredCatalog(base, in: directory, state: state, by: sourceAccess(with: program)))
            }
        }
        if refreshes == .never {
            throw CommandError(sentence: Message.noCopyOffline.text(path), exitStatus: ExitStatus.noInput)
        }
        guard let program else {
            throw CommandError(sentence: Message.connectorMissing.text(path), exitStatus: ExitStatus.noInput)
        }
        guard waits, directory.state != nil else { return try openFirstCopy(with: program, refusedFor: refusal) }
        let copy: SourceCopy
        do throws(ConnectorFailure) {
            copy = try SourceCopy(
                of: directory, with: program, takingAll: refreshes == .atStart,
                limits: .ofConfig(in: directories), credentials: sourceAccess(with: program).signIn.credentials
            ) {}
        } catch {
            throw error.commandError(opening: path)
        }
        return try openNewCopy(copy)
    }

    /// The time to wait for a server before the browser opens without books, in milliseconds.
    private static let responseTimeout = 300

    /// Opens the first copy while the source is being copied.
    private func openFirstCopy(
        with program: String, refusedFor refusal: CatalogError
    ) throws(CommandError) -> (JSONFileCatalog, MirroredCatalog)? {
        let access = sourceAccess(with: program)
        let first: FirstCopy
        do throws(ConnectorFailure) {
            first = try FirstCopy(of: directory, by: access, with: program, opening: maker)
        } catch {
            throw error.commandError(opening: path)
        }
        let mayBeLate = directory.isRemote && !waits
        var outcome: FirstCopy.Outcome?
        repeat {
            outcome = first.wait(milliseconds: Self.responseTimeout)
            // The command that prints the password may need the terminal.
        } while outcome == nil && (!mayBeLate || passwords?.isCommandRunning == true)
        switch outcome {
        case .opened(let base): return (base, try follow(first.copy, base, access))
        case .unreadable(let error): throw error.commandError(opening: path)
        case .failed:
            guard case .failed(let failure)? = first.copy.wait() else {
                throw ConnectorFailure(.cancelled).commandError(opening: path)
            }
            // The browser asks for the password.
            if mayBeLate, failure.kind == .auth, access.signIn.openQuestion != nil { break }
            if failure.reason == .unknownFormat, !directory.isRemote, refusal.isKnownBetter(path) { return nil }
            throw failure.commandError(opening: path, tablesOf: tablesProfile)
        case nil: break
        }
        return (maker("json", nil), MirroredCatalog(opening: first, in: directory, by: access, catalog: maker))
    }

    /// Returns the access to the source for copying it with the program at this path.
    private func sourceAccess(with program: String?) -> SourceAccess {
        let limits = { @Sendable [directories] in CopyLimits.ofConfig(in: directories) }
        guard let passwords else { return SourceAccess(program: program, refreshes: refreshes, limits: limits) }
        return SourceAccess(
            program: program, refreshes: refreshes, credentials: passwords.answer, user: passwords.user,
            limits: limits)
    }

    /// Waits for a new copy and opens it, or the last copy if the new one could not be made.
    private func openNewCopy(_ copy: SourceCopy) throws(CommandError) -> (JSONFileCatalog, MirroredCatalog) {
        var news: MirrorNews?
        var reason: ConnectorFailure?
        let remainder = directory.state.map { MirrorNews.Remainder.copy(of: $0.fetched) } ?? .nothing
        switch copy.waitTellingProgress() {
        case .complete?, .unchanged?, nil: break
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
        return try openLastCopy(news, reason)
    }

    /// Opens the last copy, after an attempt to make a new one.
    private func openLastCopy(
        _ news: MirrorNews?, _ failure: ConnectorFailure?
    ) throws(CommandError) -> (JSONFileCatalog, MirroredCatalog) {
        guard let state = directory.state else {
            throw ConnectorFailure(.helper).commandError(opening: path)
        }
        do throws(CatalogError) {
            let base = try openCopy(state)
            // The source was asked just now; edits may be sent to it.
            var access = sourceAccess(with: Self.program)
            access.refreshes = .never
            let mirror = MirroredCatalog(
                base, in: directory, state: state, by: access, news: news, failure: failure)
            return (base, mirror)
        } catch {
            throw error.commandError(opening: path)
        }
    }

    /// Returns the first copy while the source is being copied.
    private func follow(
        _ copy: SourceCopy, _ base: JSONFileCatalog, _ access: SourceAccess
    ) throws(CommandError) -> MirroredCatalog {
        // Without rows, there is nothing to open; the outcome of the copy has the reason.
        if base.count == .exactly(0), let outcome = copy.wait() {
            switch outcome {
            case .failed(let failure): throw failure.commandError(opening: path, tablesOf: tablesProfile)
            case .incomplete(let state):
                let news = MirrorNews.incomplete(state.defects, .nothing)
                throw CommandError(sentence: news.sentence(of: path), exitStatus: ExitStatus.badData)
            case .complete, .unchanged, .stopped, .smaller: break
            }
        }
        return MirroredCatalog(base, in: directory, state: nil, copy: copy, by: access)
    }

    /// Returns the path of a complete copy of the current source at `path`, in JSON Lines; nil if it is a JSON file or
    /// cannot be read.
    static func copy(
        of path: String, with passwords: ServerPasswords? = nil, refusedFor refusal: CatalogError
    ) throws(CommandError) -> String? {
        let directories = Directories.ofEnvironment()
        let choice = try ProfileChoice(named: nil, forCatalog: path, in: ProfileLibrary(directory: nil))
        let foreign = ForeignSource(
            path: path, choice: choice, directories: directories, waits: true, passwords: passwords)
        guard let source = foreign else { return nil }
        do throws(CommandError) {
            guard let (base, mirror) = try source.open(refusedFor: refusal) else { return nil }
            base.readRest()
            mirror.waitForCopy()
            if let news = mirror.takeNews() { printError(news.sentence(of: path)) }
        } catch {
            // A source with unknown fields still has a copy.
            if source.directory.state == nil { throw error }
        }
        return source.directory.state.map { _ in source.directory.dataPath }
    }

    private func openCopy(_ state: MirrorState) throws(CatalogError) -> JSONFileCatalog {
        let base = maker(state.kind, state.profile)
        try base.open()
        return base
    }

    /// The function that opens the catalog of a copy, given the kind of source and the name of its profile.
    private var maker: FirstCopy.Maker {
        let (copy, cache, rows) = (directory.dataPath, IndexCache(in: directories), outputSize().rows)
        return { [path, library = choice.library, chosen = choice.profile] kind, name in
            let profile = name.flatMap(library.profile(named:))
            // Compressed JSON is copied unchanged; a kind of source with a profile has only books.
            let known: KnownRecords = kind == "json" ? .nothing : chosen == nil && profile != nil ? .books : .lines
            return JSONFileCatalog(
                path: copy, cache: cache, profile: chosen?.ofRows ?? profile, library: library, firstBookCount: rows,
                known: known, copyOf: path, profileIsFound: chosen == nil)
        }
    }
}

extension ConnectorProgram {
    /// Creates the program with the cache in `directories`; fails if it is not installed or there is no cache
    /// directory.
    init?(in directories: Directories) {
        guard let path = ForeignSource.program, let cache = directories.cache else { return nil }
        self.init(path: path, cache: cache)
    }
}

extension Profile {
    /// Returns the selection of this profile for the database at `source`; nil if the source is another file.
    fileprivate func suffix(of source: String, in cache: String) -> String? {
        guard let suffix = databaseSuffix, !isOfDatabase else { return databaseSuffix }
        // For a JSON file, a path of this form refers to records.
        let mark = Array("SQLite format 3\0".utf8)
        if let start = try? RandomAccessInput(source).bytes(in: 0..<mark.count) { return start == mark ? suffix : nil }
        return MirrorDirectory(of: source + suffix, in: cache).state == nil ? nil : suffix
    }
}

extension BookStore {
    /// The exit status after the readable part of the catalog was processed.
    var exitStatus: Int32 {
        let status = defects.exitStatus
        if status == 0, let failure = mirrored?.failure, mirrored?.problem == nil { return failure.exitStatus }
        guard status == 0, let problem = mirrored?.problem else { return status }
        if case .failed(let failure) = problem { return failure.exitStatus }
        return ExitStatus.badData
    }
}

extension SourceCopy {
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

extension CatalogError {
    /// Whether this error tells more about the file at `path` than that its format is unknown.
    fileprivate func isKnownBetter(_ path: String) -> Bool {
        switch self {
        case .wrongFormat(_, .utf16), .wrongFormat(_, .archive), .wrongFormat(_, .officeDocument), .unreadable: true
        // The connector program has examined the files that it can decompress.
        case .wrongFormat(_, .compressed):
            ![[0x1F, 0x8B], [0x28, 0xB5]].contains((try? RandomAccessInput(path).bytes(in: 0..<2)) ?? [])
        case .malformed: [".json", ".jsonl", ".ndjson"].contains(where: path.lowercased().hasSuffix)
        case .wrongFormat, .empty: false
        case .notACatalog: true
        }
    }

    /// Whether the file may be something other than a damaged JSON file.
    func mayBeForeign(_ path: String) -> Bool {
        switch self {
        case .wrongFormat: return true
        case .unreadable(let error):
            return error.isDirectory && access(path + "/metadata.db", F_OK) == 0
                || error.isMissing && path.contains("?table=")
        case .empty: return false
        case .malformed, .notACatalog:
            return ForeignSource.isLikeJSON(path) == false
        }
    }
}

extension ConnectorFailure {
    /// Returns this failure for a command that opens `path`.
    ///
    /// - Parameter profile: The name of the profile that names the tables of a database, if any.
    func commandError(opening path: String, tablesOf profile: String? = nil) -> CommandError {
        CommandError(sentence: sentence(of: path, tablesOf: profile), exitStatus: exitStatus)
    }

    /// The exit status if a source cannot be read, or only in part.
    var exitStatus: Int32 {
        switch (kind, reason) {
        case (.offline, .permission?): return ExitStatus.noPermission
        case (.offline, .noName?), (.offline, .noConnection?), (.offline, .timeOut?), (.offline, .brokenOff?),
            (.offline, .encryption?), (.offline, .portal?), (.offline, .proxyName?), (.offline, .proxyConnection?):
            return ExitStatus.noNetwork
        case (_, .status?), (_, .notHTTP?), (_, .certificate?), (_, .redirect?), (_, .redirects?),
            (_, .proxyRefused?), (_, .shard?), (_, .noCluster?), (_, .booksMissing?):
            return ExitStatus.serverRefused
        default: break
        }
        return switch kind {
        case .offline: ExitStatus.noInput
        case .auth: ExitStatus.noPermission
        case .busy, .server, .cancelled: ExitStatus.changed
        case .refused, .format, .unsupported: ExitStatus.badData
        case .request, .helper: ExitStatus.inputOutput
        }
    }
}
