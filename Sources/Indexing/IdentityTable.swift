public import Books

/// A table that returns the identity of each book in constant time, while `BookIndex.identity(of:)` is linear.
public struct IdentityTable: Sendable {
    private let index: BookIndex
    /// The occurrence numbers of books that are not the first with their key.
    private var occurrences: [UInt32: Int] = [:]

    /// Computes the identities of all books in `index`. Linear, about ten nanoseconds per book.
    public init(of index: BookIndex) {
        self.index = index
        // Nearly every key is unique; a bit table that is at most an eighth full finds the candidates for duplicates.
        let tableBits = max(6, Int.bitWidth - (max(1, index.count) * 8 - 1).leadingZeroBitCount)
        let wordCount = 1 << (tableBits - 6)
        func forEachKey(_ body: (_ position: Int, _ key: UInt64, _ bit: UInt64) -> Void) {
            for (segment, start) in zip(index.segments, index.starts) {
                for book in 0..<segment.count {
                    let key = (segment.isbn(at: book) ?? segment.hash(at: book)).indexed
                    body(start + book, key, (key &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - tableBits))
                }
            }
        }
        var seen = [UInt64](repeating: 0, count: wordCount)
        var repeated = seen
        seen.withUnsafeMutableBufferPointer { seen in
            repeated.withUnsafeMutableBufferPointer { repeated in
                forEachKey { _, _, bit in
                    let (word, mask) = (Int(bit >> 6), UInt64(1) << (bit & 63))
                    repeated[word] |= seen[word] & mask
                    seen[word] |= mask
                }
            }
        }
        var counts: [UInt64: Int] = [:]
        repeated.withUnsafeBufferPointer { repeated in
            forEachKey { position, key, bit in
                guard repeated[Int(bit >> 6)] >> (bit & 63) & 1 != 0 else { return }
                counts[key, default: 0] += 1
                if let count = counts[key], count > 1 { occurrences[UInt32(truncatingIfNeeded: position)] = count }
            }
        }
    }

    /// Computes the identities of the books `ids` only. Linear in the index, but only a few nanoseconds per book.
    public init(of ids: some Collection<BookID>, in index: BookIndex) {
        self.index = index
        let keys = Set(ids.map { index.keys(of: $0).identifying })
        let finder = BookLookup(of: keys, in: index)
        for key in keys {
            // A hash also hits books that are identified by their ISBN.
            let books = finder.ids(with: key).filter { index.keys(of: $0).identifying == key }
            for (occurrence, book) in books.enumerated() where occurrence > 0 {
                occurrences[book.number] = occurrence + 1
            }
        }
    }

    /// Returns the identity of a book.
    public subscript(id: BookID) -> BookIdentity {
        BookIdentity(key: index.keys(of: id).identifying, occurrence: occurrences[id.number] ?? 1)
    }
}
