internal import TestSupport

/// A random catalog with nested values, escapes, all of Unicode, duplicate keys and wrong types, in any layout.
///
/// It has a transcript, the same catalog in a form that Foundation can read: lone surrogates and invalid UTF-8 are
/// U+FFFD there, only the last of duplicate keys remains, numbers that are read as text are strings, and
/// unrepresentable numbers are words.
struct RandomCatalog {
    /// The layout of its records in the text.
    enum Layout: CaseIterable {
        case array, wrapped, members, lines, document
    }

    let layout: Layout
    private(set) var text: [UInt8] = []
    private(set) var transcript: [UInt8] = []
    /// The keys that lead to the array, if it is nested.
    private(set) var path: [String] = []
    /// The keys of the records, if they are members of an object.
    private(set) var keys: [String] = []

    private var random: SplitMix
    private var whitespace = Whitespace.none
    private var isTranscribed = true

    private enum Whitespace: CaseIterable {
        case none, blank, pretty, any
    }

    /// Creates the catalog for a seed.
    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        layout = Layout.allCases.randomElement(using: &random) ?? .array
        whitespace = Whitespace.allCases.randomElement(using: &random) ?? .none
        let count = layout == .document ? 1 : 1 + below(chance(1, in: 8) ? 150 : 20)
        if chance(1, in: 4) { emit(raw: [0xEF, 0xBB, 0xBF], transcribed: "") }
        switch layout {
        case .array: emitArray(count)
        case .wrapped: emitWrapped(count, depth: 1 + below(3))
        case .members: emitMembers(count)
        case .lines: emitLines(max(2, count))
        case .document: emitRecord(isProper: true, depth: 0)
        }
        if layout != .lines { emitBlank(depth: 0) }
    }

    // MARK: Layouts

    private mutating func emitArray(_ count: Int) {
        let proper = below(count)
        emit("[")
        for index in 0..<count {
            if index > 0 { emit(",") }
            emitBlank(depth: 1)
            emitItem(isProper: index == proper || layout == .wrapped && index == 0, depth: 1)
        }
        emitBlank(depth: 0)
        emit("]")
    }

    private mutating func emitWrapped(_ count: Int, depth: Int) {
        emit("{")
        for index in 0..<below(3) { emitOther("before \(depth) \(index)") }
        let key = ["books", "data", "\"", "é"].randomElement(using: &random) ?? ""
        path.append(key)
        emitKey(key, depth: 1)
        if depth > 1 { emitWrapped(count, depth: depth - 1) } else { emitArray(count) }
        for index in 0..<below(3) {
            emit(",")
            emitKey("after \(depth) \(index)", depth: 1)
            emitValue(depth: 3)
        }
        emitBlank(depth: 0)
        emit("}")
    }

    private mutating func emitOther(_ key: String) {
        emitKey(key, depth: 1)
        emitValue(depth: 3)
        emit(",")
    }

    private mutating func emitMembers(_ count: Int) {
        emit("{")
        for index in 0..<count {
            if index > 0 { emit(",") }
            keys.append("\(below(10)) \(index)")
            emitKey(keys[index], depth: 1)
            emitItem(isProper: index == 0, depth: 1)
        }
        emitBlank(depth: 0)
        emit("}")
    }

    private mutating func emitLines(_ count: Int) {
        if whitespace == .pretty { whitespace = .blank }
        let end = chance(1, in: 3) ? "\r\n" : "\n"
        for index in 0..<count {
            emitItem(isProper: index < 2, depth: 0)
            if index < count - 1 || chance(1, in: 2) { emit(end) }
            if chance(1, in: 10) { emit(" " + end) }
        }
    }

    private mutating func emitItem(isProper: Bool, depth: Int) {
        if isProper || !chance(1, in: 12) { emitRecord(isProper: isProper, depth: depth) } else { emitNoRecord() }
    }

    /// Emits a value that is not an object.
    private mutating func emitNoRecord() {
        switch below(4) {
        case 0: emit("null")
        case 1: emitNumber()
        case 2: emitString()
        default:
            emit("[")
            emitValue(depth: 3)
            emit("]")
        }
    }

    // MARK: Records

    /// - Parameter isProper: Whether it must have a title and an author, like the first record of a catalog in an
    ///   object.
    private mutating func emitRecord(isProper: Bool, depth: Int) {
        var fields: [String] = []
        for _ in 0..<below(8) {
            fields.append(["title", "authors", "isbn", "pageCount", "fiction"].randomElement(using: &random) ?? "")
        }
        for _ in 0..<below(4) {
            let other = ["Shelf mark", "isbnx ", "", "titl", "more", "\u{0}", "羅"].randomElement(using: &random) ?? ""
            fields.insert(other, at: below(fields.count + 1))
        }
        if isProper { fields += ["title", "authors"] }
        emit("{")
        var hasMember = false
        var hasTranscribedMember = false
        for (index, field) in fields.enumerated() {
            let isLast = !fields[(index + 1)...].contains(field)
            let wasTranscribed = isTranscribed
            if hasMember { emit(raw: ",", transcribed: isLast && hasTranscribedMember ? "," : "") }
            if !isLast { isTranscribed = false }
            emitKey(field, depth: depth + 1)
            let mustBeProper = isProper && isLast && ["title", "authors"].contains(field)
            if mustBeProper { emitProperText() } else { emitField(field, depth: depth + 1) }
            isTranscribed = wasTranscribed
            hasMember = true
            hasTranscribedMember = hasTranscribedMember || isLast
        }
        emitBlank(depth: depth)
        emit("}")
    }

    private mutating func emitProperText() {
        emit("\"A")
        emitCharacters()
        emit("\"")
    }

    private mutating func emitField(_ field: String, depth: Int) {
        switch field {
        case "title": emitText(nesting: 2)
        case "isbn": chance(1, in: 4) ? emitText(nesting: 2) : emitISBN()
        case "authors": emitNames(nesting: 2)
        case "pageCount": emitPageCount()
        case "fiction": emit(["true", "false", "null", "1", "\"yes\"", "[]", "{}"].randomElement(using: &random) ?? "")
        default: emitValue(depth: 4)
        }
    }

    /// Emits a value that is read as text.
    private mutating func emitText(nesting: Int) {
        switch below(chance(1, in: 3) && nesting > 0 ? 8 : 4) {
        case 0...2: emitString()
        case 3: chance(1, in: 4) ? emitTextNumber() : emitString()
        case 4: emit(["null", "true", "\"\"", "\" \\n \"", "[]", "{}"].randomElement(using: &random) ?? "")
        case 5, 6:
            emit("[")
            for index in 0..<below(4) {
                if index > 0 { emit(",") }
                emitBlank(depth: 3)
                emitText(nesting: nesting - 1)
            }
            emit("]")
        // Of texts in several languages, Foundation does not know the first one.
        default:
            emit("{\"en\":")
            emitText(nesting: nesting - 1)
            emit("}")
        }
    }

    /// Emits a number that is read with its original spelling.
    private mutating func emitTextNumber() {
        let number =
            ["7", "-0", "1984", "1.50", "1e400", "9780441478125", "9223372036854775808", "441478123"]
            .randomElement(using: &random) ?? ""
        emit(raw: number, transcribed: "\"\(number)\"")
    }

    private mutating func emitISBN() {
        let isbn =
            [
                "9780441478125", "978-0-441-47812-5", "0441478123", "080442957X", "n/a", "9780441478120",
                "urn:isbn:9780441478125", "441478123", "９７８０４４１４７８１２５", "\\u0039780441478125", "  ",
                "9780441478125 0441478123", "0441478124 080442957X", "urn:uuid:9780441478125",
            ].randomElement(using: &random) ?? ""
        emit("\"\(isbn)\"")
    }

    private mutating func emitNames(nesting: Int) {
        switch below(nesting > 0 ? 8 : 3) {
        case 0, 1: emitString()
        case 2:
            emit(["null", "7", "true", "\"\"", "\" \"", "[]", "{}", "\"\u{AD}\""].randomElement(using: &random) ?? "")
        case 3: emitPerson()
        default:
            emit("[")
            for index in 0..<below(4) {
                if index > 0 { emit(",") }
                emitBlank(depth: 3)
                chance(1, in: 5) ? emitNames(nesting: nesting - 1) : emitString()
            }
            emit("]")
        }
    }

    private mutating func emitPerson() {
        emit("{")
        let keys = [["name"], ["literal"], ["given", "family"], ["family"], ["role"]]
        for (index, key) in keys[below(keys.count)].enumerated() {
            if index > 0 { emit(",") }
            emitKey(key, depth: 3)
            emitText(nesting: 1)
        }
        emit("}")
    }

    private mutating func emitPageCount() {
        switch below(4) {
        case 0: emit(["304", "304.0", "3.04e2", "0", "-3", "3.7", "9223372036854775807"][below(7)])
        case 1: emit(["\"304\"", "\" 304\\n\"", "\"many\"", "\"\"", "null", "[304]", "{}", "true"][below(8)])
        case 2: emit("\(below(2000))")
        default:
            let number = ["1e400", "-1e400", "9223372036854775808", "123456789012345678901234567890"][below(4)]
            emit(raw: number, transcribed: "\"many\"")
        }
    }

    // MARK: Values

    private mutating func emitValue(depth: Int) {
        switch below(depth > 0 ? 8 : 4) {
        case 0, 1: emitString()
        case 2: emitNumber()
        case 3: emit(["true", "false", "null"].randomElement(using: &random) ?? "")
        case 4, 5:
            emit("[")
            for index in 0..<below(4) {
                if index > 0 { emit(",") }
                emitBlank(depth: depth)
                emitValue(depth: depth - 1)
            }
            emitBlank(depth: depth)
            emit("]")
        default:
            emit("{")
            for index in 0..<below(4) {
                if index > 0 { emit(",") }
                emitKey(["title", "authors", "\\", "]", "}", "a"][below(6)] + "\(index)", depth: depth)
                emitValue(depth: depth - 1)
            }
            emit("}")
        }
    }

    private mutating func emitNumber() {
        let numbers = ["0", "-0", "1", "-12", "1.5", "0.0", "1e5", "1E+5", "-1.25e-7", "123456"]
        emit(numbers[below(numbers.count)])
    }

    private mutating func emitKey(_ key: String, depth: Int) {
        emitBlank(depth: depth)
        emit("\"")
        for scalar in key.unicodeScalars {
            if scalar.value < 0x20 || "\"\\".unicodeScalars.contains(scalar) || chance(1, in: 30) {
                emitEscaped(scalar)
            } else {
                emit(String(scalar))
            }
        }
        emit("\"")
        if chance(1, in: 4) { emitBlank(depth: 0) }
        emit(":")
        emitBlank(depth: nil)
    }

    private mutating func emitString() {
        emit("\"")
        emitCharacters()
        emit("\"")
    }

    private mutating func emitCharacters() {
        let isASCII = chance(1, in: 2)
        for _ in 0..<(chance(1, in: 50) ? below(600) : below(24)) {
            switch below(isASCII ? 40 : 60) {
            case 0...35: emit(String(UnicodeScalar(UInt8(ascii: "A") + UInt8(below(58)))), escaping: 0x5C)
            case 36: emit(["  ", " ", "{", "}", "[", "]", ",", ":", "'", "\u{7F}"][below(10)])
            case 37: emit(["\\n", "\\t", "\\\"", "\\\\", "\\/", "\\b", "\\r", "\\f"][below(8)])
            case 38: emitEscaped(UnicodeScalar(UInt8(below(0x80))))
            case 39: chance(1, in: 8) ? emitWrong() : emit(" ")
            case 40...54: emit(String(someScalar()), escaping: 0x5C)
            default: emitEscaped(someScalar())
            }
        }
    }

    /// Emits an invalid character: half of a surrogate pair, or a byte that is not UTF-8.
    private mutating func emitWrong() {
        // A letter follows, because two adjacent errors may count as one.
        switch below(3) {
        case 0: emit(raw: "\\uD8\(10 + below(80))x", transcribed: "\u{FFFD}x")
        case 1: emit(raw: "\\udc0\(below(10))x", transcribed: "\u{FFFD}x")
        default: emit(raw: [[0xFF, 0xE9, 0x80, 0xC0][below(4)], UInt8(ascii: "x")], transcribed: "\u{FFFD}x")
        }
    }

    private mutating func emitEscaped(_ scalar: Unicode.Scalar) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: chance(1, in: 2))
            emit("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
    }

    /// Returns a character outside ASCII.
    private mutating func someScalar() -> Unicode.Scalar {
        let ranges: [ClosedRange<UInt32>] = [
            0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x2000...0x206F, 0x3000...0x30FF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3, 0xE000...0xFFFF, 0x1_0000...0x1_FFFF, 0x2_0000...0x10_FFFF,
        ]
        let value = UInt32.random(in: ranges.randomElement(using: &random) ?? 0x80...0xFF, using: &random)
        // Foundation drops a byte-order mark that begins a string or follows an escape.
        return value == 0xFEFF ? "é" : Unicode.Scalar(value) ?? "é"
    }

    // MARK: Output

    private mutating func emitBlank(depth: Int?) {
        switch whitespace {
        case .none: return
        case .blank: emit(" ")
        case .pretty:
            // After a colon there is only one blank.
            guard let depth else { return emit(" ") }
            emit("\n" + String(repeating: "  ", count: depth))
        case .any:
            let choices = layout == .lines ? ["", " ", "\t", "  "] : ["", " ", "\t", "\n", "\r\n", "  \n\n  "]
            emit(choices.randomElement(using: &random) ?? "")
        }
    }

    private mutating func emit(_ text: String) {
        self.text += Array(text.utf8)
        if isTranscribed { transcript += Array(text.utf8) }
    }

    /// Emits text with a backslash before each `byte`.
    private mutating func emit(_ text: String, escaping byte: UInt8) {
        emit(text.utf8.elementsEqual([byte]) ? "\\\\" : text)
    }

    private mutating func emit(raw: String, transcribed: String) {
        emit(raw: Array(raw.utf8), transcribed: transcribed)
    }

    private mutating func emit(raw: [UInt8], transcribed: String) {
        text += raw
        if isTranscribed { transcript += Array(transcribed.utf8) }
    }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }

    private mutating func chance(_ part: Int, in whole: Int) -> Bool { below(whole) < part }
}
