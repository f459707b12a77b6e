internal import CText
internal import Text

/// What a book is known by, wherever it stands in its catalog: its valid ISBN, else its folded title and authors.
///
/// Several records of one catalog may share a key; they are told apart by their order in the file.
public struct BookIdentity: Hashable, Sendable {
    /// What the record alone gives.
    public var key: Key
    /// Which of the records with this key it is, counted from 1 in file order.
    public var occurrence: Int

    /// The identity of the `occurrence`th record with `key`.
    public init(key: Key, occurrence: Int = 1) {
        self.key = key
        self.occurrence = occurrence
    }

    /// The part of an identity that a record gives without its catalog.
    public struct Key: Hashable, Sendable {
        /// An ISBN-13 as a number, or a hash with its highest bit set.
        private let value: UInt64

        private static let hashBit: UInt64 = 1 << 63

        /// The key of a book: its ISBN where it is valid, else its hash.
        public init(of book: Book) {
            if let isbn = book.isbn, let key = Self(isbn: isbn) { self = key } else { self = Self(hashOf: book) }
        }

        /// The key that a valid ISBN gives.
        public init?(isbn: ISBN) {
            guard let number = isbn.number else { return nil }
            value = UInt64(number)
        }

        /// The key that the folded title and authors give: 63 bits of XXH3 (64 bits, no seed) of their UTF-8, each ended
        /// by a line feed.
        public init(hashOf book: Book) {
            var folded = ByteBuffer()
            for text in [book.title] + book.authors {
                folded.append(folding: text)
                folded.append(0x0A)
            }
            self.init(hashOfFolded: UnsafeBufferPointer(folded.bytes))
        }

        /// The key that a title and authors give which were folded already, each ended by a line feed.
        @inline(__always)
        package init(hashOfFolded bytes: UnsafeBufferPointer<UInt8>) {
            value = cs_hash(bytes.baseAddress, bytes.count) | Self.hashBit
        }

        /// The key that a valid ISBN-13 gives as a number.
        package init(isbn number: Int) { value = UInt64(number) }

        /// The key that an index holds as this number.
        package init(indexed value: UInt64) { self.value = value }

        /// The number that an index holds for it.
        package var indexed: UInt64 { value }

        /// Whether it is an ISBN, and not a hash.
        public var isISBN: Bool { value & Self.hashBit == 0 }

        /// "isbn:" and thirteen digits, or "hash:" and sixteen hexadecimal ones.
        public var description: String {
            if value & Self.hashBit == 0 { return "isbn:\(value)" }
            return "hash:" + Self.hexadecimal(value & ~Self.hashBit)
        }

        /// Sixteen hexadecimal digits, in lower case.
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
            // Numbers are read in more forms than they are written in: with a sign, with hyphens, in capitals.
            if self.description != description { return nil }
        }
    }
}

extension BookIdentity: Comparable {
    /// The order of the records among their doubles first; then an arbitrary one, but always the same.
    public static func < (left: BookIdentity, right: BookIdentity) -> Bool {
        (left.occurrence, left.key.indexed) < (right.occurrence, right.key.indexed)
    }
}

extension BookIdentity: LosslessStringConvertible {
    /// "isbn:9780393039764" or "hash:0123456789abcdef"; with "~2" for the second record of that key, and so on.
    public var description: String {
        occurrence == 1 ? key.description : "\(key.description)~\(occurrence)"
    }

    /// The identity that was described so; nil where it is none.
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
