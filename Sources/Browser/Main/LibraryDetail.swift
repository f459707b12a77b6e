internal import Catalog
public import Indexing
public import Library
public import Shelves
public import TerminalUI

extension Library {
    /// Returns the names of the user's lists that contain a book with this user data.
    func shelfNames(of bookData: UserBookData) -> [String] {
        (bookData.isFavourite ? [NamedList.favourites.name] : [])
            + userData.shelves.filter { bookData.shelves.contains($0.id) }.map(\.name)
    }

    /// Returns the text of the detail pane for a book.
    public func detail(of id: BookID) -> [TextView.Paragraph] {
        let bookData = userData(of: id)
        return BookDetail(
            store.book(id), shelves: bookData.map(shelfNames(of:)) ?? [], bookData: bookData,
            directory: store.libraryDirectory
        ).paragraphs
    }

    /// Returns the text of the detail pane for a book that is not in the catalog.
    public func detail(ofMissing bookData: UserBookData) -> [TextView.Paragraph] {
        let bookData = userData.shown(bookData)
        return BookDetail.absent(bookData, shelves: shelfNames(of: bookData)).paragraphs
    }
}
