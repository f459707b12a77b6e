internal import Catalog
internal import ConnectorProtocol
internal import Formats
internal import Glibc
internal import Library
internal import Remote
internal import Storage
internal import Text

/// A database that the connector program makes, after all rows are written.
final class ConnectedOutput: BookOutput {
    let isWrittenForNoMatch = false
    private let path: String
    private let export: DatabaseExport
    private let termination: TerminationCleanup

    /// Creates the output to the file at `path`.
    ///
    /// - Throws: `CommandError` if the program is missing or the file cannot be created.
    init(
        _ path: String, in directories: Directories, termination: TerminationCleanup
    ) throws(CommandError) {
        guard directories.cache != nil else {
            throw CommandError(sentence: directories.noCacheSentence, exitStatus: directories.noCacheExitStatus)
        }
        guard let program = ConnectorProgram(in: directories) else {
            throw CommandError(
                sentence: Message.exportNeedsConnector.text(ExportFormat.sqlite.rawValue),
                exitStatus: ExitStatus.noInput)
        }
        if ReplacementFile.occupant(of: path) == .other {
            throw CommandError(
                sentence: CommandMessage.outputNotAFile.text(abbreviatedPath(path)), exitStatus: ExitStatus.cannotCreate
            )
        }
        (self.path, self.termination) = (path, termination)
        do throws(FileError) {
            export = try termination.begin { () throws(FileError) in
                let export = try DatabaseExport(by: program)
                return (export, export.cleanUp)
            }
        } catch {
            throw CommandError(
                sentence: CommandMessage.outputFailed.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.cannotCreate)
        }
    }

    deinit { termination.set(nil) }

    func write(_ text: inout [UInt8]) -> Int32? {
        defer { text.removeAll(keepingCapacity: true) }
        do throws(FileError) {
            try export.append(text)
            return nil
        } catch {
            printError(CommandMessage.outputFailed.text(abbreviatedPath(error.path), error.cause))
            return ExitStatus.inputOutput
        }
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        let existing = resolvedPath(path)
        if existing != nil, !isWhole {
            printError(Message.exportNeedsWholeCatalog.text(abbreviatedPath(path)))
            return ExitStatus.badData
        }
        export.make(replacing: existing) {}
        var progress = ProgressLine("making \(ExportFormat.sqlite.rawValue)")
        while !export.isMade {
            progress.show(export.rows, fraction: Double(export.rows) / Double(max(1, count)))
            usleep(5000)
        }
        progress.clear()
        if let failure = export.failure {
            return failure.commandError(writing: abbreviatedPath(path)).report()
        }
        do throws(CommandError) {
            return try FileOutput(path).complete(with: export)
        } catch {
            return error.report()
        }
    }
}

extension ConnectorFailure {
    /// This failure for a command that writes `path`.
    fileprivate func commandError(writing path: String) -> CommandError {
        CommandError(sentence: sentence(writing: path), exitStatus: exitStatusWriting)
    }
}
