internal import Books
internal import Catalog
internal import Formats
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import Text

/// The books that the user exports, and a name for the file.
struct ExportedBooks {
    /// The books of the catalog, in the order of the list.
    var books: BookList
    /// The books of the list that are missing from the catalog.
    var missing: [(identity: BookIdentity, bookData: UserBookData)] = []
    /// The suggested file name, without extension.
    var name: String
    /// The heading of a page with the books; nil for a general one.
    var title: String?

    /// The number of books.
    var count: Int { books.count + missing.count }

    /// Returns a path in the current directory for a file of this format that does not exist yet.
    func proposedPath(for format: ExportFormat) -> String {
        let ending = format.endings[0]
        let numbered = (2...999).lazy.map { "\(name)-\($0)\(ending)" }
        let plain = name + ending
        if ReplacementFile.occupant(of: plain) == nil { return plain }
        return numbered.first { ReplacementFile.occupant(of: $0) == nil } ?? plain
    }
}

extension Session {
    /// Returns the selected books, or else the books of the open list, or of `list` if it is another one. Returns nil
    /// and shows a message if there are none or the list is incomplete.
    func exportedBooks(of list: NamedList?) -> ExportedBooks? {
        let exported: ExportedBooks
        if library.store.remote != nil { return exportedBooksOfServer }
        if let list, list != books.list {
            guard isComplete else { return nil }
            exported = ExportedBooks(
                books: library.books(in: list), missing: library.missingUserData(in: list), name: name(of: list),
                title: title(of: list))
        } else if let selected = selectedBooks {
            exported = ExportedBooks(books: selected, name: "selection")
        } else {
            guard isComplete else { return nil }
            let query = books.request.query.text
            exported = ExportedBooks(
                books: books.rows.list, missing: books.rows.missing,
                name: query.fileName.isEmpty ? name(of: books.list) : query.fileName,
                title: query.nonEmpty ?? title(of: books.list))
        }
        if exported.count == 0 {
            status.say(.nothingToExport)
            return nil
        }
        return exported
    }

    /// The selected books of a server, once all of them are loaded; nil, with a message, otherwise.
    private var exportedBooksOfServer: ExportedBooks? {
        guard let selected = selectedBooks else {
            status.say(.selectToExport, keyLabel(of: .selectRow))
            return nil
        }
        let pending = (0..<selected.count).count { library.store.book(selected[$0]) == .pending }
        guard pending == 0 else {
            status.say(.stillLoading)
            return nil
        }
        return ExportedBooks(books: selected, name: "selection")
    }

    /// The selected books in the order of the open list, then those that are not in the list; nil if none is selected.
    private var selectedBooks: BookList? {
        books.endRange()
        let selected = books.rows.selection.books
        if selected.isEmpty { return nil }
        let list = books.rows.list
        var listed = BookSet()
        let ids = (0..<list.count).lazy.map { list[$0] }.filter(selected.contains)
        var ordered = Array(ids)
        if ordered.count < selected.count {
            ordered.forEach { listed.insert($0) }
            ordered += selected.ids.filter { !listed.contains($0) }
        }
        return BookList(ordered)
    }

    /// Whether all books of the open list are known; shows a message if not.
    private var isComplete: Bool {
        if library.store.state.isLoading {
            status.say(.stillLoading)
            return false
        }
        if books.progress != nil {
            status.say(.stillSearching)
            return false
        }
        return true
    }

    private func title(of list: NamedList) -> String? { list == .all ? nil : list.name }

    private func name(of list: NamedList) -> String {
        if list == .all {
            let name = library.store.name.split(separator: ".").first.map { String($0).fileName } ?? ""
            return name.isEmpty ? "books" : name + "-export"
        }
        return list.name.fileName.isEmpty ? "books" : list.name.fileName
    }
}

extension String {
    /// The letters and digits of this text as a file name, with hyphens for the characters between words.
    fileprivate var fileName: String {
        let words = lowercased().prefix(60).split { !$0.isLetter && !$0.isNumber }
        return words.joined(separator: "-")
    }
}
