public import ConnectorProtocol
internal import Storage

/// A text that the connector program has converted to UTF-8.
public struct ConvertedFile: Sendable {
    /// The text in UTF-8 without a byte order mark; bytes that the encoding does not have are U+FFFD.
    public let bytes: [UInt8]
    /// The name of the encoding in which it was.
    public let encoding: String

    /// Converts a text.
    ///
    /// - Parameter encoding: The name of its encoding; nil to detect it.
    /// - Throws: `ConnectorFailure`.
    public init(_ text: [UInt8], in encoding: String?, by program: ConnectorProgram) throws(ConnectorFailure) {
        let folder = try Self.folder(of: text, in: program.cache)
        let conversation = try ConnectorConversation(program: program.path, cache: folder.path, sources: [])
        defer { conversation.end() }
        let end = try conversation.ask(.convert(from: folder.rowsPath, to: folder.filePath, encoding: encoding))
        guard case .converted(let name) = end, let bytes = try? ReadOnlyFile.bytes(at: folder.filePath, if: .own) else {
            throw ConnectorFailure(.helper, .programFailed)
        }
        (self.bytes, self.encoding) = (bytes, name)
    }

    private static func folder(of text: [UInt8], in cache: String) throws(ConnectorFailure) -> ExportFolder {
        do throws(FileError) {
            let folder = try ExportFolder(in: cache)
            try folder.append(text)
            return folder
        } catch {
            throw ConnectorFailure(.helper, .cannotWrite, subject: error.path, detail: error.cause)
        }
    }
}
