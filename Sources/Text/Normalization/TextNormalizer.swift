internal import CText

/// Folding of text for comparison: without case, marks, width and compatibility forms, and with single blanks between
/// words. "Straße" is folded to "strasse", "Brontë" to "bronte".
extension ByteBuffer {
    /// Appends what `text`, in UTF-8, is folded to; `paddingCount` bytes behind it may be read. Linear.
    ///
    /// - Returns: Whether `text` is valid UTF-8; nothing is appended where it is not.
    @discardableResult
    package mutating func append(folding text: UnsafeBufferPointer<UInt8>, paddingCount: Int = 0) -> Bool {
        let start = count
        var folder = Folder()
        reserve(text.count + Int(FOLD_SLACK))
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                // Most texts are in ASCII, with one blank between words.
                let rest = UnsafeBufferPointer(rebasing: text[index...])
                let length = folder.addRun(of: rest, paddingCount: paddingCount, to: &self)
                if length == 0 { folder.addASCII(byte, to: &self) }
                index += max(1, length)
                continue
            }
            guard let (scalar, length) = Self.scalar(at: index, of: text) else {
                count = start
                return false
            }
            // What this character becomes may be longer than it is.
            folder.add(scalar, to: &self)
            index += length
            reserve(1 + text.count - index + Int(FOLD_SLACK))
        }
        return true
    }

    /// Appends what `text` is folded to. Linear.
    package mutating func append(folding text: String) {
        var text = text
        _ = text.withUTF8 { append(folding: $0) }
    }

    /// Appends what `text`, in valid UTF-8, is folded to, and to `origins` where in it the character begins that each byte
    /// comes from; for a blank that is the first of those that it stands for. Linear.
    package mutating func append(folding text: UnsafeBufferPointer<UInt8>, origins: inout [Int]) {
        var folder = Folder()
        var index = 0
        var blank = 0
        while index < text.count {
            let start = count
            let wasPending = folder.isBlankPending
            var length = 1
            if text[index] < 0x80 {
                reserve(2)
                folder.addASCII(text[index], to: &self)
            } else if let (scalar, scalarLength) = Self.scalar(at: index, of: text) {
                folder.add(scalar, to: &self)
                length = scalarLength
            }
            if count > start {
                origins.append(wasPending ? blank : index)
                for _ in start + 1..<count { origins.append(index) }
            }
            if folder.isBlankPending && (!wasPending || count > start) { blank = index }
            index += length
        }
    }

    /// The character of several bytes at `index`, and how many they are; nil where they are not UTF-8 (RFC 3629).
    @inline(__always)
    static func scalar(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> (scalar: UInt32, length: Int)? {
        let first = UInt32(text[index])
        func continuation(_ distance: Int) -> UInt32? {
            guard index + distance < text.count, text[index + distance] & 0xC0 == 0x80 else { return nil }
            return UInt32(text[index + distance] & 0x3F)
        }
        guard let second = continuation(1) else { return nil }
        if (0xC2...0xDF).contains(first) { return ((first & 0x1F) << 6 | second, 2) }
        guard let third = continuation(2) else { return nil }
        if (0xE0...0xEF).contains(first) {
            let scalar = (first & 0x0F) << 12 | second << 6 | third
            return scalar >= 0x800 && !(0xD800...0xDFFF).contains(scalar) ? (scalar, 3) : nil
        }
        guard (0xF0...0xF4).contains(first), let fourth = continuation(3) else { return nil }
        let scalar = (first & 0x07) << 18 | second << 12 | third << 6 | fourth
        return (0x1_0000...0x10_FFFF).contains(scalar) ? (scalar, 4) : nil
    }
}

/// What has to be known of the characters before.
private struct Folder {
    private var isFirst = true
    private(set) var isBlankPending = false

