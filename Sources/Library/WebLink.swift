/// A link to a web page; apart from the files of a calibre library, no other link is ever opened.
public struct WebLink: Hashable, Sendable {
    /// The URL, safe to pass to a program: "http://" or "https://", a host, and visible ASCII characters except those
    /// that a shell interprets within single or double quotes.
    public let text: String

    /// The maximum length of a link in bytes.
    static let maximumLength = 2000

    /// Creates a link, with non-ASCII characters (RFC 3987, section 3.1) and "$" percent-encoded.
    ///
    /// Fails for other schemes, for characters that a URI must not contain (RFC 3986, section 2), and for a user name,
    /// which could disguise the host.
    public init?(_ text: some StringProtocol) {
        let lowered = text.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else { return nil }
        var link = scheme
        for byte in text.utf8.dropFirst(scheme.utf8.count) {
            switch byte {
            case 0x80..., UInt8(ascii: "$"):
                link += byte.percentEncoded
            case 0x21...0x7E where !#""'<>\^`{|}"#.utf8.contains(byte): link.unicodeScalars.append(Unicode.Scalar(byte))
            default: return nil
            }
        }
        let host = link.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard let first = host.first, first.isLetter || first.isNumber || first == "[" || first == "%",
            host.utf8.allSatisfy(Self.isOfHost), !host.contains("%24"), link.utf8.count <= Self.maximumLength
        else { return nil }
        self.text = link
    }

    /// The host without "www.".
    var host: String {
        let host = afterScheme.prefix { !"/?#".contains($0) }
        return String(host.hasPrefix("www.") ? host.dropFirst(4) : host)
    }

    /// The host and the beginning of the path: "archive.org/details/emma…".
    var shortened: String {
        let rest = afterScheme.hasPrefix("www.") ? afterScheme.dropFirst(4) : afterScheme
        let limit = 32
        return rest.count <= limit ? String(rest) : rest.prefix(limit - 1) + "…"
    }

    private var afterScheme: Substring { text[(text.firstRange(of: "://")?.upperBound ?? text.startIndex)...] }

    /// Whether `byte` may occur in a host name, address or port; other characters, and "@" after a user name, are
    /// rejected.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._:[]%".utf8.contains(byte)
        }
    }

    /// Returns the first distinct links in `text`, each up to the first character that a URI cannot contain and without
    /// trailing punctuation. Linear in the text.
    public static func all(in text: String, limit: Int = 20) -> [WebLink] {
        // Fast path: nearly all texts are long and contain no link.
        guard text.utf8.contains(UInt8(ascii: ":")) else { return [] }
        var links: [WebLink] = []
        var rest = text[...]
        while links.count < limit, let colon = rest.firstIndex(of: ":") {
            let start = ["https", "http"].compactMap { scheme -> String.Index? in
                let begin = rest.index(colon, offsetBy: -scheme.count, limitedBy: rest.startIndex)
                return begin.flatMap { rest[$0..<colon].lowercased() == scheme ? $0 : nil }
            }.first
            guard let start, rest[colon...].hasPrefix("://") else {
                rest = rest[rest.index(after: colon)...]
                continue
            }
            let end = rest[start...].firstIndex { $0.isWhitespace || enders.contains($0) } ?? rest.endIndex
            let link = rest[start..<end]
            // Overlong links are skipped without further checks.
            if link.utf8.count <= maximumLength, let found = WebLink(withoutPunctuation(link)), !links.contains(found) {
                links.append(found)
            }
            rest = rest[end...]
        }
        return links
    }

    /// The characters that end a link in prose: those that a URI cannot contain, and quotation marks.
    private static let enders = #""<>\^`{|}'“”„‘’«»‹›「」『』《》〈〉。，、；：！？（）"#

    /// Removes trailing punctuation and unbalanced closing brackets.
    private static func withoutPunctuation(_ link: Substring) -> Substring {
        var link = link
        while let last = link.last {
            switch last {
            case ".", ",", ";", ":", "!", "?", "…": break
            case ")" where link.count { $0 == ")" } > link.count { $0 == "(" }: break
            case "]" where link.count { $0 == "]" } > link.count { $0 == "[" }: break
            default: return link
            }
            link.removeLast()
        }
        return link
    }
}

extension UInt8 {
    /// The byte as "%" and two hexadecimal digits (RFC 3986, section 2.1).
    var percentEncoded: String {
        "%" + String(self >> 4, radix: 16, uppercase: true) + String(self & 15, radix: 16, uppercase: true)
    }
}
