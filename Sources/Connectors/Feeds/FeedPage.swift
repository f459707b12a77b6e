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
    /// The addresses of the lists that this page links to.
    var lists: [String] = []
    /// The address of the next page of the same list.
    var next: String?
    /// The address of a list with all books of the catalog, if the page names one.
    var complete: String?
    /// The search of the catalog, if the page has one.
    var search: FeedSearch?
    /// The number of books on all pages of the list, if known.
    var total: Int?
}