    /// Adds a character in ASCII, for which the buffer has room, with a blank before it.
    @inline(__always)
    mutating func addASCII(_ byte: UInt8, to buffer: inout ByteBuffer) {
        // Controls are no text, and some stand for something else behind it: see `IndexedTextField`.
        if byte <= 0x20 {
            isBlankPending = !isFirst
            return
        }
        addBlankIfPending(to: &buffer)
        buffer.appendWithinCapacity(byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }

    /// Adds the beginning of `text`, which is not empty, that needs no more than lower case; the buffer has room for it.
    ///
    /// - Returns: How many bytes that were.
    @inline(__always)
    mutating func addRun(
        of text: UnsafeBufferPointer<UInt8>, paddingCount: Int, to buffer: inout ByteBuffer
    ) -> Int {
        guard let start = text.baseAddress, text[0] > 0x20 else { return 0 }
        addBlankIfPending(to: &buffer)
        let length = fold_plain_ascii(start, text.count, text.count + paddingCount, buffer.end)
        buffer.count += length
        // A blank at the end of the run stands only where something follows it.
        if length > 0, buffer.bytes[buffer.count - 1] == 0x20 {
            buffer.count -= 1
            isBlankPending = true
        }
        return length
    }

    /// Adds what a character outside ASCII is folded to.
    mutating func add(_ scalar: UInt32, to buffer: inout ByteBuffer) {
        if (0xAC00...0xD7A3).contains(scalar) {
            // A syllable is its initial, its vowel and its final, if any (The Unicode Standard, 3.12).
            let syllable = scalar - 0xAC00
            addFolded(0x1100 + syllable / 588, to: &buffer)
            addFolded(0x1161 + syllable % 588 / 28, to: &buffer)
            if !syllable.isMultiple(of: 28) { addFolded(0x11A7 + syllable % 28, to: &buffer) }
            return
        }
        // Variation selectors and tags.
        if scalar >> 12 == 0xE0 { return }
        var count: UInt32 = 0
        guard let folded = fold_table_lookup(scalar, &count) else {
            addFolded(scalar, to: &buffer)
            return
        }
        for index in 0..<Int(count) { addFolded(folded[index], to: &buffer) }
    }

    @inline(__always)
    private mutating func addFolded(_ scalar: UInt32, to buffer: inout ByteBuffer) {
        if Self.isWhitespace(scalar) {
            isBlankPending = !isFirst
            return
        }
        // A blank and four bytes, and the blank that may follow.
        buffer.reserve(6)
        addBlankIfPending(to: &buffer)
        switch scalar {
        case ..<0x80: buffer.appendWithinCapacity(UInt8(scalar))
        case ..<0x800:
            buffer.appendWithinCapacity(UInt8(0xC0 | scalar >> 6))
            buffer.appendWithinCapacity(UInt8(0x80 | scalar & 0x3F))
        case ..<0x1_0000:
            buffer.appendWithinCapacity(UInt8(0xE0 | scalar >> 12))
            buffer.appendWithinCapacity(UInt8(0x80 | scalar >> 6 & 0x3F))
            buffer.appendWithinCapacity(UInt8(0x80 | scalar & 0x3F))
        default:
            buffer.appendWithinCapacity(UInt8(0xF0 | scalar >> 18))
            buffer.appendWithinCapacity(UInt8(0x80 | scalar >> 12 & 0x3F))
            buffer.appendWithinCapacity(UInt8(0x80 | scalar >> 6 & 0x3F))
            buffer.appendWithinCapacity(UInt8(0x80 | scalar & 0x3F))
        }
    }

    @inline(__always)
    private mutating func addBlankIfPending(to buffer: inout ByteBuffer) {
        if isBlankPending { buffer.appendWithinCapacity(0x20) }
        (isFirst, isBlankPending) = (false, false)
    }

    /// The property White_Space (PropList.txt): asking the scalar itself takes twenty times as long.
    @inline(__always)
    private static func isWhitespace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}

extension String {
    /// This for comparison: without case, marks, width and compatibility forms, and with single blanks between words.
    public var folded: String { String(decoding: [UInt8](folding: self), as: UTF8.self) }
}

extension [UInt8] {
    /// What `text` is folded to.
    package init(folding text: String) {
        var buffer = ByteBuffer(capacity: 64)
        buffer.append(folding: text)
        self.init(buffer.bytes)
    }
}
