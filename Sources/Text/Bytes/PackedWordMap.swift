/// A hash table from words of up to eight bytes to small numbers, for lookups in each of millions of books.
struct PackedWordMap: Sendable {
    private struct Entry {
        var word: UInt64 = 0
        var scope: UInt32 = 0
        var meaning: UInt8 = 0
    }

    /// The slots, with open addressing and a load of at most one half.
    private var entries: [Entry]

    /// Creates a table of space-separated words; a word can have a different meaning in each scope. Only the first
    /// eight bytes of a word count.
    ///
    /// - Parameter meaning: The value of the words; must not be 0.
    init(_ lists: [(words: String, scope: UInt32, meaning: UInt8)]) {
        let words = lists.flatMap { list in
            list.words.split(separator: " ").map {
                Entry(word: Self.packed($0.utf8), scope: list.scope, meaning: list.meaning)
            }
        }
        var capacity = 16
        while capacity < 2 * words.count { capacity *= 2 }
        entries = Array(repeating: Entry(), count: capacity)
        for word in words {
            var slot = slot(of: word.word, word.scope)
            while entries[slot].meaning != 0 { slot = (slot + 1) & (capacity - 1) }
            entries[slot] = word
        }
    }

    /// Returns the meaning of a word, or 0 for an unknown word.
    @inline(__always)
    func meaning(of word: UInt64, in scope: UInt32 = 0) -> UInt8 {
        var slot = slot(of: word, scope)
        while entries[slot].meaning != 0 {
            if entries[slot].word == word && entries[slot].scope == scope { return entries[slot].meaning }
            slot = (slot + 1) & (entries.count - 1)
        }
        return 0
    }

    @inline(__always)
    private func slot(of word: UInt64, _ scope: UInt32) -> Int {
        let mixed = (word ^ UInt64(scope) << 32) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 40) & (entries.count - 1)
    }

    /// Returns the first eight bytes of a word as a number.
    @inline(__always)
    static func packed(_ word: some Sequence<UInt8>) -> UInt64 {
        var packed: UInt64 = 0
        for byte in word where packed < 1 << 56 { packed = packed << 8 | UInt64(byte) }
        return packed
    }
}
