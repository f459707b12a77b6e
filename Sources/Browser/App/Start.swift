internal import Catalog
public import Library
public import Search
public import TerminalUI

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
    /// The paths of catalogs that are offered in place of this one.
    let offered: [String]
    /// The catalog that replaced another one, if it did; the first command is its.
    let next: NextCatalog?
    /// The events that were read already, such as keys typed ahead.
    let events: [Event]

    /// Creates a start at the last position, except for the arguments given.
    public init(
        resumes: Bool = true, query: Query? = nil, order: SortOrder? = nil, list: NamedList? = nil,
        columns: ListColumns? = nil, offering offered: [String] = []
    ) {
        self.resumes = resumes
        self.query = query
        self.order = order
        self.list = list
        self.columns = columns
        self.offered = offered
        (next, events) = (nil, [])
    }

    /// Creates a start in `next`, at the position that was taken over from the catalog before.
    ///
    /// - Parameter events: The events that were not handled in that catalog.
    public init(in next: NextCatalog, events: [Event] = []) {
        (resumes, query, order, list, columns, offered) = (true, nil, nil, nil, nil, [])
        (self.next, self.events) = (next, events)
    }
}
