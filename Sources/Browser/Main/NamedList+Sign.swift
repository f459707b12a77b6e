internal import Books
internal import Catalog
internal import Library
internal import TerminalUI

extension NamedList {
    /// The sign before the name of the list: that of its books, ▪ for a shelf and ⌕ for a saved search; "" for others.
    var sign: String {
        switch kind {
        case .favourites: "★"
        case .status(let status): status.sign
        case .shelf: "▪"
        case .query, .tidyUp: "⌕"
        default: ""
        }
    }

    /// The style of the sign.
    var signStyle: Style {
        switch kind {
        case .favourites: .sign
        case .status(let status) where status.role != .plain: Style(status.role)
        default: .secondary
        }
    }
}

extension Library {
    /// Returns the number of books in a list as text: "1,000", "about 50,000,000", or "…" while they are being counted.
    func countText(of list: NamedList) -> String {
        if store.local == nil {
            if list == .all { return store.count.shown }
            // Only the server knows what it would find.
            if case .query = list.kind { return BookCount.unknown.shown }
        }
        return count(of: list)?.text ?? "…"
    }
}
