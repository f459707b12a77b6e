/// The limits for the copies of sources in the cache.
public struct CopyLimits: Sendable {
    /// The maximum size of a copy in bytes.
    public var copy: Int
    /// Returns whether the copy of the source at an address has unsaved edits, and must be kept.
    public var hasUnsavedEdits: @Sendable (_ address: String) -> Bool

    /// The maximum size of a copy in bytes, unless the user sets another one: more than ten million books need.
    public static let standardCopy = 8 << 30

    /// The total size in bytes of all copies and kept pages above which the least recently used ones are deleted: room
    /// for two of the largest, so that a large catalog does not drive out all others.
    var total: Int { max(Self.standardCopy, copy) * 2 }

    /// Creates limits.
    public init(
        copy: Int = standardCopy, hasUnsavedEdits: @escaping @Sendable (_ address: String) -> Bool = { _ in false }
    ) {
        (self.copy, self.hasUnsavedEdits) = (copy, hasUnsavedEdits)
    }
}
