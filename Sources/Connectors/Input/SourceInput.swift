internal import ConnectorProtocol

/// An open file or the content at an address, with its first bytes.
final class SourceInput {
    /// The length of the prefix for detecting the format, in bytes.
    static let prefixLength = 1 << 16

    /// The path of the file, or the address.
    let path: String
    /// Whether the content comes over the network.
    let isRemote: Bool
    /// The first bytes, decompressed.
    let prefix: [UInt8]
    /// Whether the prefix is the whole content.
    let isWhole: Bool
    /// The compression, if any.
    let compression: Compression?
    /// The version of the source: the size, modification time and inode of a file as one text, or the server's version.
    let version: SourceVersion
    /// The length of the (compressed) file in bytes; nil over the network.
    let size: Int?
    /// The encoding that the user has named; nil to detect it.
    var namedEncoding: TextEncoding?
    private let rest: any ByteSource

    /// Opens the file at `path` and reads its first bytes.
    convenience init(path: String) throws(ConnectorFailure) {
        let file = try FileBytes(path)
        guard let state = FileState(descriptor: file.descriptor) else { throw .cannotRead(path) }
        let first = try file.read(upTo: Self.prefixLength)
        try self.init(
            path, first, isWhole: first.count < Self.prefixLength, before: file,
            version: SourceVersion(etag: state.tag), size: state.size)
    }

    /// Reads the first bytes of the content at an address.
    convenience init(_ content: HTTPBytes, at url: String) throws(ConnectorFailure) {
        if content.head["content-encoding"] == nil {
            let (first, isWhole) = try content.beginning(upTo: Self.prefixLength)
            try self.init(url, first, isWhole: isWhole, before: content, version: content.head.version, isRemote: true)
        } else {
            let decoded = try ContentCoding.decoded(content, by: content.head)
            let first = try decoded.read(upTo: Self.prefixLength)
            try self.init(
                url, first, isWhole: first.count < Self.prefixLength, before: decoded, version: content.head.version,
                isRemote: true)
        }
    }

    private init(
        _ path: String, _ first: [UInt8], isWhole: Bool, before rest: any ByteSource, version: SourceVersion,
        size: Int? = nil, isRemote: Bool = false
    ) throws(ConnectorFailure) {
        (self.path, self.version, self.size, self.isRemote) = (path, version, size, isRemote)
        compression = Compression(of: first)
        guard let compression else {
            (prefix, self.isWhole, self.rest) = (first, isWhole, rest)
            return
        }
        let text = compression.decompressed(PrefixedBytes(first, before: rest))
        prefix = try text.read(upTo: Self.prefixLength)
        self.isWhole = prefix.count < Self.prefixLength
        self.rest = text
    }

    /// Whether the file was cut off within its prefix, according to its compression.
    var isCut: Bool { isWhole && rest.isCut }

    /// The encoding of the content if it is text, and the length of its byte order mark.
    var encoding: (text: TextEncoding, markLength: Int) {
        let detected = TextEncoding.detect(in: prefix)
        return (namedEncoding ?? detected.encoding, detected.markLength)
    }

    /// The first bytes as UTF-8 without a byte order mark, for detecting the format of text.
    var decodedPrefix: [UInt8] {
        let (encoding, markLength) = encoding
        return encoding.decoded(start: Array(prefix.dropFirst(markLength)))
    }

    /// Returns the whole content, decompressed; may be called once.
    func content() -> any ByteSource { PrefixedBytes(prefix, before: rest) }
}
