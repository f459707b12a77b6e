internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Library
internal import Storage

/// A file in a format that the connector program makes, of rows that are kept in a private folder until then.
final class ConnectedOutput: BookOutput {
    let isWrittenForNoMatch = false
    private let format: ConnectedFormat
    /// The file; nil for standard output.
    private let path: String?
    private let program: String
    private let folder: ExportFolder
    private let termination: TerminationCleanup

    /// Creates the output into the file at `path`, or onto standard output.
    ///
    /// - Throws: `CommandError` if the program is missing or no file can be made.
    init(
        _ format: ConnectedFormat, path: String?, in directories: Directories, termination: TerminationCleanup
    ) throws(CommandError) {
        guard let program = ForeignSource.program else {
            throw CommandError(
                sentence: Message.exportNeedsConnector.text(format.rawValue), exitStatus: ExitStatus.noInput)
        }
        guard let cache = directories.cache else {
            throw CommandError(sentence: Message.noCacheDirectory.text(), exitStatus: ExitStatus.usage)
        }
        if let path, ReplacementFile.occupant(of: path) == .other {
            throw CommandError(
                sentence: Message.outputNotAFile.text(abbreviatedPath(path)), exitStatus: ExitStatus.cannotCreate)
        }
        (self.format, self.path, self.program, self.termination) = (format, path, program, termination)
        do throws(FileError) {
            folder = try termination.begin { () throws(FileError) in
                let folder = try ExportFolder(in: cache)
                let path = folder.path
                return (folder, { try? deleteDirectory(path) })
            }
        } catch {
            throw CommandError(
                sentence: Message.outputFailed.text(abbreviatedPath(error.path), error.cause),
                exitStatus: ExitStatus.cannotCreate)
        }
    }

    deinit { termination.set(nil) }

    func write(_ text: inout [UInt8]) -> Int32? {
        defer { text.removeAll(keepingCapacity: true) }
        do throws(FileError) {
            try folder.append(text)
            return nil
        } catch {
            printError(Message.outputFailed.text(abbreviatedPath(error.path), error.cause))
            return ExitStatus.inputOutput
        }
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        let existing = format.keepsExisting ? path.flatMap(resolvedPath) : nil
        if let existing, !isWhole {
            printError(Message.exportNeedsWholeCatalog.text(abbreviatedPath(path ?? existing)))
            return ExitStatus.badData
        }
        do throws(ConnectorFailure) {
            let folderPath = folder.path
            let conversation = try termination.begin { () throws(ConnectorFailure) in
                let conversation = try ConnectorConversation(program: program, cache: folderPath)
                let cleanUp: @Sendable () -> Void = {
                    // Otherwise it would go on to write files there.
                    conversation.end()
                    try? deleteDirectory(folderPath)
                }
                return (conversation, cleanUp)
            }
            defer { conversation.end() }
            var progress = ProgressLine("making \(format.rawValue)")
            defer { progress.clear() }
            try conversation.ask(
                .export(kind: format.rawValue, from: folder.rowsPath, to: folder.filePath, replacing: existing)
            ) { content in
                guard case .progress(let made) = content else { return }
                progress.show(made.rows, fraction: Double(made.rows) / Double(max(1, count)))
            }
        } catch {
            return error.commandError(writing: path.map(abbreviatedPath) ?? "standard output").report()
        }
        return deliver()
    }

    /// Puts the file in its place, or copies it to standard output.
    ///
    /// - Returns: The exit status.
    private func deliver() -> Int32 {
        do throws(FileError) {
            let file = try RandomAccessInput(folder.filePath)
            let size = try file.fingerprint()?.size ?? 0
            if let path {
                do throws(CommandError) {
                    return try FileOutput(path).complete(with: file, size: size)
                } catch {
                    return error.report()
                }
            }
            var offset = 0
            while offset < size {
                var part = try file.bytes(in: offset..<min(size, offset + PlainList.pieceSize))
                offset += part.count
                if part.isEmpty { break }
                if let status = PlainList.write(&part) { return status }
            }
            return 0
        } catch {
            printError(Message.outputFailed.text(abbreviatedPath(error.path), error.cause))
            return ExitStatus.inputOutput
        }
    }
}

/// The formats of files that the connector program makes.
enum ConnectedFormat: String, CaseIterable {
    case sqlite, marcxml, mods, ris, opds

    /// Whether only changes are written if the file exists.
    var keepsExisting: Bool { self == .sqlite }
    /// Whether the file cannot be written to a pipe or terminal.
    var needsFile: Bool { self == .sqlite }
    /// Whether the format has a place for user data.
    var hasUserData: Bool { self == .sqlite }
}

extension ConnectorFailure {
    /// The failure as the end of a command that was to write `path`.
    fileprivate func commandError(writing path: String) -> CommandError {
        let status =
            switch kind {
            case .offline: reason == .permission ? ExitStatus.noPermission : ExitStatus.noInput
            case .busy, .cancelled: ExitStatus.changed
            case .refused, .unsupported: ExitStatus.cannotCreate
            case .format: ExitStatus.badData
            case .auth, .server, .request, .helper: ExitStatus.inputOutput
            }
        return CommandError(sentence: sentence(writing: path), exitStatus: status)
    }
}
