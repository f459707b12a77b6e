/// The identifier of a book in an open catalog, which stays the same when books are added, changed, deleted or moved.
///
/// It is invalid after the catalog is closed or reloaded.
public struct BookID: Hashable, Sendable {
    /// The number, suitable as an index into arrays of per-book data.
    public let number: UInt32

    /// Creates the identifier with this number.
    @inlinable
    public init(_ number: UInt32) { self.number = number }

    /// Creates the identifier with this number, which must be below 2^32.
    @inlinable
    public init(_ number: Int) { self.number = UInt32(number) }

    /// The number as an array index.
    @inlinable
    public var index: Int { Int(number) }
}

extension BookID: Comparable {
    /// Orders by creation, earlier identifiers first.
    public static func < (left: BookID, right: BookID) -> Bool { left.number < right.number }
}
