/// A regular expression whose literal characters are normalized like the text that it is matched against. Parts whose
/// case has a meaning, such as "\W" and "(?<Name>", are kept unchanged.
struct NormalizedRegex {
    /// The pattern for PCRE2 in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// For each of these bytes its byte offset in the pattern as typed.
    private var origins: [Int] = []
    private let scalars: [Unicode.Scalar]
    private var index = 0
    /// The offset of the scalar at `index` in bytes of the pattern.
    private var offset = 0

    /// Normalizes `pattern`, which need not be well-formed. Linear.
    init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
        while let scalar = peek() {
            switch scalar {
            case "\\": addEscape(isInClass: false)
            case "[": addClass()
            case "(": addOpening()
            default: addLiteral()
            }
        }
    }

    /// Returns the byte offset in the pattern as typed that the byte at `offset` comes from, or the length of that
    /// pattern for an offset past the end.
    func origin(of offset: Int) -> Int { origins.indices.contains(offset) ? origins[offset] : self.offset }

    // MARK: Escapes and groups

    /// Adds a backslash and the rest of the escape.
    private mutating func addEscape(isInClass: Bool) {
        switch peek(1) {
        case "Q": addQuotation(isInClass: isInClass)
        case "p", "P":
            copy(2)
            if peek() == "{" { copy(through: "}") } else { copy(1) }
        case "x", "o", "N":
            copy(2)
            if peek() == "{" { copy(through: "}") }
        case "g", "k":
            copy(2)
            switch peek() {
            case "{": copy(through: "}")
            case "<": copy(through: ">")
            case "'":
                copy(1)
                copy(through: "'")
            default: break
            }
        case "c": copy(3)
        case let next? where !next.isASCII:
            skip()
            if isInClass { addLiteralInClass() } else { addLiteral() }
        default: copy(2)
        }
    }

    /// Adds the text between "\Q" and "\E" without these delimiters, since its normalized form cannot always be written
    /// between them.
    private mutating func addQuotation(isInClass: Bool) {
        skip()
        skip()
        while let scalar = peek() {
            if scalar == "\\", peek(1) == "E" {
                skip()
                skip()
                return
            }
            if isInClass { addLiteralInClass(isQuoted: true) } else { addLiteral(isQuoted: true) }
        }
    }

    /// Adds a parenthesis and the characters that determine the kind of the group.
    private mutating func addOpening() {
        copy(1)
        if peek() == "*" {
            while let scalar = peek(), scalar != ":", scalar != ")" { copy(1) }
            return
        }
        guard peek() == "?" else { return }
        copy(1)
        switch peek() {
        case "#", "&", "C": copy(through: ")")
        case "<":
            if let next = peek(1), ["=", "!", "*"].contains(next) { copy(2) } else { copy(through: ">") }
        case "'":
            copy(1)
            copy(through: "'")
        case "P": copy(through: peek(1) == "<" ? ">" : ")")
        case "(":
            // A condition that is not a name is a group like any other.
            if peek(1) != "?" && peek(1) != "*" { copy(through: ")") }
        default:
            while let scalar = peek(), scalar.isASCIILetterOrDigit || ["^", "+", "-"].contains(scalar) { copy(1) }
            if let scalar = peek(), [":", ")", "=", "!", ">", "|", "*"].contains(scalar) { copy(1) }
        }
    }

    // MARK: Classes

    private mutating func addClass() {
        copy(1)
        if peek() == "^" { copy(1) }
        var isFirst = true
        while let scalar = peek() {
            switch scalar {
            case "]" where !isFirst:
                copy(1)
                return
            case "\\": addEscape(isInClass: true)
            case "[":
                if let count = lengthOfNamedClass { copy(count) } else { addLiteralInClass() }
            default:
                if peek(1) == "-", let last = peek(2), !["]", "[", "\\"].contains(last) {
                    addRange(from: scalar, through: last)
                } else {
                    addLiteralInClass()
                }
            }
            isFirst = false
        }
    }

    /// The length in characters of a named class such as "[:alpha:]" that begins here; nil if none does.
    private var lengthOfNamedClass: Int? {
        guard peek(1) == ":" else { return nil }
        var count = 2
        while let scalar = peek(count), scalar.isASCIILetterOrDigit || scalar == "^" { count += 1 }
        return peek(count) == ":" && peek(count + 1) == "]" ? count + 2 : nil
    }

    /// Adds a range both unchanged and normalized: "a-ÿ" contains "z", but its normalized form "a-y" does not.
    private mutating func addRange(from first: Unicode.Scalar, through last: Unicode.Scalar) {
        let (foldedFirst, foldedLast) = (first.folded, last.folded)
        if foldedFirst.count == 1, foldedLast.count == 1, foldedFirst[0] <= foldedLast[0],
            foldedFirst != [first] || foldedLast != [last]
        {
            add(foldedFirst[0], isQuoted: true)
            add("-")
            add(foldedLast[0], isQuoted: true)
        }
        copy(3)
    }

    private mutating func addLiteralInClass(isQuoted: Bool = false) {
        guard let scalar = peek() else { return }
        let folded = scalar.folded
        // Keep a character that normalization removes, since a class must not become empty.
        for part in folded.isEmpty ? [scalar] : folded { add(part, isQuoted: isQuoted || part != scalar) }
        skip()
    }

    // MARK: Literals

    private mutating func addLiteral(isQuoted: Bool = false) {
        guard let scalar = peek() else { return }
        let folded = scalar.folded
        // A quantifier after it applies to all of them.
        if folded.count > 1 { for part in "(?:".unicodeScalars { add(part) } }
        for part in folded { add(part, isQuoted: isQuoted || part != scalar) }
        if folded.count > 1 { add(")") }
        skip()
    }

    /// Adds a scalar, escaped if it would have a special meaning.
    private mutating func add(_ scalar: Unicode.Scalar, isQuoted: Bool = false) {
        if isQuoted, scalar.isASCII, !scalar.isASCIILetterOrDigit { add("\\") }
        for byte in String(scalar).utf8 {
            bytes.append(byte)
            origins.append(offset)
        }
    }

    // MARK: Reading

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    private mutating func skip() {
        guard let scalar = peek() else { return }
        offset += UTF8.width(scalar)
        index += 1
    }

    private mutating func copy(_ count: Int) {
        for _ in 0..<count {
            guard let scalar = peek() else { return }
            add(scalar)
            skip()
        }
    }

    private mutating func copy(through end: Unicode.Scalar) {
        while let scalar = peek() {
            copy(1)
            if scalar == end { return }
        }
    }
}

extension Unicode.Scalar {
    /// The normalized form of the scalar inside a word.
    fileprivate var folded: [Unicode.Scalar] {
        if isASCII { return ("A"..."Z").contains(self) ? [Unicode.Scalar(UInt8(value) | 0x20)] : [self] }
        var buffer = ByteBuffer(capacity: 64)
        // Normalize it between letters, since blanks at the ends would be removed.
        buffer.append(folding: "x\(self)x")
        return Array(String(decoding: buffer.bytes, as: UTF8.self).unicodeScalars.dropFirst().dropLast())
    }

    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }
}
