internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Graphemes
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The copies of sources that are not JSON.
struct SourceCopies {
    private let directories = Directories.ofEnvironment()

    /// Prints all sources, one per line: kind, rows, date of the copy, path. Of sources that stay on their server, pages
    /// are kept.
    ///
    /// - Returns: The exit status.
    func list() -> Int32 {
        guard let cache = directories.cache else {
            return report(directories.noCacheSentence, directories.noCacheExitStatus)
        }
        var lines = ""
        for directory in MirrorDirectory.all(in: cache) {
            if let pages = directory.keptPages {
                let fields = [pages.kind, pages.count.of("page"), pages.time.asDate, pages.source]
                lines += fields.map(\.sanitized).joined(separator: "\t") + "\n"
            }
            guard let state = directory.state else { continue }
            // The joins of a profile are too long for the line.
            let source =
                state.source.firstRange(of: "&joins=").map { state.source[..<$0.lowerBound] } ?? state.source[...]
            let fields = [state.kind, state.rows.of("row"), state.fetched.asDate, abbreviatedPath(String(source))]
            lines += fields.map(\.sanitized).joined(separator: "\t") + "\n"
        }
        if lines.isEmpty { return report(CommandMessage.noSources.text(), 0) }
        return PlainList.write(lines)
    }

    /// Copies a source again.
    ///
    /// - Returns: The exit status.
    func refresh(_ name: String) -> Int32 {
        do throws(CommandError) {
            let (name, directories) = try directories(of: name)
            let path = name.path
            guard let program = ConnectorProgram.installedPath else {
                throw CommandError(sentence: CommandMessage.connectorMissing.text(path), exitStatus: ExitStatus.noInput)
            }
            if SourceAddress.isPaged(path) {
                throw CommandError(sentence: CommandMessage.nothingToCopy.text(path), exitStatus: ExitStatus.usage)
            }
            // A source that has become JSON may still have a copy.
            if !directories.contains(where: { $0.state != nil }), CatalogKind(of: path).isJSON {
                throw CommandError(sentence: CommandMessage.nothingToRefresh.text(path), exitStatus: ExitStatus.usage)
            }
            for directory in directories {
                let rows = try refresh(directory, of: name, with: program)
                let code = PlainList.write("\(path): \(rows.of("row")) copied.\n")
                if code != 0 { return code }
            }
            return 0
        } catch {
            return error.report()
        }
    }

    /// Copies a source again and returns the number of rows.
    private func refresh(
        _ directory: MirrorDirectory, of name: CatalogName, with program: String
    ) throws(CommandError) -> Int {
        let path = name.path
        let outcome: Download.Outcome?
        do throws(ConnectorFailure) {
            outcome = try Download(
                of: directory, by: SourceAccess(to: name, by: program, in: directories), with: program, takingAll: true
            ) {}.waitTellingProgress()
        } catch {
            throw error.commandError(opening: path)
        }
        switch outcome {
        case .complete(let state)?:
            if let news = state.newsOfCopy { printError(news.sentence(of: path)) }
            return state.rows
        case .incomplete(let state)?:
            let kept = directory.state.map { MirrorNews.Remainder.copy(of: $0.fetched) }
            let news = MirrorNews.incomplete(state.defects, kept ?? .nothing)
            throw CommandError(sentence: news.sentence(of: path), exitStatus: ExitStatus.badData)
        case .failed(let failure)?: throw failure.commandError(opening: path)
        case .stopped?, .smaller?, .unchanged?, nil: throw ConnectorFailure(.helper).commandError(opening: path)
        }
    }

    /// Deletes the copies of a source.
    ///
    /// - Returns: The exit status.
    func forget(_ name: String) -> Int32 {
        do throws(CommandError) {
            let (name, directories) = try directories(of: name)
            let path = name.path
            let hasPages = directories.contains { $0.keptPages != nil }
            guard hasPages || directories.contains(where: { $0.state != nil }) else {
                throw CommandError(sentence: CommandMessage.noCopy.text(path), exitStatus: ExitStatus.noInput)
            }
            do throws(FileError) {
                for directory in directories { try directory.delete() }
            } catch {
                throw CommandError(
                    sentence: Message.nothingWritten.text(abbreviatedPath(error.path), error.cause),
                    exitStatus: ExitStatus.inputOutput)
            }
            return PlainList.write("\(path): \(hasPages ? "kept pages" : "copy") deleted.\n")
        } catch {
            return error.report()
        }
    }

    /// Returns a source, which may be a name in the config file, with the directories of its copies: one for each
    /// profile that joins its tables differently, otherwise one.
    private func directories(of name: String) throws(CommandError) -> (CatalogName, [MirrorDirectory]) {
        guard let cache = directories.cache else {
            throw CommandError(sentence: directories.noCacheSentence, exitStatus: directories.noCacheExitStatus)
        }
        let config = ConfigFile(in: directories).read()
        let name = CatalogName(named: name, in: config)
        // The copy of a missing file can still be deleted.
        let source = name.source
        let directory = MirrorDirectory(of: source, in: cache)
        if directory.state != nil || directory.keptPages != nil { return (name, [directory]) }
        let joined = MirrorDirectory.all(in: cache).filter {
            $0.source.hasPrefix(source + "&joins=") || $0.source.hasPrefix(source + "?table=")
        }
        return (name, joined.isEmpty ? [directory] : joined)
    }

    private func report(_ sentence: String, _ status: Int32) -> Int32 {
        printError(sentence)
        return status
    }
}
