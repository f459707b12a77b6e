extension JSONValue {
    /// Appends this as JSON to `text`, with what could act on a terminal as escapes: the value is the same.
    public func writeHarmlessly(to text: inout [UInt8]) {
        let start = text.count
        write(to: &text)
        // Controls below blank are escapes already, and outside of strings all is ASCII.
        guard text[start...].contains(where: { $0 >= 0x7F }) else { return }
        let json = String(decoding: text[start...], as: UTF8.self)
        text.removeSubrange(start...)
        text += json.harmlessJSON.utf8
    }
}

extension String {
    /// This JSON with what could act on a terminal as escapes: the value is the same.
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
    /// Whether it is a control or format character, ends lines, or is none that is known.
    fileprivate var mayActOnTerminals: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
