public import Storage

/// What a file contains, by its first bytes.
public enum FileContent: Hashable, Sendable {
    /// White space, or nothing at all.
    case blank
    /// An array or an object of JSON, which may be malformed.
    case json
    /// A format with a signature.
    case known(CatalogError.FileFormat)
    /// Any other text or data, such as a table.
    case other

    /// The number of bytes in which a signature is found, if the file has as many.
    static let signatureSize = 512

    /// Reads the beginning of a file, up to the first byte that is not white space.
    ///
    /// - Throws: `FileError` if it cannot be read.
    public init(of file: RandomAccessInput) throws(FileError) {
        var size = Self.signatureSize
        while true {
            let head = try file.bytes(in: 0..<size)
            self = FileContent(head)
            if self != .blank || head.count < size { return }
            size *= 8
        }
    }

    /// Recognizes the content from the first bytes.
    init(_ head: [UInt8]) {
        if let format = CatalogError.FileFormat(signatureOf: head) {
            self = .known(format)
            return
        }
        let start = head.drop { $0.isJSONWhitespace || [0xEF, 0xBB, 0xBF].contains($0) }
        switch start.first {
        case nil: self = .blank
        case UInt8(ascii: "["), UInt8(ascii: "{"): self = .json
        case UInt8(ascii: "<"):
            let text = String(decoding: start.prefix(64), as: UTF8.self).lowercased()
            self = .known(text.hasPrefix("<!doctype html") || text.hasPrefix("<html") ? .html : .xml)
        default: self = .other
        }
    }
}

extension CatalogError.FileFormat {
    /// The signatures of 7-Zip and RAR.
    private static let archives: [[UInt8]] = [[0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], Array("Rar!".utf8)]
    /// The signature of POSIX archives, and its place.
    private static let (tar, tarOffset) = (Array("ustar".utf8), 257)
    /// The signatures of gzip and Zstandard, which the connector program decompresses.
    private static let readableCompressions: [[UInt8]] = [[0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD]]
    /// The signatures of bzip2 and xz.
    private static let otherCompressions: [[UInt8]] = [Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
    /// The signature of the office documents of before 2007.
    private static let oldOfficeDocument: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    /// Recognizes a binary format, or UTF-16, by its signature; fails for text in UTF-8.
    fileprivate init?(signatureOf bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else if bytes.starts(with: "SQLite format 3".utf8) {
            self = .sqlite
        } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            self = Self.isOfficeDocument(bytes) ? .officeDocument : .archive
        } else if bytes.starts(with: Self.oldOfficeDocument) {
            self = .officeDocument
        } else if Self.archives.contains(where: bytes.starts) || bytes.dropFirst(Self.tarOffset).starts(with: Self.tar)
        {
            self = .archive
        } else if Self.readableCompressions.contains(where: bytes.starts) {
            self = .compressed
        } else if Self.otherCompressions.contains(where: bytes.starts) {
            self = .otherCompressed
        } else {
            return nil
        }
    }

    /// Whether a ZIP archive is an office document: OpenDocument names its type in the first file, and Office Open XML
    /// begins with the list of its parts.
    private static func isOfficeDocument(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.dropFirst(30).prefix(120), as: UTF8.self)
        return start.hasPrefix("[Content_Types].xml") || start.hasPrefix("_rels/")
            || start.hasPrefix("mimetypeapplication/vnd.oasis.opendocument")
    }
}
