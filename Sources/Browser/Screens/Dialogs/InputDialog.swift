internal import Library
internal import TerminalUI

/// The dialog for the name of a list.
final class InputDialog: LineInput {
    /// The purpose of the text.
    enum Purpose: Hashable {
        /// The name of a new shelf.
        case newShelf
        /// The new name of a list.
        case rename(NamedList)
        /// The name of a saved search with this query and sort order.
        case saveQuery(text: String, sort: String?)
    }

    let context = CommandContext.prompt
    var editor: LineEditor
    private let purpose: Purpose

    /// Creates a dialog that suggests `text`, selected; to rename a list, its present name.
    init(_ purpose: Purpose, text: String = "") {
        self.purpose = purpose
        editor = if case .rename(let list) = purpose { LineEditor(list.name) } else { LineEditor(selecting: text) }
    }

    /// The full prompt.
    var prompt: String {
        switch purpose {
        case .newShelf: "Name of the new shelf: "
        case .rename: "New name: "
        case .saveQuery: "Name of this saved search: "
        }
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        let verb =
            switch purpose {
            case .newShelf: "create"
            case .rename: "rename"
            case .saveQuery: "save"
            }
        return [KeyHint(.enter, verb), KeyHint(.escape, "cancel")]
    }

    func prompt(width: Int) -> String {
        // Most of the line is for the text.
        prompt.count + 16 > width ? "Name: " : prompt
    }

    func accepted(_ app: App) -> Effect {
        app.close(self)
        let (list, isRefused) = app.session.make(purpose, named: editor.text)
        // The typed name is kept.
        if isRefused { app.push(self) }
        if app.main.focus == .lists, let list {
            app.main.lists.table.reloadData()
            app.main.lists.select(list)
        }
        return .none
    }
}
