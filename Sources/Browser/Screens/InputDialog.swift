internal import Library
internal import TerminalUI

/// A line of text that the reader is asked for.
struct InputDialog {
    /// What the text is for.
    enum Purpose: Hashable {
        /// The name of a new shelf.
        case newShelf
        /// Another name for a list.
        case rename(NamedList)
        /// The name of a query that is saved, with its text and order.
        case saveQuery(text: String, sort: String?)
    }

    /// What it is for.
    let purpose: Purpose
    /// What was typed so far.
    var editor: LineEditor

    /// What stands before it in a line of `width` columns, most of which are for what is typed.
    func label(inWidth width: Int) -> String { label.count + 16 <= width ? label : "Name: " }

    /// What stands before it, in full.
    var label: String {
        switch purpose {
        case .newShelf: "Name of the new shelf: "
        case .rename: "New name: "
        case .saveQuery: "Name of this query: "
        }
    }
}
