internal import CText
internal import Text

/// What a reader types to find a name: words whose characters occur in it in the same order.
public struct FuzzyPattern: Hashable, Sendable {
    /// The normalized words.
    private let terms: [[UInt8]]

    /// The maximum number of words; further ones are ignored.
    private static let maximumTermCount = 8
    /// The score in addition for a name that is exactly what was typed.
    private static let wholeNameScore = 40

    /// Creates the pattern of what was typed.
    public init(_ typed: String) {
        terms = [UInt8](folding: typed).split(separator: UInt8(ascii: " ")).prefix(Self.maximumTermCount).map {
            Array($0.prefix(Int(FUZZY_TERM_LENGTH)))
        }
    }

    /// Whether nothing was typed, so that every name matches.
    public var isEmpty: Bool { terms.isEmpty }

    /// Returns the score of a normalized name, or nil if it does not match.
    @inline(__always)
    func score(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = name.baseAddress else { return terms.isEmpty ? 0 : nil }
        var total = 0
        for term in terms {
            let score = term.withUnsafeBufferPointer { fuzzy_score(base, name.count, $0.baseAddress, $0.count) }
            if score == FUZZY_NO_MATCH { return nil }
            total += Int(score)
        }
        if terms.count == 1, name.elementsEqual(terms[0]) { total += Self.wholeNameScore }
        return total
    }

    /// Returns the rank of a name among others, the higher the better; nil if it does not match.
    ///
    /// The score counts first, then the number of its books, and then the shorter name.
    ///
    /// - Parameter bookCount: The number of books that have the name.
    @inline(__always)
    func rank(of name: UnsafeBufferPointer<UInt8>, bookCount: Int) -> UInt64? {
        guard let score = score(of: name) else { return nil }
        let (score16, count24) = (UInt64(min(score, 0xFFFF)), UInt64(min(bookCount, 0xFF_FFFF)))
        return score16 << 32 | count24 << 8 | UInt64(255 - min(name.count, 255))
    }

    /// Returns the rank of a name as it is written.
    public func rank(of name: String, bookCount: Int) -> UInt64? {
        [UInt8](folding: name).withUnsafeBufferPointer { rank(of: $0, bookCount: bookCount) }
    }

    /// Returns the characters of a name, as it is written, that match, as ranges of UTF-8 bytes; ascending and disjoint.
    public func matches(in name: String) -> [Range<Int>] {
        if terms.isEmpty { return [] }
        var folded = ByteBuffer()
        var origins: [Int] = []
        var name = name
        name.withUTF8 { folded.append(folding: $0, origins: &origins) }
        var starts: Set<Int> = []
        for term in terms {
            var places = [UInt16](repeating: 0, count: term.count)
            guard fuzzy_places(folded.bytes.baseAddress, folded.count, term, term.count, &places) != FUZZY_NO_MATCH
            else { continue }
            for place in places { starts.insert(origins[Int(place)]) }
        }
        var ranges: [Range<Int>] = []
        var offset = 0
        for character in name {
            let end = offset + character.utf8.count
            // A letter with its marks is one character on the screen.
            if (offset..<end).contains(where: starts.contains) {
                if let last = ranges.last, last.upperBound == offset {
                    ranges[ranges.count - 1] = last.lowerBound..<end
                } else {
                    ranges.append(offset..<end)
                }
            }
            offset = end
        }
        return ranges
    }
}
