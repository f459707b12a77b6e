internal import ConnectorProtocol

/// The compressions declared in the head of an answer (RFC 9110, section 8.4). They are decoded here and not by
/// libcurl, which accepts half a gzip stream as complete and does not limit the expansion.
enum ContentCoding {
    /// The codings that a request accepts.
    static let accepted = "gzip, zstd, br"

    /// Returns the decoded content of `bytes`, according to `head`.
    ///
    /// - Throws: `ConnectorFailure` if the coding is unknown.
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
