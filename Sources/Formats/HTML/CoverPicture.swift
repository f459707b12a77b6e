/// The bytes of a picture in one of the formats that every browser shows.
public struct CoverPicture: Hashable, Sendable {
    /// The media type: "image/jpeg".
    public let mediaType: String
    /// The file as it is.
    public let bytes: [UInt8]

    /// Takes the bytes of a file; fails unless it begins like a JPEG, PNG, GIF or WebP.
    public init?(_ bytes: [UInt8]) {
        let types: [(mediaType: String, start: [UInt8])] = [
            ("image/jpeg", [0xFF, 0xD8, 0xFF]), ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            ("image/gif", Array("GIF8".utf8)),
        ]
        let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        guard let type = isWebP ? "image/webp" : types.first(where: { bytes.starts(with: $0.start) })?.mediaType
        else { return nil }
        (mediaType, self.bytes) = (type, bytes)
    }
}
