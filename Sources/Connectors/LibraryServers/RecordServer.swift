internal import ConnectorProtocol
internal import JSON
internal import Search

/// A server of library records that is asked for a part of the records that match a query.
protocol RecordServer: AnyObject {
    /// The kind of source, such as `sru`.
    var kind: String { get }
    /// The keys by which the server sorts.
    var sortKeys: [String] { get }
    /// Facts about the server for the user.
    var facts: [String: String] { get }
    /// The operators of its query language.
    var syntax: RecordSet.Syntax { get }

    /// Returns the same server for the requests of `context`, which another thread sends at the same time; nil if the
    /// server takes no further requests.
    func server(for context: RequestContext) -> (any RecordServer)?

    /// Returns the expression that searches a field; nil if the server has no index for it.
    func expression(for value: LibraryValue, in field: LibraryField) -> String?

    /// Returns records, from the record with this number on, counted from 0: at least one if there are any, and not
    /// more than `limit`.
    ///
    /// - Throws: `RecordServerError`.
    func records(
        _ query: String, _ sort: [PageRequest.SortKey], from first: Int, limit: Int
    ) throws(RecordServerError) -> RecordBatch
}

/// A value to search for in a field.
enum LibraryValue {
    /// A word.
    case word(String)
    /// Several words in this order.
    case phrase(String)
    /// The whole value of the field.
    case whole(String)
    /// A range of years, which may be open.
    case years(from: Int?, to: Int?)

    /// The form of the value. Some servers have an index, but not for each form.
    var form: LibraryIndex.Form {
        switch self {
        case .word: .word
        case .phrase: .phrase
        case .whole: .whole
        case .years(let first, let last): first == last ? .word : .range
        }
    }
}

/// A use of an index.
struct LibraryIndex: Hashable {
    /// The form of the value to search for.
    enum Form { case word, phrase, whole, range }

    /// The field.
    var field: LibraryField
    /// The form.
    var form: Form
}

/// The reason why a server sent no records.
enum RecordServerError: Error {
    /// The server refused the request.
    case refused(ServerDiagnostic)
    /// The request failed.
    case failed(ConnectorFailure)
}

/// Records that a server sent.
struct RecordBatch {
    /// The records as rows.
    var rows: [JSONValue] = []
    /// The number of all records that match, if known.
    var count: BookTotal?
    /// Whether some records are missing because the server could not search or send them.
    var isPartial = false
}
