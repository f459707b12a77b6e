internal import CText

/// Normalization of text for comparison: case folding, compatibility decomposition without combining marks and width
/// differences, and single blanks between words. "Straße" becomes "strasse" and "Brontë" "bronte".
extension ByteBuffer {
    /// Appends the normalized form of `text`, which is in UTF-8; `paddingCount` bytes after it must be readable.
    /// Linear.
    ///
    /// - Returns: Whether `text` is valid UTF-8; if not, nothing is appended.
    @discardableResult
    public mutating func append(folding text: UnsafeBufferPointer<UInt8>, paddingCount: Int = 0) -> Bool {
        let start = count
        var folder = Folder()
        reserve(text.count + Int(FOLD_SLACK))
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                // Most texts are ASCII with single blanks between words.
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
            // The normalized form of a scalar may be longer than the scalar.
            folder.add(scalar, to: &self)
            index += length
            reserve(1 + text.count - index + Int(FOLD_SLACK))
        }
        return true
    }

    /// Appends the normalized form of `text`. Linear.
    public mutating func append(folding text: String) {
        var text = text
        _ = text.withUTF8 { append(folding: $0) }
    }

    /// Appends the normalized form of `text`, which must be valid UTF-8, and to `origins` for each byte the offset of
    /// the character that it comes from; for a blank, that of the first of the blanks that it replaces. Linear.
    public mutating func append(folding text: UnsafeBufferPointer<UInt8>, origins: inout [Int]) {
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

    /// Returns the multi-byte scalar at `index` and its length in bytes, or nil if the bytes are invalid UTF-8 (RFC
    /// 3629).
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

/// The state of normalization between characters.
private struct Folder {
    private var isFirst = true
    private(set) var isBlankPending = false

    /// Adds an ASCII character, after a pending blank; the buffer must have capacity for both.
    @inline(__always)
    mutating func addASCII(_ byte: UInt8, to buffer: inout ByteBuffer) {
        // Control characters are not text, and some of them separate values in the buffer; see `IndexedTextField`.
        if byte <= 0x20 {
            isBlankPending = !isFirst
            return
        }
        addBlankIfPending(to: &buffer)
        buffer.appendWithinCapacity(byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }

    /// Adds the longest prefix of `text` that only needs lower-casing; `text` must not be empty, and the buffer must
    /// have capacity for it.
    ///
    /// - Returns: The length of the prefix in bytes.
    @inline(__always)
    mutating func addRun(
        of text: UnsafeBufferPointer<UInt8>, paddingCount: Int, to buffer: inout ByteBuffer
    ) -> Int {
        guard let start = text.baseAddress, text[0] > 0x20 else { return 0 }
        addBlankIfPending(to: &buffer)
        let length = fold_plain_ascii(start, text.count, text.count + paddingCount, buffer.end)
        buffer.count += length
        // A blank at the end of the prefix is kept only if text follows.
        if length > 0, buffer.bytes[buffer.count - 1] == 0x20 {
            buffer.count -= 1
            isBlankPending = true
        }
        return length
    }

    /// Adds the normalized form of a character outside ASCII.
    mutating func add(_ scalar: UInt32, to buffer: inout ByteBuffer) {
        if (0xAC00...0xD7A3).contains(scalar) {
            // A Hangul syllable consists of a leading consonant, a vowel and an optional trailing consonant (The
            // Unicode Standard, 3.12).
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
        // A blank, at most four bytes, and a following blank.
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

    /// Returns the property White_Space (PropList.txt); reading it from `Unicode.Scalar.Properties` takes twenty times
    /// as long.
    @inline(__always)
    private static func isWhitespace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}

extension String {
    /// This text normalized for comparison: without case, combining marks, width and compatibility differences, and
    /// with single blanks between words.
    public var folded: String { String(decoding: [UInt8](folding: self), as: UTF8.self) }
}

extension [UInt8] {
    /// Creates the normalized form of `text`.
    public init(folding text: String) {
        var buffer = ByteBuffer(capacity: 64)
        buffer.append(folding: text)
        self.init(buffer.bytes)
    }
}
