internal import Text

extension Substring {
    /// This text without blanks at its ends. Reading characters would take ten times as long.
    var trimmingBlanks: String {
        let start = utf8.firstIndex { $0 > 0x20 } ?? utf8.endIndex
        let end = utf8.lastIndex { $0 > 0x20 }.map { utf8.index(after: $0) } ?? start
        return String(self[start..<end])
    }
}

extension ArraySlice<UInt8> {
    /// This text without blanks at its ends.
    var trimmingBlanks: ArraySlice<UInt8> {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start] <= 0x20 { start += 1 }
        while start < end, self[end - 1] <= 0x20 { end -= 1 }
        return self[start..<end]
    }
}

extension String {
    /// This text without blanks at its ends.
    var trimmingBlanks: String { self[...].trimmingBlanks }

    /// The words between blanks.
    var words: [String] { utf8.split { $0 <= 0x20 }.map { String(Substring($0)) } }

    /// Whether this text has a single number.
    var isCount: Bool {
        let digits = utf8.drop { !$0.isASCIIDigit }
        return !digits.isEmpty && !digits.drop(while: \.isASCIIDigit).contains(where: \.isASCIIDigit)
    }

    /// Returns the parts between separators, each one byte, without blanks at their ends.
    func parts(between separators: UInt8...) -> [String] {
        utf8.split(omittingEmptySubsequences: false) { separators.contains($0) }.map { Substring($0).trimmingBlanks }
    }

    /// The title and subtitle of this text, which the first colon before a blank separates, or else a question mark.
    var titleAndSubtitle: (title: String, subtitle: String?) {
        for mark in [UInt8(ascii: ":"), UInt8(ascii: "?")] {
            var start = utf8.startIndex
            while let found = utf8[start...].firstIndex(of: mark) {
                start = utf8.index(after: found)
                guard start < utf8.endIndex, utf8[start] == 0x20 else { continue }
                let end = mark == UInt8(ascii: "?") ? start : found
                return (self[..<end].trimmingBlanks, self[start...].trimmingBlanks)
            }
        }
        return (self, nil)
    }
}
