/// What a catalog that is open has now, while earlier versions did not read it.
public struct Rereading: Hashable, Sendable {
    /// The parts of a book that its identity depends on.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// The bits of the parts.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Titles.
        public static let titles = Parts(rawValue: 1)
        /// Authors.
        public static let authors = Parts(rawValue: 2)
        /// Several authors in one text, which were one name.
        public static let eachAuthor = Parts(rawValue: 4)
        /// Authors in further columns of a table, of which only the first was read.
        public static let moreAuthors = Parts(rawValue: 8)
    }

    /// The path of the catalog.
    public let path: String
    /// What it has now.
    public let what: Parts

    /// Creates a description of the catalog at `path`.
    public init(of path: String, _ what: Parts) { (self.path, self.what) = (path, what) }
}
