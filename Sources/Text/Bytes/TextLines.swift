extension String {
    /// The scheme of a URI in lower case; nil for other texts.
    public var uriScheme: String? {
        guard let colon = utf8.prefix(32).firstIndex(of: UInt8(ascii: ":")), let first = utf8.first,
            first.isASCIILetter
        else { return nil }
        let scheme = self[..<colon]
        let after = utf8[utf8.index(after: colon)...].first
        let isScheme = scheme.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || "+.-".utf8.contains(byte)
        }
        guard isScheme, let after, after != UInt8(ascii: " ") else { return nil }
        return scheme.lowercased()
    }

    /// Whether the text contains only white space; stops at the first other character.
    public var isBlank: Bool {
        for byte in utf8 {
            if byte > 0x20 && byte < 0x7F { return false }
            if byte >= 0x7F { return onOneLine.isEmpty }
        }
        return onOneLine.isEmpty
    }

    /// Whether the text is unchanged by `onOneLine`, as nearly all texts are. Linear, with a few instructions per byte.
    private var isOnOneLine: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            var previous = UInt8(ascii: " ")
            for (position, byte) in bytes.enumerated() {
                if byte < 0x20 || byte == 0x20 && previous == 0x20 { return false }
                // The other line separators in UTF-8: U+0085, U+2028 and U+2029.
                if byte == 0x85 && previous == 0xC2 { return false }
                if byte | 1 == 0xA9 && previous == 0x80 && bytes[position - 2] == 0xE2 { return false }
                previous = byte
            }
            return previous != 0x20
        } ?? false
    }

    /// This text with each run of newlines, tabs and blanks replaced by one blank, and trimmed. Linear.
    public var onOneLine: String {
        if isEmpty || isOnOneLine { return self }
        var line = String.UnicodeScalarView()
        var isPending = false
        for scalar in unicodeScalars {
            switch scalar {
            case " ", "\t", "\n", "\u{0B}", "\u{0C}", "\r", "\u{85}", "\u{2028}", "\u{2029}":
                isPending = !line.isEmpty
            default:
                if isPending { line.append(" ") }
                isPending = false
                line.append(scalar)
            }
        }
        return String(line)
    }
}
