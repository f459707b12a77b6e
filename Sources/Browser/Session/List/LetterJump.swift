internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// Going to the first book at a letter or number in the order of the list.
extension BookListModel {
    /// Whether a list can go to what was typed.
    enum LetterJump {
        /// Its order has letters or numbers like this one.
        case possible
        /// Its order has numbers, but a letter was typed.
        case needsNumber
        /// Its order has neither letters nor numbers.
        case impossible
    }

    /// Returns whether the list can go to `text`, a letter or number; among letters, a number is the start of a title.
    func letterJump(to text: String) -> LetterJump {
        let (takesLetters, takesNumbers): (Bool, Bool)
        if let grouping = request.grouping {
            (takesLetters, takesNumbers) = (grouping.hasLetters ?? false, grouping.hasLetters != nil)
        } else {
            guard let key = request.order.criteria.first?.key else { return .impossible }
            (takesLetters, takesNumbers) = (SortTarget("a", for: key) != nil, SortTarget("1", for: key) != nil)
        }
        if takesLetters || takesNumbers && Int(text) != nil { return .possible }
        return takesNumbers ? .needsNumber : .impossible
    }

    /// Goes to the first book at a letter or number of the order, as soon as the order is known.
    func goToFirstBook(at text: String) {
        if let remote = library.store.remote {
            pendingJump = .letter(text)
            switch remote.row(ofFirstBookAt: text, in: rows.books) {
            case .ready(let row):
                table.select(row, top: row)
                pendingJump = nil
            case .pending: break
            case .failed, .gone:
                status.say(.noLettersOnServer, library.store.name)
                pendingJump = nil
            }
            return
        }
        pendingJump = library.store.state.isLoading || progress != nil ? .letter(text) : nil
        if let row = firstRow(at: text) { table.select(row, top: row) }
    }

    /// Returns the first row of a local list at a letter or number, as typed, or of the next one; nil if the list has no
    /// such order.
    private func firstRow(at text: String) -> Int? {
        if let sections = rows.sections {
            return sections.section(at: text).map { sections.rows(ofSection: $0).lowerBound }
        }
        guard let criterion = request.order.criteria.first, let target = SortTarget(text, for: criterion.key) else {
            return nil
        }
        return min(library.store.index.row(at: target, by: criterion, in: rows.list), max(0, rows.list.count - 1))
    }
}
