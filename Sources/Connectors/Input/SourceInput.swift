internal import ConnectorProtocol

/// A file that was opened, with its beginning.
final class SourceInput {
    /// The length of the beginning by which sources are told apart.
    static let prefixLength = 1 << 16

    /// The path of the file.
    let path: String
    /// The first bytes, decompressed.
    let prefix: [UInt8]
    /// Whether the prefix is all that the file has.
    let isWhole: Bool
    /// The compression, if there is one.
    let compression: Compression?
    /// The file's size, time of change and number, as one text.
    let version: SourceVersion
    /// The length of the file in bytes, compressed if it is.
    let size: Int
    private let rest: any ByteSource

    /// Opens the file at `path` and reads its beginning.
    init(path: String) throws(ConnectorFailure) {
        self.path = path
        let file = try FileBytes(path)
        guard let state = FileState(descriptor: file.descriptor) else { throw .cannotRead(path) }
        version = SourceVersion(etag: state.tag)
        size = state.size
        let first = try file.read(upTo: Self.prefixLength)
        compression = Compression(of: first)
        guard let compression else {
            prefix = first
            isWhole = first.count < Self.prefixLength
            rest = file
            return
        }
        let text = compression.decompressed(PrefixedBytes(first, before: file))
        prefix = try text.read(upTo: Self.prefixLength)
        isWhole = prefix.count < Self.prefixLength
        rest = text
    }

    /// Whether the file ended within its prefix before its end, by what its compression says.
    var isCut: Bool { isWhole && rest.isCut }

    /// Returns the whole content, decompressed; may be called once.
    func content() -> any ByteSource { PrefixedBytes(prefix, before: rest) }
}
