internal import Books
internal import Catalog
internal import Editing
internal import Library

/// The reason why an edit of the catalog was not made.
struct EditRefusal {
    /// The reason, in words.
    var sentence: String
    /// The field whose value the catalog cannot hold, if that is the reason.
    var field: BookField?
}

extension Session {
    /// The refusal for an error in editing the catalog.
    func refusal(for error: CatalogEditError) -> EditRefusal {
        EditRefusal(sentence: sentence(of: error), field: error.field)
    }
}

extension Session {
    /// Returns whether books can be edited, and shows a message if not, before anything is typed.
    ///
    /// - Parameter isInList: Whether the records must be in a list, so that others can be added.
    func isEditable(inList isInList: Bool = false) -> Bool {
        do throws(CatalogEditError) {
            guard let edited = library.store.edited else { throw library.store.obstacleToEditing }
            try edited.checkEditable()
            if isInList { try edited.checkList() }
            return true
        } catch {
            status.say(sentence(of: error))
            return false
        }
    }
}

extension CatalogEditError {
    /// The field that cannot have its value, if that is the reason.
    fileprivate var field: BookField? {
        switch self {
        case .cannotHold(let field, _, _), .typeDiffers(let field, _, _, _), .notAValue(let field, _, _),
            .tooManySteps(let field, _):
            field
        default: nil
        }
    }
}
