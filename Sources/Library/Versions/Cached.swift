/// A value with the version of the library that it is valid for.
public struct Cached<Value> {
    /// The value, whatever its version; nil if there is none.
    public var latest: Value?
    /// The version of the value.
    public private(set) var version: LibraryVersion?

    /// Creates a cache without a value.
    public init() {}

    /// The value, if it is valid for `version`.
    public subscript(version: LibraryVersion) -> Value? {
        get { self.version == version ? latest : nil }
        set { (latest, self.version) = (newValue, version) }
    }

    /// Declares that the value is valid for `version`, because it was updated.
    mutating func keep(for version: LibraryVersion) { self.version = version }
}
