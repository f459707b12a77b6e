/// A document of an OPDS catalog: books, links to further lists, and the next page.
struct FeedPage {
    /// A book.
    struct Publication {
        /// The identifier of the book within the catalog.
        var id: String
        /// The record, as JSON.
        var json: [UInt8]
    }

    /// The books on this page.
    var publications: [Publication] = []
    /// The addresses of lists to which this page leads.
    var lists: [String] = []
    /// The address of the next page of the same list.
    var next: String?
    /// The address of a list with all books of the catalog, if the page names one.
    var complete: String?
    /// How the catalog is searched, if the page says that.
    var search: FeedSearch?
    /// The number of books in all pages of the list, if it is known.
    var total: Int?
}
