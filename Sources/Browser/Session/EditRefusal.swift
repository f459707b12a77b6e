internal import Books
internal import Catalog

/// Why an edit of the catalog was not made.
struct EditRefusal {
    /// The reason, for people.
    var sentence: String
    /// The field whose value the catalog cannot hold, if that is the reason.
    var field: BookField?
}

extension Session {
    /// The refusal that says why an edit of the catalog was not made.
    func refusal(for error: CatalogEditError) -> EditRefusal {
        EditRefusal(sentence: sentence(of: error), field: error.field)
    }
}

extension CatalogEditError {
    /// The field whose value the catalog cannot hold, if that is the reason.
    fileprivate var field: BookField? {
        switch self {
        case .cannotHold(let field, _, _), .typeDiffers(let field, _, _, _): field
        default: nil
        }
    }
}
