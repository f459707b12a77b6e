internal import ConnectorProtocol

/// An encoding of text, by the name that the system's converter has for it (iconv).
struct TextEncoding: Hashable {
    /// The name, such as `KOI8-R`.
    let name: String

    static let utf8 = Self(name: "UTF-8")
    static let utf16LittleEndian = Self(name: "UTF-16LE")
    static let utf16BigEndian = Self(name: "UTF-16BE")
    static let windows1252 = Self(name: "Windows-1252")
    static let gb18030 = Self(name: "GB18030")

    /// Returns the start of a text, which begins after the byte order mark, as UTF-8, for detecting its format;
    /// Windows-1252 is unchanged.
    func decoded(start bytes: [UInt8]) -> [UInt8] {
        if isReadAsBytes { return bytes }
        let text = decoded(PrefixedBytes(bytes))
        // A byte becomes at most three, a pair at most four.
        return (try? text.read(upTo: bytes.count * 3)) ?? bytes
    }

    /// Returns the text in `source` as UTF-8; Windows-1252 is unchanged. The source starts after the byte order mark.
    func decoded(_ source: any ByteSource) -> any ByteSource {
        switch self {
        case _ where isReadAsBytes: source
        case .utf16LittleEndian: UTF16Text(source, isBigEndian: false)
        case .utf16BigEndian: UTF16Text(source, isBigEndian: true)
        default: ConvertedText(source, from: self)
        }
    }

    /// Whether a text can be read as it is: each byte that is not UTF-8 is a character of Windows-1252.
    private var isReadAsBytes: Bool { self == .utf8 || self == .windows1252 }
}
