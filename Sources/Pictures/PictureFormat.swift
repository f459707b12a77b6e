/// The formats in which covers come. Vector formats like SVG are not among them: they are programs rather than pictures.
public enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp

    /// The format that the first bytes of a file state, or nil for any other file. Names and media types are not
    /// trusted: servers send covers with wrong ones.
    public static func of(_ bytes: [UInt8]) -> PictureFormat? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
        // RIFF, the size of the file in four bytes, and what it has.
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
        return nil
    }
}
