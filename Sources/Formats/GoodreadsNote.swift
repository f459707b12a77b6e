internal import Graphemes
internal import Text

/// Notes in Goodreads exports, which are plain text or HTML.
public enum GoodreadsNote {
    /// Returns the text of a note: HTML without tags, or plain text with only its character references resolved.
    public static func text(of note: String) -> String {
        guard note.contains("&") || note.contains("<") else { return note }
        if hasTags(note) { return HTMLText.paragraphs(of: note) }
        var text = String.UnicodeScalarView()
        var rest = note.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "&", let (character, end) = reference(in: rest) {
                text.append(character)
                rest = end
            } else {
                text.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return String(text)
    }

    /// Returns a note for which `text(of:)` returns `text`, including leading and trailing whitespace; plain text if
    /// possible.
    ///
    /// Characters that could control a terminal become references, because CSV has no escapes for them.
    static func note(of text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = String(line)
            return line.sanitized == line ? escaped(line) { _ in false } : escaped(line) { $0 < 0x20 || $0 >= 0x7F }
        }
        var note = lines.joined(separator: "\n").unicodeScalars
        // Spreadsheets and importers trim fields.
        if let first = note.first, first.properties.isWhitespace {
            note.replaceSubrange(..<note.index(after: note.startIndex), with: "&#\(first.value);".unicodeScalars)
        }
        if let last = note.last, last.properties.isWhitespace {
            note.removeLast()
            note.append(contentsOf: "&#\(last.value);".unicodeScalars)
        }
        return String(note)
    }

    private static func escaped(_ line: String, where isSpecial: (UInt32) -> Bool) -> String {
        var text = ""
        let scalars = line.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            let next = scalars[scalars.index(after: index)...].first
            let isBeforeName = next.map { $0.properties.isAlphabetic || $0 == "#" || $0 == "/" || $0 == "!" } ?? false
            switch scalar {
            case "&" where isBeforeName: text += "&amp;"
            case "<" where isBeforeName: text += "&lt;"
            case _ where isSpecial(scalar.value): text += "&#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func hasTags(_ note: String) -> Bool {
        note.contains(/<[A-Za-z\/!]/)
    }

    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
    ]

    /// Returns the character of the reference at the start of `text` and the rest of the text; nil if there is no
    /// reference.
    private static func reference(
        in text: Substring.UnicodeScalarView
    ) -> (character: Unicode.Scalar, rest: Substring.UnicodeScalarView)? {
        guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
        let name = String(text[..<end].dropFirst())
        let rest = text[text.index(after: end)...]
        if let character = names[name] { return (character, rest) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.lowercased().hasPrefix("x")
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let scalar = number.flatMap(Unicode.Scalar.init), scalar.value > 0 else { return nil }
        return (scalar, rest)
    }
}
