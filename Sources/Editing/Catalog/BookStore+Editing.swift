public import Catalog
public import Remote

extension BookStore {
    /// The source, if it takes edits.
    public var edited: EditedCatalog? {
        guard let edited = source as? EditedCatalog, edited.takesEdits else { return nil }
        return edited
    }

    /// The source, if it is a copy of another one.
    public var mirrored: MirroredCatalog? { (source as? EditedCatalog)?.mirror ?? source as? MirroredCatalog }

    /// Why the books cannot be edited, if they cannot.
    public var obstacleToEditing: CatalogEditError { mirrored == nil ? .pipe : .foreign }

    /// The directory of the calibre library that the books are a copy of; nil if they are of another source.
    public var libraryDirectory: String? { mirrored?.libraryDirectory }

    /// Whether the books are all of the catalog's, as far as it has been read.
    public var isWhole: Bool { defects.syntaxError == nil && defects.failure == nil && mirrored?.problem == nil }
}
