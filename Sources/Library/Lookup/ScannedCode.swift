public import Books
internal import Text

/// A code as a scanner or a person types it.
public enum ScannedCode: Hashable, Sendable {
    /// A valid ISBN of thirteen digits.
    case isbn(ISBN)
    /// What is no ISBN, or has a wrong digit.
    case damaged(String)

    /// Reads a line: an ISBN of ten or thirteen digits, with blanks and hyphens wherever they are, and a bar code with its
    /// add-on of two or five digits; fails for a blank line.
    public init?(_ line: String) {
        var text = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if text.isEmpty { return nil }
        // Some scanners send an identifier of the kind of code first: ISO/IEC 15424.
        if text.hasPrefix("]"), text.count > 3 { text.removeFirst(3) }
        let digits = text.filter { !$0.isWhitespace && !"-‐‑‒–—".contains($0) }
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "x" || $0 == "X") }) else {
            self = .damaged(text)
            return
        }
        let isWithAddOn = [15, 18].contains(digits.count) && (digits.hasPrefix("978") || digits.hasPrefix("979"))
        let code = isWithAddOn ? String(digits.prefix(13)) : digits
        // Fewer digits are those of a code that was read in part.
        let whole = [10, 13].contains(code.count) ? ISBN(code).digits(length: 13) : nil
        self = whole.map { .isbn(ISBN($0)) } ?? .damaged(text)
    }
}
