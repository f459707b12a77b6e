internal import Catalog
public import Indexing
public import Library
public import Shelves
public import TerminalUI

extension Library {
    /// The names of the reader's lists that a mark puts its book into.
    func shelfNames(of bookData: UserBookData) -> [String] {
        (bookData.isFavourite ? [NamedList.favourites.name] : [])
            + userData.shelves.filter { bookData.shelves.contains($0.id) }.map(\.name)
    }

    /// The text of the detail pane for a book.
    public func detail(of id: BookID) -> [TextView.Paragraph] {
        let bookData = userData(of: id)
        return BookDetail(
            store.book(id), shelves: bookData.map(shelfNames(of:)) ?? [], bookData: bookData,
            directory: store.libraryDirectory
        ).paragraphs
    }

    /// The text of the detail pane for a mark whose book is not in the catalog.
    public func detail(ofMissing bookData: UserBookData) -> [TextView.Paragraph] {
        let bookData = userData.shown(bookData)
        return BookDetail.absent(bookData, shelves: shelfNames(of: bookData)).paragraphs
    }
}
