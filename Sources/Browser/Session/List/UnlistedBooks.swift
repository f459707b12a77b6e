internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import TerminalUI

/// Selected books that the open list does not show: a command asks before it changes them.
extension BookListModel {
    /// The number of selected books that the open list has, wherever it is scrolled; linear in the list once it or the
    /// selection changes.
    var listedSelectionCount: Int {
        let selected = rows.selection.books
        if selected.isEmpty { return 0 }
        if let known = rows.listedSelectionCount { return known }
        let count: Int
        if let list = rows.books as? BookList {
            count =
                list.isAll(of: library.store.index.count)
                ? selected.count : (0..<list.count).count { selected.contains(list[$0]) }
        } else {
            // A server's rows that are not at hand count as not listed.
            count = selected.ids.count { rows.books.row(of: $0) != nil }
        }
        rows.listedSelectionCount = count
        return count
    }

    /// What the title bar says if the list does not have all selected books: " · 2 selected, none listed"; "" otherwise.
    var unlistedText: String {
        let selected = selectedCount
        let unlisted = rows.selection.books.count - listedSelectionCount
        if unlisted == 0 { return "" }
        return " · \(selected.grouped) selected, " + (selected == unlisted ? "none" : (selected - unlisted).grouped)
            + " listed"
    }
}

extension Command {
    /// Returns what the command does to `books`: "Mark 2 selected books as read".
    fileprivate func phrase(of books: String) -> String {
        switch self {
        case .favourite: Message.actionFavourite.text(books)
        case .status(let status?), .statusOn(let status): Message.actionStatus.text(books, status.shown.lowercased())
        case .status(nil): Message.actionNoStatus.text(books)
        case .progress: Message.actionProgress.text(books)
        case .rate: Message.actionRate.text(books)
        case .note: Message.actionNote.text(books)
        case .putOnShelf: Message.actionPutOnShelf.text(books)
        case .takeOffShelf: Message.actionTakeOffShelf.text(books)
        case .deleteBook: Message.actionDelete.text(books)
        case .moveBook: Message.actionMove.text(books)
        default: Message.actionEdit.text(books)
        }
    }
}

extension App {
    /// Asks whether a command is to change selected books that the open list does not show.
    ///
    /// - Returns: False if it changes none.
    func asksAboutUnlisted(_ request: CommandRequest) -> Bool {
        guard let changed = request.command.info.changes, changed != .other else { return false }
        let model = session.books
        model.endRange()
        let count = model.rows.selection.books.count
        let unlisted = count - model.listedSelectionCount
        // A command that takes one book says so.
        guard unlisted > 0, count == 1 || changed == .selectedBooks else { return false }
        let books = count.of("selected book")
        let subject = unlisted == count ? Message.notListed.text(books, count == 1 ? "is" : "are") : books
        let isPossible = model.table.currentRow != nil
        let rest = " (" + Message.someNotListed.text(unlisted.grouped, unlisted == 1 ? "is" : "are") + ")"
        let question = request.command.phrase(of: subject) + (unlisted < count ? rest : "") + "?"
        let verb = request.command == .deleteBook ? "delete" : "change"
        let other = isPossible ? KeyHint(.character("n"), "this one") : nil
        push(
            ConfirmDialog(question, below: top, self, verbs: (verb, "cancel"), other: other) { answer, app in
                switch answer {
                case .confirmed: return app.perform(request, answered: .confirmed)
                case .other: return app.perform(request, answered: .passedOver)
                case .kept:
                    app.session.status.say(.unlistedKept, books)
                    return .none
                }
            })
        return true
    }

    private func perform(_ request: CommandRequest, answered use: RowSelection.Use) -> Effect {
        guard case .done(let effect) = respond(to: request, use) else { return .none }
        return effect
    }
}
