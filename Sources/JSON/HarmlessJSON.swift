extension JSONValue {
    /// Appends this value as JSON to `text`, with characters that could control a terminal written as escapes.
    public func writeHarmlessly(to text: inout [UInt8]) {
        let start = text.count
        write(to: &text)
        // Controls below the blank are escaped already, and everything outside of strings is ASCII.
        guard text[start...].contains(where: { $0 >= 0x7F }) else { return }
        let json = String(decoding: text[start...], as: UTF8.self)
        text.removeSubrange(start...)
        text += json.harmlessJSON.utf8
    }
}

extension String {
    /// This JSON with characters that could control a terminal replaced by equivalent escapes.
    public var harmlessJSON: String {
        guard unicodeScalars.contains(where: { $0.value >= 0x7F && $0.mayActOnTerminals }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.value < 0x7F || !scalar.mayActOnTerminals {
                text.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
                }
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control or format character, a line or paragraph separator, a surrogate or unassigned.
    fileprivate var mayActOnTerminals: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
