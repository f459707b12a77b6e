/// Liberal reading of values: what a field means, in whatever form a catalog writes it.
extension JSONValue {
    /// The text on one line: of a string or number, the first of an array that has one, or the first language's.
    var text: String? {
        switch self {
        case .string(let string):
            let line = string.onOneLine
            return line.isEmpty ? nil : line
        case .number(let number): return number
        case .array(let elements): return elements.lazy.compactMap(\.text).first
        case .object(let members): return members.lazy.compactMap(\.value.text).first
        case .null, .boolean: return nil
        }
    }

    /// The names of people: of a string, an object with a name, or an array of these. Blank ones are passed over.
    package var names: [String] {
        switch self {
        case .array(let elements): return elements.flatMap(\.names)
        case .object:
            if let name = self["name"]?.text ?? self["literal"]?.text { return [name] }
            let parts = [self["given"]?.text, self["family"]?.text].compactMap(\.self)
            return parts.isEmpty ? [] : [parts.joined(separator: " ")]
        case .string: return text.map { [$0] } ?? []
        case .null, .boolean, .number: return []
        }
    }

    /// A number of pages: an integer, a number without a fraction, or digits in a string; nil for zero, less, and more
    /// than an Int holds.
    var pages: Int? {
        let digits: String
        switch self {
        case .number(let number): digits = number
        case .string(let string): digits = string.onOneLine
        default: return nil
        }
        // Double reads hexadecimal digits too, which no catalog means.
        guard !digits.contains(where: { $0 == "x" || $0 == "X" }),
            let count = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:))
        else { return nil }
        return count > 0 ? count : nil
    }
}

extension String {
    /// This text with newlines, tabs and runs of blanks become one blank each, and none at its ends. Linear.
    var onOneLine: String {
        var previous = UInt8(ascii: " ")
        let isPlain = utf8.allSatisfy { byte in
            defer { previous = byte }
            return byte > 0x20 && byte < 0x7F || byte == 0x20 && previous != 0x20
        }
        if isPlain && previous != 0x20 || isEmpty { return self }
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
