internal import CText
internal import Text

/// The identity of a book, independent of its position in the catalog: its valid ISBN, or else a hash of its normalized
/// title and authors.
///
/// Several records of a catalog may have the same key; their order in the file tells them apart.
public struct BookIdentity: Hashable, Sendable {
    /// The part of the identity that depends on the record alone.
    public var key: Key
    /// The ordinal of the record among those with the same key, from 1 in file order.
    public var occurrence: Int

    /// Creates the identity of the `occurrence`th record with `key`.
    public init(key: Key, occurrence: Int = 1) {
        self.key = key
        self.occurrence = occurrence
    }

    /// The part of an identity that can be computed from a record without its catalog.
    public struct Key: Hashable, Sendable {
        /// An ISBN-13 as a number, or a hash with its highest bit set.
        private let value: UInt64

        private static let hashBit: UInt64 = 1 << 63

        /// Creates the key of a book from its ISBN if that is valid, otherwise from its hash.
        public init(of book: Book) {
            if let isbn = book.isbn, let key = Self(isbn: isbn) { self = key } else { self = Self(hashOf: book) }
        }

        /// Creates a key from an ISBN, or nil if it is invalid.
        public init?(isbn: ISBN) {
            guard let number = isbn.number else { return nil }
            value = UInt64(number)
        }

        /// Creates the key from the normalized title and authors: 63 bits of XXH3 (64 bits, no seed) of their UTF-8,
        /// each followed by a line feed.
        public init(hashOf book: Book) {
            var folded = ByteBuffer()
            for text in [book.title] + book.authors {
                folded.append(folding: text)
                folded.append(0x0A)
            }
            self.init(hashOfFolded: UnsafeBufferPointer(folded.bytes))
        }

        /// Creates the key from a title and authors that are already normalized and each followed by a line feed.
        @inline(__always)
        public init(hashOfFolded bytes: UnsafeBufferPointer<UInt8>) {
            value = cs_hash(bytes.baseAddress, bytes.count) | Self.hashBit
        }

        /// Creates the key from a valid ISBN-13 as a number.
        public init(isbn number: Int) { value = UInt64(number) }

        /// Creates the key from its number in an index.
        public init(indexed value: UInt64) { self.value = value }

        /// The number that an index stores for the key.
        public var indexed: UInt64 { value }

        /// Whether the key is an ISBN rather than a hash.
        public var isISBN: Bool { value & Self.hashBit == 0 }

        /// "isbn:" and thirteen digits, or "hash:" and sixteen hexadecimal digits.
        public var description: String {
            if value & Self.hashBit == 0 { return "isbn:\(value)" }
            return "hash:" + Self.hexadecimal(value & ~Self.hashBit)
        }

        /// Returns `number` as sixteen lower-case hexadecimal digits.
        private static func hexadecimal(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }

        fileprivate init?(description: Substring) {
            if description.hasPrefix("isbn:"), let key = Self(isbn: ISBN(String(description.dropFirst(5)))) {
                self = key
            } else if description.hasPrefix("hash:"), let hash = UInt64(description.dropFirst(5), radix: 16) {
                value = hash | Self.hashBit
            } else {
                return nil
            }
            // Parsing accepts more spellings than are written, such as signs, hyphens and capitals.
            if self.description != description { return nil }
        }
    }
}

extension BookIdentity: Comparable {
    /// Orders by occurrence first, then arbitrarily but always the same way.
    public static func < (left: BookIdentity, right: BookIdentity) -> Bool {
        (left.occurrence, left.key.indexed) < (right.occurrence, right.key.indexed)
    }
}

extension BookIdentity: LosslessStringConvertible {
    /// "isbn:9780393039764" or "hash:0123456789abcdef"; the second record with the same key ends in "~2", and so on.
    public var description: String {
        occurrence == 1 ? key.description : "\(key.description)~\(occurrence)"
    }

    /// Parses a `description`, accepting only the exact spelling that is written.
    public init?(_ description: String) {
        let parts = description.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        guard let key = Key(description: parts[0]) else { return nil }
        guard parts.count > 1 else {
            self.init(key: key)
            return
        }
        guard let occurrence = Int(parts[1]), occurrence > 1 else { return nil }
        self.init(key: key, occurrence: occurrence)
        if self.description != description { return nil }
    }
}
