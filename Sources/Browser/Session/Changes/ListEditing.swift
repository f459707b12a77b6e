internal import Catalog
internal import Library
internal import Search
internal import Shelves
internal import Storage

/// Creating, renaming, moving and deleting shelves and saved searches.
extension Session {
    /// Throws if another list has the name; built-in lists count.
    func checkName(_ name: String, of list: NamedList? = nil) throws(ShelvesError) {
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        if let other = library.lists.first(where: { $0.name.lowercased() == name && $0 != list }) {
            throw .nameIsTaken(other.name)
        }
    }

    /// Creates or renames a list, shows a message, and updates the lists.
    ///
    /// - Returns: The new list, if any, and whether the name was refused and can be typed again.
    func make(_ purpose: InputDialog.Purpose, named name: String) -> (list: NamedList?, isRefused: Bool) {
        var made: NamedList?
        var isRefused = false
        do throws(ShelvesError) {
            try offeringUndo { () throws(ShelvesError) in
                switch purpose {
                case .newShelf: made = try newShelf(named: name)
                case .saveQuery(let text, let sort): made = try newSavedSearch(named: name, text: text, sort: sort)
                case .rename(let list): try rename(list, to: name)
                }
            }
        } catch {
            status.say(error.sentence)
            // A name that was typed is kept.
            if case .notSaved = error {} else { isRefused = true }
        }
        showChanges()
        return (made, isRefused)
    }

    private func newShelf(named name: String) throws(ShelvesError) -> NamedList {
        try checkName(name)
        let shelf = try library.userData.makeShelf(named: name)
        status.say(.shelfCreated, shelf.name)
        return NamedList(.shelf(shelf.id), name: shelf.name)
    }

    private func newSavedSearch(named name: String, text: String, sort: String?) throws(ShelvesError) -> NamedList {
        try checkName(name)
        let query = try library.userData.saveQuery(named: name, text: text, sort: sort)
        status.say(.searchSaved, query.name)
        return NamedList(.query(query.id), name: query.name)
    }

    private func rename(_ list: NamedList, to name: String) throws(ShelvesError) {
        try checkName(name, of: list)
        switch list.kind {
        case .shelf(let id): try library.userData.renameShelf(id, to: name)
        case .query(let id): try library.userData.renameQuery(id, to: name)
        case .all, .favourites, .status, .upNext, .tidyUp: break
        }
        let renamed = library.lists.first { $0 == list }
        status.say(renamed.map { Message.listRenamed.text($0.name) } ?? Message.listIsGone.text(list.name))
    }

    /// Moves a list up or down among the lists of its kind.
    func move(_ list: NamedList, by step: Int) {
        changeLists { () throws(FileError) in
            switch list.kind {
            case .shelf(let id):
                guard let index = library.userData.shelves.firstIndex(where: { $0.id == id }) else { return }
                try library.userData.moveShelf(id, to: min(max(0, index + step), library.userData.shelves.count - 1))
            case .query(let id):
                guard let index = library.userData.queries.firstIndex(where: { $0.id == id }) else { return }
                try library.userData.moveQuery(id, to: min(max(0, index + step), library.userData.queries.count - 1))
            case .all, .favourites, .status, .upNext, .tidyUp: break
            }
        }
    }

    /// Deletes a list.
    func delete(_ list: NamedList) {
        status.say(.listDeleted, list.name, keyLabel(of: .undo))
        changeLists { () throws(FileError) in
            switch list.kind {
            case .shelf(let id): try library.userData.deleteShelf(id)
            case .query(let id): try library.userData.deleteQuery(id)
            case .all, .favourites, .status, .upNext, .tidyUp: break
            }
        }
    }

    private func changeLists(_ body: () throws(FileError) -> Void) {
        do throws(FileError) {
            try offeringUndo(body)
        } catch {
            status.say(error.retrySentence)
        }
        showChanges()
    }

    /// A query that finds the listed books in all books: the current search, combined with the condition of the open
    /// list.
    var textOfListedQuery: String {
        let text = books.request.query.text
        let common: String
        switch books.list.kind {
        case .all, .status, .upNext: return text
        case .favourites: common = "is:favourite"
        case .shelf: common = "on:\"\(books.list.name.filter { $0 != "\"" && $0 != "\\" })\""
        case .query, .tidyUp: common = library.query(of: books.list).map { Self.grouped($0.text) } ?? ""
        }
        return common + " " + Self.grouped(text)
    }

    /// A query in parentheses if it needs them as part of another query.
    private static func grouped(_ text: String) -> String { text.contains("|") ? "(\(text))" : text }
}

extension ShelvesError {
    /// The cause of the error and the next step.
    var sentence: String {
        switch self {
        case .nameIsBlank: Message.nameIsBlank.text()
        case .nameIsTaken(let name): Message.nameIsTaken.text(name)
        case .notSaved(let error): error.retrySentence
        }
    }
}
