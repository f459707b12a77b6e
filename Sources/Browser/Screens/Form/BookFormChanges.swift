internal import Books
internal import Library

/// What a form changes.
struct BookFormChanges {
    /// The values of changed fields; nil for those that are cleared.
    var values: [BookField: FieldValue?] = [:]
    /// What is replaced in the values that the books have of one field.
    let replacement: FieldTransform?
    /// Whether the catalog is saved afterwards.
    let isSaved: Bool

    init(replacement: FieldTransform? = nil, isSaved: Bool = false) {
        (self.replacement, self.isSaved) = (replacement, isSaved)
    }

    /// Whether nothing changes.
    var isEmpty: Bool { values.isEmpty && replacement == nil }
}
