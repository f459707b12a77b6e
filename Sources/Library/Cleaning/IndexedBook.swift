internal import Books
internal import Indexing
internal import Text

/// What the index knows of a book, as far as duplicates are found by it. Valid as long as the index.
struct IndexedBook {
    /// The normalized title; empty without one.
    private(set) var title = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The normalized names of the authors.
    private(set) var authors: [UnsafeBufferPointer<UInt8>] = []
    /// The valid ISBNs.
    private(set) var isbns: [UInt64] = []
    /// The numeric fields.
    let facts: NumericFields
    private let text: IndexedText

    /// Reads the entry of a book. Linear in its text.
    init(_ index: BookIndex, _ book: Int) {
        facts = index.facts(at: book)
        text = index.text(at: book)
        for line in text {
            switch line.kind {
            case .title: title = line.content
            case .author: authors.append(line.content)
            case .otherISBN: if let isbn = Self.number(of: line.content), isbn > 0 { isbns.append(isbn) }
            default: break
            }
        }
        if let isbn = index.keys(of: BookID(book)).isbn { isbns.append(isbn.indexed) }
    }

    private static func number(of digits: UnsafeBufferPointer<UInt8>) -> UInt64? {
        UInt64(String(decoding: digits, as: UTF8.self))
    }

    /// The position in the series; NaN if unknown.
    var volume: Float { facts.position }

    /// The hash of the title.
    var titleHash: UInt64 { title.hashed }

    /// A checksum of all that the index knows of the book.
    var checksum: UInt64 {
        var sum = UInt64(facts.pages).mixed(with: UInt64(facts.added))
        sum = sum.mixed(with: UInt64(UInt16(bitPattern: facts.year))).mixed(with: UInt64(facts.position.bitPattern))
        sum = sum.mixed(with: UInt64(facts.language.bits)).mixed(with: UInt64(facts.rating))
        sum = sum.mixed(with: UInt64(facts.traits.rawValue))
        for line in text { sum = sum.mixed(with: UInt64(line.kind.rawValue)).mixed(with: line.content.hashed) }
        return sum
    }
}

/// A book with a number by which it is sought.
struct KeyedBook {
    var key: UInt64
    var book: UInt32
}

extension [KeyedBook] {
    /// Sorts the books by their keys and in catalog order, and calls `body` for each key of several books.
    mutating func forEachRun(_ body: (ArraySlice<KeyedBook>) -> Void) {
        sort { ($0.key, $0.book) < ($1.key, $1.book) }
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, self[end].key == self[start].key { end += 1 }
            if end - start > 1 { body(self[start..<end]) }
            start = end
        }
    }
}

extension UInt64 {
    /// A hash of this number and another one.
    func mixed(with other: UInt64) -> UInt64 {
        var sum = (self ^ (other &* 0xC2B2_AE3D_27D4_EB4F)) &* 0x9FB2_1C65_1E98_DF25
        sum ^= sum >> 32
        return sum &* 0x9E37_79B1_85EB_CA87
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// A hash of the bytes.
    var hashed: UInt64 { BookIdentity.Key(hashOfFolded: self).indexed }
}
