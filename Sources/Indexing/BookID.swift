/// A book of an open catalog. It stays the same while the catalog is open, whatever is added, changed, deleted or moved; the
/// position at which the book stands may change. It means nothing once the catalog was closed or read again.
public struct BookID: Hashable, Sendable {
    /// Its number, which arrays of what is known of each book are indexed by.
    public let number: UInt32

    /// The book with a number.
    @inlinable
    public init(_ number: UInt32) { self.number = number }

    /// The book with a number below 2^32.
    @inlinable
    public init(_ number: Int) { self.number = UInt32(number) }

    /// Its number as an index.
    @inlinable
    public var index: Int { Int(number) }
}

extension BookID: Comparable {
    /// Whether one was made before the other.
    public static func < (left: BookID, right: BookID) -> Bool { left.number < right.number }
}
