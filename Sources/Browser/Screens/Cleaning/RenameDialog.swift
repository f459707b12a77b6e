internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import TerminalUI
internal import Text

/// The line for the new name of a value; it says in how many books that changes it.
final class RenameDialog: LineInput {
    let context = CommandContext.prompt
    var editor: LineEditor
    private let old: String
    private let field: BookField
    private let bookCount: Int
    private let below: any Screen
    private let rename: ([String]) -> Void

    /// Creates the line with the present name, above a screen.
    ///
    /// - Parameter rename: Called with the new values: several for a list, none to delete it.
    init(
        _ old: String, of field: BookField, bookCount: Int, above screen: any Screen,
        rename: @escaping ([String]) -> Void
    ) {
        (self.old, self.field, self.bookCount, below, self.rename) = (old, field, bookCount, screen, rename)
        editor = LineEditor(field.isList ? FieldInput.text(ofListItem: old) : old)
    }

    var prompt: String { "New name: " }

    func screenBelow(_ app: App) -> any Screen { below }

    /// The values typed.
    private var items: [String] {
        field.isList ? FieldInput.items(of: editor.text) : [editor.text.onOneLine].filter { !$0.isEmpty }
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        let books = bookCount.of("book")
        let items = items
        let verb =
            switch items.count {
            case 0: "delete it in \(books)"
            case 1 where items[0] == old: nil as String?
            case 1: "rename in \(books)"
            default: "\(items.count) values in \(books)"
            }
        return [verb.map { KeyHint(.enter, $0) }, KeyHint(.escape, "cancel")].compactMap(\.self)
    }

    func accepted(_ app: App) -> Effect {
        app.close(self)
        if items != [old] { rename(items) }
        return .none
    }
}
