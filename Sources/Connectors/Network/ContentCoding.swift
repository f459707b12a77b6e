internal import ConnectorProtocol

/// The compressions of an answer that its head names (RFC 9110, section 8.4). They are undone here and not by libcurl,
/// which takes half a gzip stream for a whole one, and does not limit what it expands to.
enum ContentCoding {
    /// The codings that a request accepts.
    static let accepted = "gzip, zstd, br"

    /// Returns the content of `bytes`, which is encoded as `head` says.
    ///
    /// - Throws: `ConnectorFailure` if the coding is not known.
    static func decoded(_ bytes: any ByteSource, by head: HTTPHead) throws(ConnectorFailure) -> any ByteSource {
        switch head["content-encoding"]?.lowercased() {
        case nil, "", "identity": return bytes
        case "gzip", "x-gzip": return Compression.gzip.decompressed(bytes)
        case "zstd": return Compression.zstd.decompressed(bytes)
        case "br": return BrotliBytes(bytes)
        case let name: throw ConnectorFailure(.server, .notHTTP, detail: name)
        }
    }
}
