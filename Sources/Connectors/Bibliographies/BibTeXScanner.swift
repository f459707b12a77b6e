internal import ConnectorProtocol

/// Splits BibTeX into entries, such as "@book{...}" and "@string(...)". It needs memory for one entry.
///
/// Text between the entries is ignored, and so is what follows "%" there, but not within an entry.
final class BibTeXScanner {
    /// An entry without its delimiters.
    struct Item {
        /// The type in lower case, such as "book".
        var type: String
        /// The text between the delimiters; empty for comments, and if it is too long.
        var content: [UInt8]
        var isTooLarge: Bool
        var end: End
        /// The line of its "@", counted from 1.
        var line: Int
    }

    /// How an entry ends.
    enum End {
        /// At its closing delimiter.
        case closed
        /// At the beginning of the next entry, or with a quotation mark that is not closed.
        case unclosed
        /// With the text.
        case cut
    }

    private enum State {
        /// Between entries, after "%", or after "@" with the letters of a type.
        case outside, remark, type
        case inside
    }

    private let source: any ByteSource
    private let limit: Int
    private var part: [UInt8] = []
    private var index = 0
    private var state = State.outside
    private var type: [UInt8] = []
    private var hasBlankAfterType = false
    /// Whether the "@" before the type begins a word, unlike that of an address of mail.
    private var isWord = false
    private var content: [UInt8] = []
    private var isTooLarge = false
    /// Whether the entry is in parentheses.
    private var isRound = false
    /// The number of open braces, with that of the entry.
    private var depth = 0
    private var isQuoted = false
    private var isLineStart = false
    /// The place in the content where the next entry may begin, and the letters of its type.
    private var nextStart: Int?
    private var nextType: [UInt8] = []
    /// The line of the entry, and the line at a place in the part up to which line ends are counted.
    private var entryLine = 1
    private var line = (number: 1, place: 0)

    /// The maximum length of a type.
    private static let typeLength = 32

    /// Creates a scanner of UTF-8 text, which leaves out entries longer than `limit` bytes.
    init(_ source: any ByteSource, limit: Int) {
        (self.source, self.limit) = (source, limit)
    }

    /// Returns the next entry; nil at the end of the text.
    func next() throws(ConnectorFailure) -> Item? {
        while true {
            if index == part.count {
                countLines(to: index)
                line.place = 0
                part = try source.read(upTo: 1 << 16)
                index = 0
                if part.isEmpty {
                    // The text may be cut off in the type.
                    let isCut = state == .inside || state == .type && isWord && !hasBlankAfterType
                    return isCut ? ended(.cut) : nil
                }
            }
            switch state {
            case .outside: skip()
            case .remark:
                index = part[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? part.count
                if index < part.count { state = .outside }
            case .type: readType()
            case .inside: if let item = read() { return item }
            }
        }
    }

    private func skip() {
        guard let found = part[index...].firstIndex(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") })
        else {
            index = part.count
            return
        }
        index = found + 1
        countLines(to: found)
        entryLine = line.number
        state = part[found] == UInt8(ascii: "@") ? .type : .remark
        type = []
        (isWord, hasBlankAfterType) = (found == 0 || part[found - 1] <= 0x20, false)
    }

    private func readType() {
        let byte = part[index]
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "("), !type.isEmpty {
            index += 1
            begin(type, isRound: byte == UInt8(ascii: "("))
        } else if byte <= 0x20 {
            hasBlankAfterType = !type.isEmpty
            index += 1
        } else if !hasBlankAfterType, Self.isOfType(byte), type.count < Self.typeLength {
            type.append(byte)
            index += 1
        } else {
            // An address of mail, for example.
            state = .outside
        }
    }

    private static func isOfType(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    private func begin(_ type: [UInt8], isRound: Bool) {
        self.type = type
        self.isRound = isRound
        (state, depth, isQuoted, isLineStart, isTooLarge) = (.inside, isRound ? 0 : 1, false, false, false)
        content = []
        nextStart = nil
    }

    private var typeName: String { String(decoding: type, as: UTF8.self).lowercased() }

    /// Ends the entry with the content so far.
    private func ended(_ end: End) -> Item {
        state = .outside
        defer { content = [] }
        return Item(type: typeName, content: content, isTooLarge: isTooLarge, end: end, line: entryLine)
    }

    /// Counts the lines up to a place in the part.
    private func countLines(to place: Int) {
        guard place > line.place else { return }
        line = (line.number + part[line.place..<place].count { $0 == 0x0A }, place)
    }

    /// Reads on in the entry; returns it if it ends in this part.
    private func read() -> Item? {
        // Commented entries begin at the start of a line, too.
        let isComment = typeName == "comment"
        let (start, base, isRound) = (index, isRound ? 0 : 1, isRound)
        // Local copies: access to the properties would take most of the time.
        var (place, depth, isQuoted, isLineStart) = (index, depth, isQuoted, isLineStart)
        var found: (end: End, next: Int?)?
        part.withUnsafeBufferPointer { part in
            while found == nil, place < part.count {
                let byte = part[place]
                if nextStart != nil, let next = nextEntry(byte) { found = (.unclosed, next) }
                switch byte {
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"):
                    if depth == base, !isRound { found = (isQuoted && !isComment ? .unclosed : .closed, nil) }
                    depth = max(base, depth - 1)
                case UInt8(ascii: "\"") where depth == base: isQuoted.toggle()
                case UInt8(ascii: ")") where isRound && depth == 0 && (!isQuoted || isComment): found = (.closed, nil)
                case UInt8(ascii: "@") where isLineStart && !isComment:
                    nextStart = content.count + place - start
                    nextType = []
                default: break
                }
                if byte > 0x20 { isLineStart = false } else if byte == 0x0A || byte == 0x0D { isLineStart = true }
                place += 1
            }
        }
        (index, self.depth, self.isQuoted, self.isLineStart) = (place, depth, isQuoted, isLineStart)
        keep(part[start..<(found == nil ? place : place - 1)], isComment)
        guard let found else { return nil }
        guard let next = found.next else { return ended(found.end) }
        // The entry ends where the next one begins.
        content.removeLast(max(0, content.count - next))
        let item = ended(.unclosed)
        countLines(to: index)
        entryLine = line.number
        begin(nextType, isRound: false)
        return item
    }

    /// Reads on in the type of what may be the next entry; returns the place where that begins, at its brace.
    private func nextEntry(_ byte: UInt8) -> Int? {
        if byte == UInt8(ascii: "{"), nextType.count >= 3 { return nextStart }
        if (0x41...0x5A).contains(byte & 0xDF), nextType.count < Self.typeLength {
            nextType.append(byte)
        } else if byte > 0x20 {
            nextStart = nil
        }
        return nil
    }

    private func keep(_ bytes: ArraySlice<UInt8>, _ isComment: Bool) {
        if isComment || isTooLarge { return }
        isTooLarge = content.count + bytes.count > limit
        if isTooLarge { content = [] } else { content += bytes }
    }
}
