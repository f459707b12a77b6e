public import Catalog

extension BookStore {
    /// The source, if it takes edits.
    public var edited: EditedCatalog? {
        guard let edited = source as? EditedCatalog, edited.takesEdits else { return nil }
        return edited
    }

    /// Why the books cannot be edited, if they cannot.
    public var obstacleToEditing: CatalogEditError { mirrored == nil ? .pipe : .foreign }
}
