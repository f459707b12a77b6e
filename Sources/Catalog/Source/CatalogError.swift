public import Storage

/// Why a catalog cannot be opened.
public enum CatalogError: Error, Hashable, Sendable {
    /// The file cannot be read.
    case unreadable(FileError)
    /// There is nothing in the file but blanks.
    case empty(path: String)
    /// It is of another format, known by its first bytes.
    case wrongFormat(path: String, FileFormat)
    /// It is not JSON, and no book precedes the fault.
    case malformed(path: String, CatalogDefects.Fault)
    /// It is JSON, but no array of books.
    case notACatalog(path: String, Content)

    /// A format that is recognised but not read.
    public enum FileFormat: Hashable, Sendable {
        case utf16, sqlite, html, xml, compressed
    }

    /// What a JSON text holds in place of an array of books.
    public enum Content: Hashable, Sendable {
        /// One object.
        case object
        /// Objects one after another, as in JSON Lines.
        case jsonLines
        /// A string, a number, a boolean or null.
        case scalar
        /// An array of so many values, none of which is a book.
        case arrayWithoutBooks(count: Int)
        /// Nothing at the paths at which the profile of this name has its records.
        case noRecords(profile: String)
    }
}
