public import Books
public import Formats
internal import FoundationEssentials
internal import Storage

/// The pictures of covers that are at hand: files in the directory of the catalog, and those within a record (`data:`,
/// RFC 2397).
///
/// The paths come from the catalog. Only files below its directory are read, once links are resolved, and only those that
/// begin like a picture.
public struct CoverFiles {
    private let directory: String?

    /// The maximum size of a picture in bytes.
    public static let limit = 256 << 10

    /// Creates the covers of the catalog at a path; a library is a directory itself. Nil for one that is no file.
    public init(besideCatalogAt path: String?) {
        guard let path = path.flatMap(resolvedPath) else {
            directory = nil
            return
        }
        directory = isRegularFile(path) ? path.lastIndex(of: "/").map { String(path[..<$0]) } : path
    }

    /// Returns the picture of a book; nil if there is none, or it is too large. Blocks as long as the file system does.
    public func picture(of book: Book) -> CoverPicture? {
        guard let cover = book.cover, !cover.isEmpty else { return nil }
        if cover.hasPrefix("data:") { return Self.picture(within: cover) }
        if cover.firstRange(of: "://") != nil { return nil }
        guard let directory, let path = resolvedPath(cover.hasPrefix("/") ? cover : "\(directory)/\(cover)"),
            path.hasPrefix(directory == "/" ? directory : directory + "/"),
            let bytes = try? ReadOnlyFile.bytes(at: path, upTo: Self.limit)
        else { return nil }
        return CoverPicture(bytes)
    }

    /// Returns the picture within an address such as "data:image/png;base64,iVBORw0KGgo=".
    private static func picture(within address: String) -> CoverPicture? {
        guard let comma = address.firstIndex(of: ","), address[..<comma].lowercased().hasSuffix(";base64"),
            let data = Data(base64Encoded: String(address[address.index(after: comma)...])), data.count <= limit
        else { return nil }
        return CoverPicture([UInt8](data))
    }
}
