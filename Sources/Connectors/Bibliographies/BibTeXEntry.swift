/// An entry of BibTeX or BibLaTeX: its type, key and fields.
struct BibTeXEntry {
    /// The type in lower case, such as "book".
    let type: String
    /// The citation key; "" if there is none.
    private(set) var key = ""
    /// The fields that were not taken yet: their names in lower case, and their values without delimiters.
    private(set) var fields: [(name: String, value: ArraySlice<UInt8>)] = []
    /// Whether the entry contains text that belongs to no field.
    private(set) var hasForeignText = false

    /// Whether the values are too long for a row; some are missing then.
    var isTooLarge: Bool { size > RowWriter.rowLimit / 4 }

    private let content: [UInt8]
    private var index = 0
    /// The length of all values.
    private var size = 0

    /// Reads the content of an entry, in which abbreviations are replaced with `strings`.
    init(type: String, _ content: [UInt8], _ strings: BibTeXStrings) {
        self.type = type
        self.content = content
        readKey()
        readFields(strings)
    }

    /// Reads the definition of an abbreviation.
    init(definition content: [UInt8], _ strings: BibTeXStrings) {
        type = "string"
        self.content = content
        readFields(strings)
    }

    /// Returns the value of the first field with one of these names, and removes it; nil if there is none that has text.
    mutating func take(_ names: String...) -> ArraySlice<UInt8>? {
        for name in names {
            guard let index = fields.firstIndex(where: { $0.name == name }) else { continue }
            let value = fields.remove(at: index).value
            if value.contains(where: { $0 > 0x20 }) { return value }
        }
        return nil
    }

    /// Returns the values of all fields with this name, and removes them.
    mutating func takeAll(_ name: String) -> [ArraySlice<UInt8>] {
        defer { fields.removeAll { $0.name == name } }
        return fields.filter { $0.name == name }.map(\.value)
    }

    /// Returns whether there is a field with this name, even without text.
    func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

    /// Returns the index of the brace that closes a group, whose content begins at `start`; the end if there is none.
    static func endOfGroup(in text: ArraySlice<UInt8>, from start: Int) -> Int {
        var depth = 1
        var index = start
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "{") { depth += 1 }
            if text[index] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { break }
            index += 1
        }
        return index
    }

    // MARK: Reading

    /// Reads the key: the text before the first comma, unless that is a field already.
    private mutating func readKey() {
        let mark = content.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "=") } ?? content.count
        if mark < content.count, content[mark] == UInt8(ascii: "=") { return }
        key = String(decoding: content[..<mark], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        index = mark
    }

    private mutating func readFields(_ strings: BibTeXStrings) {
        while true {
            while let byte = next, byte <= 0x20 || byte == UInt8(ascii: ",") { index += 1 }
            guard next != nil, !isTooLarge else { return }
            let start = index
            while let byte = next, byte > 0x20, byte != UInt8(ascii: "="), byte != UInt8(ascii: ",") { index += 1 }
            let name = content[start..<index]
            skipBlanks()
            guard next == UInt8(ascii: "="), !name.isEmpty else {
                hasForeignText = true
                if next == UInt8(ascii: "=") { index += 1 }
                continue
            }
            index += 1
            guard let value = value(strings) else { continue }
            fields.append((String(decoding: name, as: UTF8.self).lowercased(), value))
        }
    }

    private var next: UInt8? { index < content.count ? content[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte <= 0x20 { index += 1 }
    }

    /// Reads parts joined with "#"; returns nil if the fields are too long, as abbreviations can make them.
    private mutating func value(_ strings: BibTeXStrings) -> ArraySlice<UInt8>? {
        skipBlanks()
        var value = part(strings)
        size += value.count
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "#") else { return value }
            index += 1
            skipBlanks()
            let part = part(strings)
            size += part.count
            if isTooLarge { return nil }
            value += part
        }
    }

    private mutating func part(_ strings: BibTeXStrings) -> ArraySlice<UInt8> {
        let start = index + 1
        switch next {
        case UInt8(ascii: "{"):
            let end = Self.endOfGroup(in: content[...], from: start)
            index = min(end + 1, content.count)
            return content[start..<end]
        case UInt8(ascii: "\""):
            var depth = 0
            index = start
            while let byte = next, byte != UInt8(ascii: "\"") || depth > 0 {
                if byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "}") { depth -= 1 }
                index += 1
            }
            let end = index
            index = min(end + 1, content.count)
            return content[start..<end]
        default:
            let start = index
            while let byte = next, byte > 0x20, !"#,{\"".utf8.contains(byte) { index += 1 }
            let word = content[start..<index]
            return strings[word] ?? word
        }
    }
}

/// The abbreviations of a file, with those of the months.
struct BibTeXStrings {
    private var values: [String: ArraySlice<UInt8>] = [:]
    private var size = 0

    /// The maximum length of all abbreviations: each can repeat others.
    private static let limit = 1 << 24

    /// Creates the abbreviations of BibTeX.
    init() {
        for name in [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ] {
            values[name.lowercased().prefix(3).description] = ArraySlice(name.utf8)
        }
    }

    /// Returns the text of an abbreviation.
    subscript(name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = name.first, !(0x30...0x39).contains(first) else { return nil }
        return values[String(decoding: name, as: UTF8.self).lowercased()]
    }

    /// Adds the abbreviations that an entry defines.
    mutating func define(_ content: [UInt8]) {
        for (name, value) in BibTeXEntry(definition: content, self).fields where size + value.count <= Self.limit {
            size += value.count
            // A copy does not keep the whole definition.
            values[name] = ArraySlice(Array(value))
        }
    }
}
