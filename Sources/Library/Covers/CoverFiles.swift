public import Books
public import Formats
internal import Remote

/// The pictures of covers that are at hand, for exports: files in the directory of the catalog, and those within a record,
/// if they begin like a picture.
public struct CoverFiles {
    private let places: CoverPlaces

    /// The maximum size of a picture in bytes.
    public static let limit = 256 << 10

    /// Creates the covers of the catalog at a path; a library is a directory itself. Nil for one that is no file.
    public init(besideCatalogAt path: String?) { places = CoverPlaces(besideCatalogAt: path) }

    /// Returns the picture of a book; nil if there is none, or it is too large. Blocks as long as the file system does.
    public func picture(of book: Book) -> CoverPicture? {
        guard let source = places.source(of: book), let file = try? CoverFile(source),
            let bytes = try? file.bytes(upTo: Self.limit)
        else { return nil }
        return CoverPicture(bytes)
    }
}
