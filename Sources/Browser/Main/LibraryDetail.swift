internal import Catalog
public import Indexing
public import Library
public import Shelves
public import TerminalUI

extension Library {
    /// The names of the reader's lists that a mark puts its book into.
    func shelfNames(of mark: UserBookData) -> [String] {
        (mark.isFavourite ? [NamedList.favourites.name] : [])
            + shelves.shelves.filter { mark.shelves.contains($0.id) }.map(\.name)
    }

    /// The text of the detail pane for a book.
    public func detail(of id: BookID) -> [TextView.Paragraph] {
        let mark = mark(of: id)
        return BookDetail(store.book(id), shelves: mark.map(shelfNames(of:)) ?? [], mark: mark).paragraphs
    }

    /// The text of the detail pane for a mark whose book is not in the catalog.
    public func detail(ofMissing mark: UserBookData) -> [TextView.Paragraph] {
        let mark = shelves.shown(mark)
        return BookDetail.absent(mark, shelves: shelfNames(of: mark)).paragraphs
    }
}
