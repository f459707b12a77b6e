/// The name of a series without the volume number that many catalogs append: "Discworld #8", "Discworld, 8",
/// "Discworld, vol. 8" and "Discworld (8)" are one series.
public enum SeriesName {
    /// Returns the length in bytes of the name in a normalized series.
    public static func length(of folded: UnsafeBufferPointer<UInt8>) -> Int {
        guard let last = folded.last, last.isASCIIDigit || last == UInt8(ascii: ")") else { return folded.count }
        // A longer suffix is not a volume number. Try the longest one first, such as ", #8".
        for start in max(1, folded.count - maximumPositionLength)..<max(1, folded.count - 2) {
            if isSeparator(folded[start], folded[start + 1]), isPosition(folded[start...]) { return start }
        }
        return folded.count
    }

    /// Returns the name of a series in its original spelling.
    public static func name(of series: String) -> String {
        let folded = [UInt8](folding: series)
        let count = folded.withUnsafeBufferPointer(length)
        return count == folded.count ? series : beginning(of: series, foldedTo: Array(folded.prefix(count))) ?? series
    }

    /// Returns the prefix of `series` with the normalized form `name`, without trailing blanks; nil if there is none.
    public static func beginning(of series: String, foldedTo name: [UInt8]) -> String? {
        // Find the longest prefix whose normalized form is not longer than the name.
        func prefix(_ count: Int) -> Substring { series[..<series.utf8.index(series.startIndex, offsetBy: count)] }
        var (low, high) = (0, series.utf8.count)
        while low < high {
            let middle = (low + high + 1) / 2
            if [UInt8](folding: String(prefix(middle))).count <= name.count {
                low = middle
            } else {
                high = middle - 1
            }
        }
        var rest = prefix(low)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        let beginning = String(rest)
        return [UInt8](folding: beginning) == name ? beginning : nil
    }

    /// Returns the volume number after the name of a normalized series, such as 8 in ", vol. 8"; nil without a number.
    public static func position(in folded: UnsafeBufferPointer<UInt8>, behind length: Int) -> Double? {
        let rest = folded[min(length, folded.count)...]
        guard let first = rest.firstIndex(where: \.isASCIIDigit) else { return nil }
        let number = rest[first...].prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        return Double(String(decoding: number, as: UTF8.self))
    }

    private static let maximumPositionLength = 32

    private static let words: [StaticString] = [
        "book", "bk", "bk.", "volume", "vol", "vol.", "v.", "number", "no", "no.", "nr", "nr.", "part", "pt", "pt.",
        "issue", "band", "bd", "bd.", "teil", "tome", "tom", "t.", "livre", "libro", "deel",
    ]

    /// Returns whether these bytes are a separator at which a search for a whole series lets the name end.
    private static func isSeparator(_ first: UInt8, _ second: UInt8) -> Bool {
        switch (first, second) {
        case (UInt8(ascii: " "), UInt8(ascii: "(")), (UInt8(ascii: " "), UInt8(ascii: "#")),
            (UInt8(ascii: ","), UInt8(ascii: " ")):
            true
        default: false
        }
    }

    /// Returns whether `text`, a separator and the text after it, is a volume number.
    private static func isPosition(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = text.dropFirst(2)
        if text.dropFirst().first == UInt8(ascii: "(") {
            guard rest.popLast() == UInt8(ascii: ")") else { return false }
        }
        if let blank = rest.firstIndex(of: UInt8(ascii: " ")) {
            let word = rest[..<blank]
            guard
                words.contains(where: {
                    word.elementsEqual(UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount))
                })
            else { return false }
            rest = rest[(blank + 1)...]
        }
        if rest.first == UInt8(ascii: "#") { rest = rest.dropFirst() }
        guard rest.first?.isASCIIDigit == true, rest.last?.isASCIIDigit == true else { return false }
        // "1.5", "1-3", "1–3".
        return rest.allSatisfy { $0.isASCIIDigit || ".-/".utf8.contains($0) || "–".utf8.contains($0) }
    }
}
