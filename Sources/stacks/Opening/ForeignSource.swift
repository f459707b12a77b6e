internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The copy of a catalog that is not JSON, opened.
struct CopiedCatalog {
    /// The copy, a file of JSON Lines in the cache.
    let file: JSONFileCatalog
    /// The same books as a source that can be copied again.
    let mirror: MirroredCatalog
}

/// A catalog that is not JSON, of which a copy is opened: the last one, or one that the connector program makes.
struct ForeignSource {
    /// The path or address, with its passwords.
    let name: CatalogName
    /// The directory of the copy.
    let directory: MirrorDirectory
    /// Whether to wait until the source is read completely.
    let waits: Bool
    /// The name of the profile that names the tables of a database, if any.
    let tablesProfile: String?
    private let choice: ProfileChoice
    private let directories: Directories
    private let copying: CopyChoice

    /// The path as given by the user.
    var path: String { name.path }

    /// Creates the source; fails if there is no cache directory, or the path is a pipe.
    init?(name: CatalogName, choice: ProfileChoice, directories: Directories, copying: CopyChoice, waits: Bool) {
        guard let cache = directories.cache, !RandomAccessInput.isPipe(name.path) else { return nil }
        let source = name.source
        (self.name, self.choice, self.directories) = (name, choice, directories)
        (self.copying, self.waits) = (copying, waits)
        // A profile can select what is read from a database, unless the path does.
        let suffix = name.path.contains("?table=") ? nil : choice.profile?.suffix(of: source, in: cache)
        tablesProfile = suffix == nil ? nil : choice.profile?.name
        directory = MirrorDirectory(of: source + (suffix ?? ""), in: cache)
    }

    /// Whether the file does not exist; never true of an address.
    var isGone: Bool { !directory.isRemote && sourceFingerprint(of: directory.source) == nil }

    /// Whether there is a copy.
    var hasCopy: Bool { directory.state != nil }

    /// Opens the last copy if it is good enough, and otherwise has one made.
    ///
    /// - Throws: `CommandError` if there is no copy and none can be made.
    func open() throws(CommandError) -> CopiedCatalog {
        let last = directory.state
        if let last, isGone, copying.refreshes != .never {
            throw CommandError(
                sentence: CommandMessage.onlyCopyLeft.text(path, last.fetched.asDate), exitStatus: ExitStatus.noInput)
        }
        let program = ConnectorProgram.installedPath
        if let last, let file = try? openCopy(last),
            isCurrent(last) || !waits || program == nil || copying.refreshes == .never
        {
            let mirror = MirroredCatalog(file, in: directory, state: last, by: access(with: program))
            return CopiedCatalog(file: file, mirror: mirror)
        }
        if copying.refreshes == .never {
            throw CommandError(sentence: CommandMessage.noCopyOffline.text(path), exitStatus: ExitStatus.noInput)
        }
        guard let program else {
            throw CommandError(sentence: CommandMessage.connectorMissing.text(path), exitStatus: ExitStatus.noInput)
        }
        let opening = CopyOpening(of: self, by: access(with: program), with: program)
        return waits && hasCopy ? try opening.renewed() : try opening.first()
    }

    /// Whether the last copy is known to be up to date, and that suffices.
    private func isCurrent(_ last: MirrorState) -> Bool {
        let isKnown =
            directory.isRemote
            ? !last.isDue
            : !last.isOfOlderReader && last.fingerprint == sourceFingerprint(of: directory.source)
        let mayBeKnown =
            copying.refreshes == .whenChanged || copying.refreshes == .whenChangedNow && !directory.isRemote
        return isKnown && mayBeKnown && last.isIn(access(with: nil).encoding)
    }

    /// Opens the last copy.
    func openCopy(_ state: MirrorState) throws(CatalogError) -> JSONFileCatalog {
        let file = maker(state.kind, state.profile)
        try file.open()
        return file
    }

    /// The function that opens the catalog of a copy, given the kind of source and the name of its profile.
    var maker: FirstDownload.Maker {
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

    /// The access to the source for copying it with the program at this path.
    private func access(with program: String?) -> SourceAccess {
        SourceAccess(to: name, by: program, copying: copying, in: directories)
    }

    /// The error of the reader of JSON for a file whose format the connector program does not know either; nil if that
    /// says less.
    var errorAsJSON: CatalogError? {
        var choice = choice
        do throws(CatalogError) {
            _ = try choice.catalog(at: path)
            return nil
        } catch {
            return switch error {
            case .wrongFormat(_, .utf16), .wrongFormat(_, .archive), .wrongFormat(_, .officeDocument),
                .wrongFormat(_, .otherCompressed), .unreadable, .notACatalog:
                error
            // The connector program has looked into these.
            case .wrongFormat(_, .compressed), .wrongFormat(_, .sqlite), .wrongFormat(_, .html), .wrongFormat(_, .xml),
                .empty:
                nil
            case .malformed: [".json", ".jsonl", ".ndjson"].contains(where: path.lowercased().hasSuffix) ? error : nil
            }
        }
    }
}

extension ForeignSource {
    /// Returns the path of a complete copy of the current source, in JSON Lines; nil if it is a JSON file or cannot be
    /// read.
    static func copy(
        of name: CatalogName, copying: CopyChoice = CopyChoice()
    ) throws(CommandError) -> String? {
        let path = name.path
        let choice = try ProfileChoice(named: nil, forCatalog: path, in: ProfileLibrary(directory: nil))
        guard
            let source = ForeignSource(
                name: name, choice: choice, directories: Directories.ofEnvironment(), copying: copying, waits: true
            )
        else { return nil }
        switch CatalogKind(of: path) {
        case .foreign, .address, .pagedAddress: break
        case .unreadable where source.isGone && source.hasCopy: break
        case .json, .empty, .pipe, .unreadable: return nil
        }
        do throws(CommandError) {
            let copy = try source.open()
            copy.file.readRest()
            copy.mirror.waitForCopy()
            if let news = copy.mirror.takeNews() { printError(news.sentence(of: path)) }
        } catch {
            if error.refusal != nil { return nil }
            // A source with unknown fields still has a copy.
            if !source.hasCopy { throw error }
        }
        return source.hasCopy ? source.directory.dataPath : nil
    }

    /// Returns the path of the last copy of a source that is not a JSON file, and the name of the profile for its
    /// records; nil if there is no copy.
    static func lastCopy(of path: String, in directories: Directories) -> (path: String, profile: String?)? {
        guard let cache = directories.cache, !CatalogKind(of: path).isJSON else { return nil }
        let directory = MirrorDirectory(of: CatalogName(path: path, passwords: nil).source, in: cache)
        return directory.state.map { (directory.dataPath, $0.profile) }
    }
}

extension Profile {
    /// Returns the selection of this profile for the database at `source`; nil if the source is another file.
    fileprivate func suffix(of source: String, in cache: String) -> String? {
        guard let suffix = databaseSuffix, !isOfDatabase else { return databaseSuffix }
        // For a JSON file, a path of this form refers to records.
        if let content = try? FileContent(of: RandomAccessInput(source)) {
            return content == .known(.sqlite) ? suffix : nil
        }
        return MirrorDirectory(of: source + suffix, in: cache).state == nil ? nil : suffix
    }
}
