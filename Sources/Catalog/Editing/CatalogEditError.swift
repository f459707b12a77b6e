public import Books
internal import JSON
public import Storage

/// The reason that a catalog cannot be changed as wanted. Nothing was written.
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
    /// The record of the book is no longer where it was.
    case recordGone(title: String)
    /// The records have no place for this field, or cannot hold this value in it; nil if they cannot be without it.
    case cannotHold(BookField, value: String?, title: String)
    /// The records hold this field in another JSON type than the value needs.
    case typeDiffers(BookField, value: String, title: String, fitting: FittingValue)
    /// Records stand in an object under keys of their own, or the file is a single record: books can be neither added nor
    /// removed nor moved.
    case notAList
    /// The list of the records does not end; the file is damaged there.
    case endless
    /// Another instance is writing the file.
    case busy
    /// The file could not be read as a catalog any more.
    case unreadableAfterwards
    /// The changed file is in its place, but it is not certain that a power cut leaves it there.
    case notSynchronized(FileError)
    /// The file cannot be read or written.
    case file(FileError)
    /// The journal in which edits are kept until they are saved cannot be written.
    case journal(FileError)
    /// The catalog is still being read.
    case loading
    /// The edits before are still being saved.
    case saving
    /// There is no directory in which edits can be kept until they are saved.
    case notKept
    /// The text is no JSON object that describes a book with a title.
    case notARecord
    /// Others have changed the same values since.
    case changedSince
    /// The step is not in the journal any more.
    case stepGone
    /// The file cannot be read as a catalog.
    case unreadable(CatalogError)
}

extension CatalogEditError {
    /// The records cannot hold the value that `field` has in `book`.
    ///
    /// - Parameters:
    ///   - record: The record that it was to be written in.
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
