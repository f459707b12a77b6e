/// A link to a page of the web: nothing else is ever opened.
public struct WebLink: Hashable, Sendable {
    /// The link as it may be handed to a program: "http://" or "https://", a host, and visible ASCII characters behind
    /// it, none of which a shell would take for anything but text within quotes of either kind.
    public let text: String

    /// The longest link that is opened, in bytes.
    static let maximumLength = 2000

    /// The link that `text` is, with what is not ASCII as percent escapes (RFC 3987, section 3.1), and "$" too; nil where it
    /// is none, has characters that no link has (RFC 3986, section 2), or has a user name, behind which the host hides.
    public init?(_ text: some StringProtocol) {
        let lowered = text.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else { return nil }
        var link = scheme
        for byte in text.utf8.dropFirst(scheme.utf8.count) {
            switch byte {
            case 0x80..., UInt8(ascii: "$"):
                link += "%" + Self.hexadecimal(byte >> 4) + Self.hexadecimal(byte & 15)
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

    /// Whether names of hosts, their addresses and ports have `byte`: what else a link may have, and "@" behind a user name,
    /// says that it is no place of the web.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._:[]%".utf8.contains(byte)
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }

    /// The first links in `text`, each once, in their order: what begins as one, up to the first character that no link
    /// has, and without the punctuation at its end. Linear in the text.
    public static func all(in text: String, limit: Int = 20) -> [WebLink] {
        // Nearly all texts have none, and are long.
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
            // What is too long is not looked at closer.
            if link.utf8.count <= maximumLength, let found = WebLink(withoutPunctuation(link)), !links.contains(found) {
                links.append(found)
            }
            rest = rest[end...]
        }
        return links
    }

    /// What ends a link in prose: characters that no link has, and what quotes it.
    private static let enders = #""<>\^`{|}'“”„‘’«»‹›「」『』《》〈〉。，、；：！？（）"#

    /// A link without the punctuation at its end, and without closing brackets that it does not open.
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
