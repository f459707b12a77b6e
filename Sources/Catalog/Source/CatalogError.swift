public import Storage

/// The reason that a catalog cannot be opened.
public enum CatalogError: Error, Hashable, Sendable {
    /// The file cannot be read.
    case unreadable(FileError)
    /// The file contains only white space.
    case empty(path: String)
    /// The file has another format, recognized by its signature.
    case wrongFormat(path: String, FileFormat)
    /// The file is malformed, and no book precedes the error.
    case malformed(path: String, CatalogDefects.SyntaxError)
    /// The file is valid JSON but contains no books.
    case notACatalog(path: String, Content)

    /// A format that is recognized but not supported.
    public enum FileFormat: Hashable, Sendable {
        case utf16, sqlite, html, xml, archive, officeDocument
        /// Compressed so that the connector program can decompress it.
        case compressed
        /// Compressed in another way.
        case otherCompressed
    }

    /// The contents of a JSON text without books.
    public enum Content: Hashable, Sendable {
        /// A single object.
        case object
        /// Several objects in a row, as in JSON Lines.
        case jsonLines
        /// A string, number, boolean or null.
        case scalar
        /// An array without books.
        case array
        /// No values at the record paths of this profile.
        case noRecords(profile: String)
    }
}
