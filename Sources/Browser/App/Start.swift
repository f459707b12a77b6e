internal import Catalog
public import Library
public import Search

/// Where the browser starts.
public struct Start {
    /// Whether where the reader left the catalog; else at its first book.
    let resumes: Bool
    /// What is searched for; nil for what was when the reader left.
    let query: Query?
    /// The order of the books; nil for that in which the reader left them.
    let order: SortOrder?
    /// The list that is opened; nil for that in which the reader left.
    let list: NamedList?
    /// The columns of the list; nil for those that the reader chose.
    let columns: ListColumns?

    /// Where the reader left, but for what is given.
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
