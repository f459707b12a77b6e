/// Where the picture of a cover is.
public enum CoverSource: Hashable, Sendable {
    /// A file, which is read only if it is below the directory `within` once links are resolved, because its path comes
    /// from a catalog.
    case file(path: String, within: String)
    /// A picture within a record: an address of the scheme `data` (RFC 2397).
    case data(String)
    /// An address of the scheme http or https. If it is not fetched, only the thumbnail of an earlier time is shown.
    case web(String, isFetched: Bool)

    /// Whether loading it needs a server.
    public var isOnTheWeb: Bool { if case .web = self { true } else { false } }
}
