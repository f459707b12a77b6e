internal import Books
internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Graphemes
internal import Library
internal import Storage

/// The copies of sources that are not JSON.
struct SourceCopies {
    private let directories = Directories.ofEnvironment()

    /// Prints all sources, one per line: kind, rows, date of the copy, path.
    ///
    /// - Returns: The exit status.
    func list() -> Int32 {
        useUTF8Locale()
        guard let cache = directories.cache else { return report(Message.noCacheDirectory.text(), ExitStatus.usage) }
        var lines = ""
        for directory in MirrorDirectory.all(in: cache) {
            guard let state = directory.state else { continue }
            // What a profile joins does not fit a line.
            let source =
                state.source.firstRange(of: "&joins=").map { state.source[..<$0.lowerBound] } ?? state.source[...]
            let fields = [state.kind, state.rows.of("row"), Self.date(state.fetched), abbreviatedPath(String(source))]
            lines += fields.map(\.sanitized).joined(separator: "\t") + "\n"
        }
        if lines.isEmpty { return report(Message.noSources.text(), 0) }
        return PlainList.write(lines)
    }

    /// Copies a source again.
    ///
    /// - Returns: The exit status.
    func refresh(_ name: String) -> Int32 {
        useUTF8Locale()
        do throws(CommandError) {
            let (path, directory) = try directory(of: name)
            guard let program = ForeignSource.program else {
                throw CommandError(sentence: Message.connectorMissing.text(path), exitStatus: ExitStatus.noInput)
            }
            let outcome: SourceCopy.Outcome?
            do throws(ConnectorFailure) {
                outcome = try SourceCopy(of: directory, with: program, takingAll: true) {}.waitTellingProgress()
            } catch {
                throw error.commandError(opening: path)
            }
            switch outcome {
            case .complete(let state)?:
                if !state.defects.isEmpty { printError(MirrorNews.defects(state.defects).sentence(of: path)) }
                return PlainList.write("\(path): \(state.rows.of("row")) copied.\n")
            case .incomplete(let state)?:
                let news = MirrorNews.incomplete(rows: state.rows, state.defects)
                throw CommandError(sentence: news.sentence(of: path), exitStatus: ExitStatus.badData)
            case .failed(let failure)?: throw failure.commandError(opening: path)
            case .smaller?, nil: throw ConnectorFailure(.helper).commandError(opening: path)
            }
        } catch {
            return error.report()
        }
    }

    /// Deletes the copy of a source.
    ///
    /// - Returns: The exit status.
    func forget(_ name: String) -> Int32 {
        useUTF8Locale()
        do throws(CommandError) {
            let (path, directory) = try directory(of: name)
            guard directory.state != nil else {
                throw CommandError(sentence: Message.noCopy.text(path), exitStatus: ExitStatus.noInput)
            }
            do throws(FileError) {
                try directory.delete()
            } catch {
                throw CommandError(
                    sentence: Message.nothingWritten.text(abbreviatedPath(error.path), error.cause),
                    exitStatus: ExitStatus.inputOutput)
            }
            return PlainList.write("\(path): copy deleted.\n")
        } catch {
            return error.report()
        }
    }

    /// Returns the path of a source, which may be a name in the config file, and where its copy is.
    private func directory(of name: String) throws(CommandError) -> (path: String, MirrorDirectory) {
        guard let cache = directories.cache else {
            throw CommandError(sentence: Message.noCacheDirectory.text(), exitStatus: ExitStatus.usage)
        }
        let path = OpenedCatalog.path(named: name, in: ConfigFile(in: directories).read()) ?? name
        // The copy of a file that is gone can still be deleted.
        let source = ForeignSource.absolute(path) ?? absolutePath(path)
        return (path, MirrorDirectory(of: source, in: cache))
    }

    private func report(_ sentence: String, _ status: Int32) -> Int32 {
        printError(sentence)
        return status
    }

    /// The date and time of a copy, such as "2026-11-21 09:30".
    private static func date(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }
}
