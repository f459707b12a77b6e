internal import CUchardet
internal import JSON

extension TextEncoding {
    /// Detects the encoding from the start of a text, and the length of its byte order mark.
    ///
    /// UTF-8 with few errors is UTF-8: in other encodings, bytes that form a character of UTF-8 are rare accidents. Other
    /// text has the encoding whose letters are the likeliest, or Windows-1252 if that is doubtful.
    static func detect(in prefix: [UInt8]) -> (encoding: TextEncoding, markLength: Int) {
        if prefix.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if prefix.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if prefix.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        // Without a mark: mostly Latin text has a zero in every other byte.
        let sample = prefix.prefix(1024)
        if sample.count >= 4 {
            let zeros = sample.indices.filter { sample[$0] == 0 }
            let odd = zeros.count { $0 % 2 == 1 }
            if zeros.count * 10 >= sample.count * 3 {
                if odd * 10 >= zeros.count * 9 { return (.utf16LittleEndian, 0) }
                if odd * 10 <= zeros.count { return (.utf16BigEndian, 0) }
            }
        }
        // The prefix may end within a character.
        let whole = prefix.count < 4 ? prefix[...] : prefix.dropLast(prefix.reversed().prefix(3).count { $0 >= 0x80 })
        if whole.withUnsafeBufferPointer(JSONText.isUTF8) || JSONText.isMostlyUTF8(whole) { return (.utf8, 0) }
        return (likeliest(for: prefix), 0)
    }

    /// The encodings in which a Latin text has letters other than those of Windows-1252. Few such letters are not enough
    /// to tell one from another.
    private static let otherLatin: Set = [
        "IBM852", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-9", "ISO-8859-10", "ISO-8859-13", "ISO-8859-15",
        "ISO-8859-16", "MAC-CENTRALEUROPE", "WINDOWS-1250", "WINDOWS-1257", "WINDOWS-1258",
    ]
    /// The number of bytes beyond ASCII from which an encoding of `otherLatin` is believed.
    private static let leastEvidence = 10

    /// Returns the likeliest encoding of a text that is not UTF-8.
    private static func likeliest(for text: [UInt8]) -> TextEncoding {
        guard let name = detectedName(for: text) else { return isChinese(text) ? .gb18030 : .windows1252 }
        let highCount = text.count { $0 >= 0x80 }
        switch name {
        case "GB18030": return isChinese(text) ? .gb18030 : .windows1252
        case "ASCII", "UTF-8", "ISO-8859-1", "WINDOWS-1252": return .windows1252
        case "ISO-8859-7", "WINDOWS-1253":
            // They differ in one letter, Ά.
            let isISO = text.contains(0xB6) && !text.contains(0xA2)
            return TextEncoding(named: isISO ? "ISO-8859-7" : "WINDOWS-1253") ?? .windows1252
        case _ where otherLatin.contains(name): if highCount < leastEvidence { return .windows1252 }
        default:
            // Words in another script are several letters beyond ASCII; in Latin text, such letters stand alone.
            let pairs = zip(text, text.dropFirst()).count { $0 >= 0x80 && $1 >= 0x80 }
            if pairs * 2 < highCount { return .windows1252 }
        }
        return TextEncoding(named: supersets[name] ?? name) ?? .windows1252
    }

    /// Encodings that have all characters of another, and more.
    private static let supersets = ["ISO-8859-9": "Windows-1254", "SHIFT_JIS": "CP932", "TIS-620": "CP874"]

    /// Returns the name of the encoding whose letters are the likeliest, by how frequent they are in each language.
    private static func detectedName(for text: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let status = text.withUnsafeBytes { bytes in
            uchardet_handle_data(detector, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard status == 0 else { return nil }
        uchardet_data_end(detector)
        let name = String(cString: uchardet_get_charset(detector))
        return name.isEmpty ? nil : name
    }

    /// Creates an encoding by a name in any case; nil if the system's converter does not know it, or if it is not one in
    /// which ASCII stands for itself.
    init?(named name: String) {
        let usual = name.uppercased()
        let known: [TextEncoding] = [.utf8, .utf16LittleEndian, .utf16BigEndian, .windows1252, .gb18030]
        let aliases = ["UTF8": TextEncoding.utf8, "CP1252": .windows1252]
        if let encoding = known.first(where: { $0.name.uppercased() == usual }) ?? aliases[usual] {
            self = encoding
            return
        }
        self.init(name: usual.hasPrefix("WINDOWS-") ? "Windows-" + usual.dropFirst(8) : name)
        guard ConvertedText.canConvert(from: self) else { return nil }
    }

    /// Returns whether the bytes above ASCII are pairs, and most pairs encode one of the 3755 common characters of GB
    /// 2312. In Windows-1252, these bytes are single, between ASCII letters.
    private static func isChinese(_ text: [UInt8]) -> Bool {
        var (pairs, common) = (0, 0)
        var index = 0
        while index < text.count {
            let lead = text[index]
            index += 1
            if lead < 0x80 { continue }
            // The text may continue after the prefix.
            guard index < text.count else { break }
            let trail = text[index]
            index += 1
            guard lead > 0x80, lead < 0xFF, trail >= 0x40, trail != 0x7F, trail < 0xFF else { return false }
            // Punctuation and full-width letters do not decide.
            if (0xA1...0xA3).contains(lead) { continue }
            pairs += 1
            if (0xB0...0xD7).contains(lead), trail >= 0xA1 { common += 1 }
        }
        return pairs > 1 && common * 10 >= pairs * 8
    }
}
