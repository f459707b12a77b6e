/// Opens links in a program that is none of ours.
public struct LinkOpener {
    /// Opens a link; returns why it could not, for people, or nil where it could.
    public let open: (WebLink) -> String?

    /// An opener that does what `open` does.
    public init(_ open: @escaping (WebLink) -> String?) {
        self.open = open
    }
}

/// A link to a page of the web: nothing else is ever opened.
public struct WebLink: Hashable, Sendable {
    /// The link as it may be handed to a program: "http://" or "https://", a host, and visible ASCII characters behind
    /// it, none of which a shell would take for anything but text within quotes.
    public let text: String

    /// The longest link that is opened, in bytes.
    static let maximumLength = 2000

    /// The link that `text` is, with what is not ASCII as percent escapes (RFC 3987, section 3.1); nil where it is none, or
    /// has characters that no link has (RFC 3986, section 2).
    public init?(_ text: some StringProtocol) {
        let lowered = text.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else { return nil }
        var link = scheme
        for byte in text.utf8.dropFirst(scheme.utf8.count) {
            switch byte {
            case 0x80...:
                link += "%" + Self.hexadecimal(byte >> 4) + Self.hexadecimal(byte & 15)
            case 0x21...0x7E where !#""'<>\^`{|}"#.utf8.contains(byte): link.unicodeScalars.append(Unicode.Scalar(byte))
            default: return nil
            }
        }
        let host = link.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard let first = host.first, first.isLetter || first.isNumber || first == "[" || first == "%",
            link.utf8.count <= Self.maximumLength
        else { return nil }
        self.text = link
    }

    private static func hexadecimal(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }

    /// The links in `text`, in their order: what begins as one, up to the first character that no link has, and without
    /// the punctuation at its end.
    public static func all(in text: String) -> [WebLink] {
        // Nearly all texts have none, and are long.
        guard text.utf8.contains(UInt8(ascii: ":")) else { return [] }
        var links: [WebLink] = []
        var rest = text[...]
        while let colon = rest.firstIndex(of: ":") {
            let start = ["https", "http"].compactMap { scheme -> String.Index? in
                let begin = rest.index(colon, offsetBy: -scheme.count, limitedBy: rest.startIndex)
                return begin.flatMap { rest[$0..<colon].lowercased() == scheme ? $0 : nil }
            }.first
            guard let start, rest[colon...].hasPrefix("://") else {
                rest = rest[rest.index(after: colon)...]
                continue
            }
            let end = rest[start...].firstIndex { $0.isWhitespace || #""<>\^`{|}'"#.contains($0) } ?? rest.endIndex
            var link = rest[start..<end]
            while let last = link.last,
                ".,;:!?".contains(last) || last == ")" && !link.contains("(") || last == "]" && !link.contains("[")
            {
                link.removeLast()
            }
            if let found = WebLink(link), !links.contains(found) { links.append(found) }
            rest = rest[end...]
        }
        return links
    }
}
