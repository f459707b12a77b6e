public import Books
public import Catalog
public import ConnectorProtocol
internal import JSON
public import Storage

/// The reason why a catalog cannot be edited. Nothing was written.
public enum CatalogEditError: Error, Hashable, Sendable {
    /// The file cannot be replaced by a changed copy.
    case obstacle(ReplacementFile.Obstacle)
    /// The catalog is read from a pipe.
    case pipe
    /// The catalog is the copy of a source that is not a JSON file.
    case foreign
    /// The server keeps its books in no order of their own.
    case unordered
    /// The changes are too many to be sent to a server at once.
    case tooManyAtOnce
    /// The record of the book is no longer at its position.
    case recordGone(title: String)
    /// The records have no path for this field, or cannot hold this value in it; a nil value means that the field
    /// cannot be removed.
    case cannotHold(BookField, value: String?, title: String)
    /// The records store this field in a JSON type that does not fit the value.
    case typeDiffers(BookField, value: String, title: String, fitting: FittingValue)
    /// What the field of the book would become is not a value of it; "" if the field cannot be empty.
    case notAValue(BookField, text: String, title: String)
    /// The pattern that changes the field takes too many steps for the text of the book.
    case tooManySteps(BookField, title: String)
    /// The records are keyed members of an object, or the file is a single record: books cannot be added, removed or
    /// moved.
    case notAList
    /// The list of records is not closed, because the file is damaged.
    case endless
    /// Another instance is writing the file.
    case busy
    /// The changed file could not be read as a catalog.
    case unreadableAfterwards
    /// The changed file is in place, but may be lost in a power cut.
    case notSynchronized(FileError)
    /// The file cannot be read or written.
    case file(FileError)
    /// The journal of unsaved edits cannot be written.
    case journal(FileError)
    /// The catalog is still being read.
    case loading
    /// Previous edits are still being saved.
    case saving
    /// Saving was stopped; the edits are kept.
    case stopped
    /// There is no directory for the journal of unsaved edits.
    case notKept
    /// The text is not a JSON object that describes a book with a title.
    case notARecord
    /// Others have changed the same values in the meantime.
    case changedSince
    /// The step is no longer in the journal.
    case stepGone
    /// The file cannot be read as a catalog.
    case unreadable(CatalogError)
    /// The server cannot be reached, or takes no changes; the edits are kept.
    case server(ConnectorFailure)
    /// The catalog was opened without its server.
    case offline
}

extension CatalogEditError {
    /// Returns the error for the value of `field` in `book`, which the records cannot hold.
    ///
    /// - Parameters:
    ///   - record: The record to which the value was to be written.
    ///   - mapping: The mapping of the catalog.
    ///   - examples: The records that show the types of the catalog.
    static func cannotHold(
        _ field: BookField, of book: Book, in record: JSONValue, mapping: FieldMapping,
        like examples: RecordExamples? = nil
    ) -> CatalogEditError {
        let value = field.value(in: book)?.text
        if let value, let fitting = examples?.fitting(field, insteadOf: book, in: record, mapping) {
            return .typeDiffers(field, value: value, title: book.title, fitting: fitting)
        }
        return .cannotHold(field, value: value, title: book.title)
    }
}
