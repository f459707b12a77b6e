/// The lines of output: white space collapsed, without control characters and blank lines.
struct PlainTextLines {
    /// The prefix of the next line, written if the line has text.
    var prefix = ""
    private var bytes: [UInt8] = []
    private var isLineEmpty = true
    private var isBlankPending = false
    /// The number of nested open emphasis tags.
    private var emphasisCount = 0
    /// Whether an opening asterisk has been written.
    private var isEmphasisMarked = false

    /// The lines, separated by line feeds.
    var text: String {
        String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    /// Appends a byte of UTF-8.
    mutating func append(_ byte: UInt8) {
        if byte <= 0x20 {
            if byte == 0x20 || (0x09...0x0D).contains(byte) { appendBlank() }
            return
        }
        if isLineEmpty {
            bytes.append(contentsOf: prefix.utf8)
            prefix = ""
        } else if isBlankPending {
            bytes.append(0x20)
        }
        (isLineEmpty, isBlankPending) = (false, false)
        if emphasisCount > 0, !isEmphasisMarked {
            bytes.append(UInt8(ascii: "*"))
            isEmphasisMarked = true
        }
        bytes.append(byte)
    }

    /// Begins an emphasis: the text that follows gets asterisks around it, as is usual in plain text.
    mutating func beginEmphasis() { emphasisCount += 1 }

    /// Ends the innermost open emphasis.
    mutating func endEmphasis() {
        emphasisCount = max(0, emphasisCount - 1)
        if emphasisCount == 0 { endMark() }
    }

    private mutating func endMark() {
        if isEmphasisMarked { bytes.append(UInt8(ascii: "*")) }
        isEmphasisMarked = false
    }

    /// Appends a blank if text follows.
    mutating func appendBlank() {
        isBlankPending = true
    }

    /// Ends the line if it has text.
    mutating func end() {
        // An emphasis that continues on the next line gets new asterisks there.
        endMark()
        if !isLineEmpty { bytes.append(0x0A) }
        (isLineEmpty, isBlankPending) = (true, false)
    }
}
