internal import ConnectorProtocol

/// The content codings of a response (RFC 9110, section 8.4). They are decoded here because libcurl accepts a truncated
/// gzip stream as complete and does not limit the decompressed size.
enum ContentCoding {
    /// The value of the header field Accept-Encoding.
    static let accepted = "gzip, zstd, br"

    /// Returns the decoded content of `bytes`, according to its response header.
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
