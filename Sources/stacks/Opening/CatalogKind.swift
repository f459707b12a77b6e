internal import Catalog
internal import Glibc
internal import Remote
internal import Storage

/// What the name of a catalog leads to, by the name and the first bytes: it decides who opens the catalog.
enum CatalogKind {
    /// A file that begins as JSON does.
    case json
    /// A file of white space, or without any bytes.
    case empty
    /// Standard input or another pipe, which can be read only once.
    case pipe
    /// A file that the connector program copies: of another format, a table in a database, or a library of calibre,
    /// which is a directory.
    case foreign
    /// The address of a catalog that is copied.
    case address
    /// The address of a server that is asked for the rows on the screen.
    case pagedAddress
    /// Nothing that can be read: a missing file, or another directory.
    case unreadable(FileError)

    /// Finds out what the path or address leads to.
    init(of path: String) {
        if SourceAddress.isPaged(path) {
            self = .pagedAddress
        } else if SourceAddress(path) != nil {
            self = .address
        } else if RandomAccessInput.isPipe(path) {
            self = .pipe
        } else {
            do throws(FileError) {
                switch try FileContent(of: RandomAccessInput(path)) {
                case .json: self = .json
                case .blank: self = .empty
                case .known, .other: self = .foreign
                }
            } catch {
                let isLibrary = error.isDirectory && access(path + "/metadata.db", F_OK) == 0
                let isTable = error.isMissing && path.contains("?table=")
                self = isLibrary || isTable ? .foreign : .unreadable(error)
            }
        }
    }

    /// Whether it is a file that begins as JSON does.
    var isJSON: Bool { if case .json = self { true } else { false } }
}
