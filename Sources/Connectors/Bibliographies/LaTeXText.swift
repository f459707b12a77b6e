/// Converts the text of a field with commands of LaTeX to plain text on one line.
///
/// Groups and styles leave their text, a formula stays as it is unless it is a symbol or a number, and a command that is
/// not in the table stays whole, or leaves its argument.
struct LaTeXText {
    private let source: ArraySlice<UInt8>
    private var index: Int
    private var text: [UInt8] = []
    /// Whether blanks were read that are not yet in the text.
    private var isBlankPending = false
    /// The accents for the next letter, and the text to write if there is none.
    private var accents: [(mark: Unicode.Scalar, alone: String)] = []
    /// Whether no formula can begin, because no further dollar sign follows.
    private var lacksDollar = false

    /// Returns the plain text of a field.
    static func plain(_ source: ArraySlice<UInt8>) -> String {
        // Most texts have no commands and single blanks only.
        if source.withUnsafeBufferPointer(isPlain) { return String(decoding: source, as: UTF8.self).trimmingBlanks }
        var reader = LaTeXText(source)
        reader.read()
        return String(decoding: reader.text, as: UTF8.self)
    }

    /// Returns an address or number, in which only braces and the backslashes before punctuation are no text.
    static func verbatim(_ source: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = source
        for start in ["\\url", "\\path", "\\nolinkurl"] where rest.starts(with: start.utf8) {
            rest = rest.dropFirst(start.utf8.count)
        }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = rest.first, !isLetter(next) {
                bytes.append(next)
                rest = rest.dropFirst()
            } else if byte == UInt8(ascii: "\\"), rest.starts(with: "textasciitilde".utf8) {
                bytes.append(UInt8(ascii: "~"))
                rest = rest.dropFirst("textasciitilde".utf8.count)
            } else if byte != UInt8(ascii: "{"), byte != UInt8(ascii: "}") {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private init(_ source: ArraySlice<UInt8>) {
        self.source = source
        index = source.startIndex
        text.reserveCapacity(source.count)
    }

    /// Whether the text has no commands, and no two blanks in a row.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "~"), UInt8(ascii: "$"),
                UInt8(ascii: "-"), UInt8(ascii: "`"), UInt8(ascii: "'"), 0..<0x20:
                return false
            case 0x20 where last == 0x20: return false
            default: last = byte
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private mutating func read() {
        while index < source.endIndex {
            let byte = source[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\\"): readCommand()
            case UInt8(ascii: "{"): break
            case UInt8(ascii: "}"): endAccents()
            case UInt8(ascii: "$"): readFormula()
            case UInt8(ascii: "-"): add(["-", "–", "—"][repeated(byte, upTo: 2)])
            case UInt8(ascii: "`"): add(["‘", "“"][repeated(byte, upTo: 1)])
            case UInt8(ascii: "'"): add(["'", "”"][repeated(byte, upTo: 1)])
            case UInt8(ascii: "~"), 0...0x20: addBlank()
            default: add(byte)
            }
        }
        endAccents()
    }

    /// Skips up to `limit` further bytes equal to `byte`, and returns their number.
    private mutating func repeated(_ byte: UInt8, upTo limit: Int) -> Int {
        let count = source[index...].prefix(limit).prefix { $0 == byte }.count
        index += count
        return count
    }

    // MARK: Output

    private mutating func addBlank() {
        // The letter under an accent may follow after a blank.
        if accents.isEmpty { isBlankPending = !text.isEmpty }
    }

    private mutating func writeBlank() {
        if isBlankPending { text.append(0x20) }
        isBlankPending = false
    }

    private mutating func add(_ string: String) {
        if string == " " {
            endAccents()
            addBlank()
        } else if accents.isEmpty {
            writeBlank()
            text += string.utf8
        } else if let first = string.first {
            addAccented(first)
            text += string.dropFirst().utf8
        }
    }

    private mutating func add(_ byte: UInt8) {
        if accents.isEmpty {
            writeBlank()
            text.append(byte)
            return
        }
        let start = index - 1
        while index < source.endIndex, byte >= 0xC0, source[index] & 0xC0 == 0x80 { index += 1 }
        add(String(decoding: source[start..<index], as: UTF8.self))
    }

    /// Adds a letter with the accents.
    private mutating func addAccented(_ letter: Character) {
        // The dot of these letters makes way for the accent.
        let base: Character = letter == "ı" ? "i" : letter == "ȷ" ? "j" : letter
        var scalars = String(base).unicodeScalars
        for accent in accents.reversed() { scalars.append(accent.mark) }
        accents.removeAll()
        add(Self.composed(String(scalars)))
    }

    /// Adds accents without a letter as symbols.
    private mutating func endAccents() {
        if accents.isEmpty { return }
        let symbols = accents.map(\.alone).joined()
        accents.removeAll()
        add(symbols)
    }

    /// Returns a letter with accents as one character of Unicode, if there is one.
    private static func composed(_ letter: String) -> String {
        guard letter.count == 1, let index = letters.firstIndex(of: Character(letter)) else { return letter }
        return String(letters[index])
    }

    /// The letters with accents, which are equal to their decompositions.
    private static let letters = Set(
        [0xC0...0x24F, 0x386...0x3CE, 0x400...0x4FF, 0x1E00...0x1EFF].joined().compactMap { (number: UInt32) in
            Unicode.Scalar(number).map(Character.init)
        })

    // MARK: Commands

    private mutating func readCommand() {
        guard index < source.endIndex else { return add("\\") }
        let start = index
        while index < source.endIndex, Self.isLetter(source[index]) { index += 1 }
        let isWord = index > start
        if !isWord { index += 1 }
        let name = String(decoding: source[start..<index], as: UTF8.self)
        switch LaTeXCommand.named(name) {
        case .symbol(let symbol)?:
            add(symbol)
            // Blanks end the name of a letter: "\oe uvre".
            if isWord, symbol.first?.isLetter == true { skipBlanks() }
        case .accent(let mark, let alone)?:
            accents.append((mark, alone))
            if accents.count > Self.accentLimit { endAccents() }
        case .style?: if isWord { skipBlanks() }
        case .hidden?: _ = argument()
        case .address?: add(Self.verbatim(argument()))
        case nil where isWord:
            if index == source.endIndex || source[index] != UInt8(ascii: "{") { add("\\" + name) }
        // A character such as the first byte of a letter.
        case nil: index = start
        }
    }

    /// The maximum number of accents on a letter.
    private static let accentLimit = 4

    private mutating func skipBlanks() {
        while index < source.endIndex, source[index] <= 0x20 { index += 1 }
    }

    /// Skips the argument of a command, and returns it; empty if there is none.
    private mutating func argument() -> ArraySlice<UInt8> {
        skipBlanks()
        guard index < source.endIndex, source[index] == UInt8(ascii: "{") else { return [] }
        let start = index + 1
        let end = BibTeXEntry.endOfGroup(in: source, from: start)
        index = min(end + 1, source.endIndex)
        return source[start..<end]
    }

    // MARK: Formulas

    /// Reads a formula after its dollar sign.
    private mutating func readFormula() {
        guard !lacksDollar, let end = endOfFormula() else {
            lacksDollar = true
            return add("$")
        }
        let formula = source[index..<end]
        index = end + 1
        add(Self.symbols(of: formula) ?? "$\(String(decoding: formula, as: UTF8.self))$")
    }

    private func endOfFormula() -> Int? {
        var place = index
        while place < source.endIndex, source[place] != UInt8(ascii: "$") {
            place += source[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place < source.endIndex ? place : nil
    }

    /// Returns the text of a formula that consists of symbols, letters and raised or lowered digits; nil for others.
    private static func symbols(of formula: ArraySlice<UInt8>) -> String? {
        var text = ""
        var rest = formula
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                let name = String(decoding: rest.prefix(while: isLetter), as: UTF8.self)
                guard let symbol = LaTeXCommand.symbol(named: name) else { return nil }
                text += symbol
                rest = rest.dropFirst(name.utf8.count)
                if rest.first == 0x20 { rest = rest.dropFirst() }
            case UInt8(ascii: "_"), UInt8(ascii: "^"):
                let digits = Array(byte == UInt8(ascii: "_") ? "₀₁₂₃₄₅₆₇₈₉" : "⁰¹²³⁴⁵⁶⁷⁸⁹")
                let isGroup = rest.first == UInt8(ascii: "{")
                let number = rest.dropFirst(isGroup ? 1 : 0).prefix { (0x30...0x39).contains($0) }
                    .prefix(isGroup ? .max : 1)
                if number.isEmpty { return nil }
                text += String(number.map { digits[Int($0 - 0x30)] })
                rest = rest.dropFirst(number.count + (isGroup ? 1 : 0))
                if isGroup {
                    guard rest.popFirst() == UInt8(ascii: "}") else { return nil }
                }
            case UInt8(ascii: "{"), UInt8(ascii: "}"): break
            case _ where isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: return nil
            }
        }
        return text.isEmpty ? nil : text
    }
}
