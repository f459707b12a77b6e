internal import Catalog
public import Indexing
public import Library
public import Shelves
public import TerminalUI

extension Library {
    /// Returns the names of the shelves that contain a book with this user data.
    func shelfNames(of bookData: UserBookData) -> [String] {
        userData.shelves.filter { bookData.shelves.contains($0.id) }.map(\.name)
    }

    /// Returns all details of a book, each with its label.
    public func detail(of id: BookID) -> [TextView.Paragraph] {
        let bookData = userData(of: id)
        return BookDetail(
            store.book(id), shelves: bookData.map(shelfNames(of:)) ?? [], bookData: bookData,
            directory: store.libraryDirectory
        ).labelled
    }

    /// Returns the user data of a book that is not in the catalog, each value with its label.
    public func detail(ofMissing bookData: UserBookData) -> [TextView.Paragraph] {
        let bookData = userData.shown(bookData)
        return BookDetail.absent(bookData, shelves: shelfNames(of: bookData)).labelled
    }
}
