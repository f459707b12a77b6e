public import ConnectorProtocol
internal import Storage

extension MirrorDirectory {
    /// Finds where rows of the copy are in the source, by reading it again. Linear in the source.
    ///
    /// - Parameter rows: The numbers of the rows, from 0.
    /// - Returns: The places as far as they are known; none if the source is on a server, or has changed.
    /// - Throws: `ConnectorFailure` if it cannot be read.
    public func places(of rows: [Int], with program: ConnectorProgram) throws(ConnectorFailure) -> [Int: SourcePlace] {
        guard !isRemote, !rows.isEmpty, let state, state.fingerprint == sourceFingerprint(of: source) else {
            return [:]
        }
        let folder: ExportFolder
        do throws(FileError) {
            folder = try ExportFolder(in: program.cache)
        } catch {
            throw ConnectorFailure(.helper, .cannotWrite, subject: error.path, detail: error.cause)
        }
        let conversation = try ConnectorConversation(program: program.path, cache: folder.path, sources: [source])
        defer { conversation.end() }
        _ = try conversation.ask(.open(source: source, known: nil, encoding: state.encoding))
        let end = try conversation.ask(.mirror(path: folder.filePath, locating: rows))
        if case .mirrored(let copy) = end { return copy.places }
        return [:]
    }
}
