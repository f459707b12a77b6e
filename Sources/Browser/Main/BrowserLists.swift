internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import TerminalUI

/// The reader's shelves and queries as lists: making, naming, moving and deleting them.
extension Browser {
    // MARK: - Prompts

    /// Asks for the name of a new shelf.
    func askForShelf() { prompt = InputDialog(purpose: .newShelf, editor: LineEditor()) }

    /// Asks for another name of the selected list.
    func askForName() {
        guard let list = selectedOwnList else { return }
        prompt = InputDialog(purpose: .rename(list), editor: LineEditor(list.name))
    }

    /// Asks for a name for what is searched for.
    func askForQueryName() {
        let request = listing.request
        guard request.query.expression != .everything else {
            message = "There is no search to save: \(keyLabel(of: .search)) begins one"
            return
        }
        acceptSearch()
        let sort = request.order == .list ? nil : request.order.description
        prompt = InputDialog(
            purpose: .saveQuery(text: textOfListedQuery, sort: sort), editor: LineEditor(request.query.text))
    }

    /// A query that finds in all books what is listed: what is searched for, and what the open list has in common.
    private var textOfListedQuery: String {
        let text = listing.request.query.text
        let common: String
        switch list.kind {
        case .all, .status: return text
        case .favourites: common = "is:favourite"
        case .shelf: common = "on:\"\(list.name.filter { $0 != "\"" && $0 != "\\" })\""
        case .query: common = library.query(of: list).map { Self.grouped($0.text) } ?? ""
        }
        return common + " " + Self.grouped(text)
    }

    /// A query as a part of another one.
    private static func grouped(_ text: String) -> String { text.contains("|") ? "(\(text))" : text }

    /// That no other list has the name, those that are not the reader's among them.
    func checkName(_ name: String, of list: NamedList? = nil) throws(ShelvesError) {
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        if let other = library.lists.first(where: { $0.name.lowercased() == name && $0 != list }) {
            throw .nameIsTaken(other.name)
        }
    }

    /// The selected list, where it is one that the reader made; else nil, and a message.
    private var selectedOwnList: NamedList? {
        guard let row = listsTable.selectedRow, library.lists[row].isReadersOwn else {
            message = "Only shelves and queries of your own can be renamed, moved and deleted"
            return nil
        }
        return library.lists[row]
    }

    /// What a key does in the prompt.
    func reactInPrompt(to key: Key) -> Reaction {
        guard var prompt else { return .carryOn }
        let outcome = prompt.editor.react(to: key)
        self.prompt = prompt
        switch outcome {
        case .edited, .moved: break
        case .accepted:
            self.prompt = nil
            accept(prompt)
        case .cancelled: self.prompt = nil
        case .notHandled:
            return reactToOtherKey(key) { _ in
            } interrupting: {
                self.prompt = nil
            }
        }
        return .carryOn
    }

    private func accept(_ prompt: InputDialog) {
        var made: NamedList?
        do throws(ShelvesError) {
            try offeringUndo { () throws(ShelvesError) in made = try make(prompt.purpose, named: prompt.editor.text) }
        } catch {
            message = error.sentence
            // What was typed is not lost.
            if case .notSaved = error {} else { self.prompt = prompt }
        }
        showChanges()
        if focus == .lists, let made, let row = library.lists.firstIndex(of: made) { listsTable.select(row) }
    }

    /// Makes or renames what was asked for.
    ///
    /// - Returns: The list that is new; nil where none is.
    private func make(_ purpose: InputDialog.Purpose, named name: String) throws(ShelvesError) -> NamedList? {
        switch purpose {
        case .newShelf:
            try checkName(name)
            let shelf = try library.shelves.makeShelf(named: name)
            message = "New shelf: \(shelf.name)"
            return NamedList(.shelf(shelf.id), name: shelf.name)
        case .saveQuery(let text, let sort):
            try checkName(name)
            let query = try library.shelves.saveQuery(named: name, text: text, sort: sort)
            message = "Saved: \(query.name)"
            return NamedList(.query(query.id), name: query.name)
        case .rename(let list):
            try checkName(name, of: list)
            switch list.kind {
            case .shelf(let id): try library.shelves.renameShelf(id, to: name)
            case .query(let id): try library.shelves.renameQuery(id, to: name)
            case .all, .favourites, .status: break
            }
            let renamed = library.lists.first { $0 == list }
            message = renamed.map { "Renamed: \($0.name)" } ?? "\(list.name) was deleted meanwhile"
            return nil
        }
    }

    // MARK: - Moving and deleting

    /// Moves the selected list among those of its kind.
    func moveList(by step: Int) {
        guard let list = selectedOwnList else { return }
        makeListChange { () throws(FileError) in
            switch list.kind {
            case .shelf(let id):
                guard let index = library.shelves.shelves.firstIndex(where: { $0.id == id }) else { return }
                try library.shelves.moveShelf(id, to: min(max(0, index + step), library.shelves.shelves.count - 1))
            case .query(let id):
                guard let index = library.shelves.queries.firstIndex(where: { $0.id == id }) else { return }
                try library.shelves.moveQuery(id, to: min(max(0, index + step), library.shelves.queries.count - 1))
            case .all, .favourites, .status: break
            }
        }
        if let row = library.lists.firstIndex(of: list) { listsTable.select(row) }
    }

    /// Asks whether the selected list is to be deleted: another key than the one that asks must say so.
    func askToDelete() {
        guard let list = selectedOwnList else { return }
        listToDelete = list
        let what: String
        if case .shelf = list.kind {
            what = "the shelf \(list.name) with \((library.count(of: list) ?? 0).of("book"))"
        } else {
            what = "the query \(list.name)"
        }
        message = "Delete \(what)? y deletes it, any other key keeps it"
    }

    /// Deletes the list that the reader was asked about, where `key` says so.
    func answerToDelete(_ list: NamedList, with key: Key) {
        listToDelete = nil
        guard key == .character("y") else {
            message = "Kept: \(list.name)"
            return
        }
        message = "Deleted: \(list.name); \(keyLabel(of: .undo)) brings it back"
        makeListChange { () throws(FileError) in
            switch list.kind {
            case .shelf(let id): try library.shelves.deleteShelf(id)
            case .query(let id): try library.shelves.deleteQuery(id)
            case .all, .favourites, .status: break
            }
        }
    }

    private func makeListChange(_ body: () throws(FileError) -> Void) {
        do throws(FileError) {
            try offeringUndo(body)
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        showChanges()
    }
}

extension ShelvesError {
    /// What is wrong, and what to do.
    var sentence: String {
        switch self {
        case .nameIsBlank: "A name has at least one letter"
        case .nameIsTaken(let name): "There is a list called \(name) already: choose another name"
        case .notSaved(let error):
            "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
    }
}
