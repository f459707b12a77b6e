public import Books
internal import Glibc
public import Remote
internal import Storage

/// The places of the covers of a catalog's books.
///
/// A cover is a path relative to the directory of the catalog, or to that of a library of calibre; the picture itself
/// (`data:`); or an address on the web.
public struct CoverPlaces: Sendable {
    private let directory: String?

    /// Creates the places of the catalog at `path`; a library is a directory itself. Nil for a catalog that is no file.
    public init(besideCatalogAt path: String?) {
        guard let path = path.flatMap(resolvedPath) else {
            directory = nil
            return
        }
        directory = isRegularFile(path) ? path.lastIndex(of: "/").map { String(path[..<$0]) } : path
    }

    /// Returns the place of the cover of a book; nil if it has none.
    public func source(of book: Book) -> CoverSource? {
        guard let cover = book.cover, !cover.isEmpty else { return nil }
        if cover.prefix(5).lowercased() == "data:" { return .data(cover) }
        if let link = WebLink(cover) { return .web(link.text, isFetched: false) }
        guard let directory, cover.firstRange(of: "://") == nil else { return nil }
        return .file(path: cover.hasPrefix("/") ? cover : "\(directory)/\(cover)", within: directory)
    }
}
