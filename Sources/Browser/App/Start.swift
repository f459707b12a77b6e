internal import Catalog
public import Library
public import Search

/// The position at which the browser starts.
public struct Start {
    /// Whether to resume at the last position; otherwise, at the first book.
    let resumes: Bool
    /// The query; nil for that of the last position.
    let query: Query?
    /// The sort order; nil for that of the last position.
    let order: SortOrder?
    /// The list; nil for that of the last position.
    let list: NamedList?
    /// The columns of the list; nil for those that the user chose.
    let columns: ListColumns?

    /// Creates a start at the last position, except for the arguments given.
    public init(
        resumes: Bool = true, query: Query? = nil, order: SortOrder? = nil, list: NamedList? = nil,
        columns: ListColumns? = nil
    ) {
        self.resumes = resumes
        self.query = query
        self.order = order
        self.list = list
        self.columns = columns
    }
}
