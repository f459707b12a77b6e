public import Threading

/// Finds and opens other catalogs, which may be on slow disks, in other threads.
public struct OtherCatalogs {
    /// Returns, on any thread, the catalogs that can be opened: those with the paths `recent`, the latest first, and
    /// then others with names.
    let known: @Sendable (_ recent: [String]) -> [KnownCatalog]
    /// Starts to open a catalog; `notify` is called on any thread when that has ended.
    let open: Open

    /// A function that starts to open a catalog, and calls its second argument on any thread when that has ended.
    public typealias Open = (_ next: NextCatalog, _ notify: @escaping @Sendable () -> Void) -> BackgroundTask<
        OpeningOutcome
    >

    /// Creates an opener of catalogs.
    public init(known: @escaping @Sendable (_ recent: [String]) -> [KnownCatalog], open: @escaping Open) {
        (self.known, self.open) = (known, open)
    }

    /// Knows no catalog, and says at once that any is open.
    public static var none: OtherCatalogs {
        OtherCatalogs(known: { _ in [] }, open: { _, _ in BackgroundTask(made: .opened) })
    }
}

/// A catalog that the reader has named in the config file, or opened before.
public struct KnownCatalog: Hashable, Sendable {
    /// The name in the config file; nil for a catalog that was opened before.
    public let name: String?
    /// The path or address.
    public let path: String

    /// Creates the description of a catalog.
    public init(name: String? = nil, path: String) { (self.name, self.path) = (name, path) }
}
