/// The identifier of a book in an open catalog: its position there, so that results are in catalog order by themselves.
///
/// It stays the same when books are changed. When books are added, deleted or moved, `BookShift` in the module Catalog
/// says where each one is now. It is invalid after the catalog is closed or reloaded.
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
