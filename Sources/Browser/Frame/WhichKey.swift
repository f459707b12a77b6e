internal import Books
internal import Graphemes
internal import Library
internal import Shelves
internal import TerminalUI

/// The keys that can follow those typed, and their commands.
struct WhichKey {
    private let app: App

    /// Creates the popup for the keys typed in `app`.
    init(_ app: App) { self.app = app }

    /// A key that can follow.
    struct Entry {
        /// The label of the key.
        let label: String
        /// The command, the number of commands that the key leads to, or the bookmark it goes to.
        let text: String
        /// The key that a click on the entry types; nil for a note.
        var key: Key?
    }

    /// The popup at the bottom of an area, and the places of its entries, in as many columns as fit.
    private func layout(in area: Rect) -> (popup: Popup, places: [(entry: Entry, place: Rect)]) {
        let entries = entries
        let gap = 3
        let width = entries.reduce(0) { max($0, $1.label.displayColumns + 2 + $1.text.displayColumns) }
        let room = area.width - Popup.frameSize.columns
        let columns = max(1, min(entries.count, (room + gap) / (width + gap)))
        let rows = (entries.count + columns - 1) / columns
        let size = Size(rows: rows, columns: min(room, columns * (width + gap) - gap))
        let popup = Popup(in: area, contentSize: size, isAtBottom: true)
        let places = entries.enumerated().compactMap { number, entry -> (Entry, Rect)? in
            guard number % rows < popup.content.height else { return nil }
            let column = popup.content.column + number / rows * (width + gap)
            return (
                entry,
                Rect(
                    row: popup.content.row + number % rows, column: column, height: 1,
                    width: max(0, min(width, popup.content.endColumn - column)))
            )
        }
        return (popup, places)
    }

    /// Draws the popup at the bottom of `area`.
    func draw(in area: Rect, on canvas: inout Canvas) {
        let (popup, places) = layout(in: area)
        popup.draw(title, on: &canvas)
        for (entry, place) in places {
            let used = canvas.write(
                entry.label, row: place.row, column: place.column, width: place.width, style: Style(.strong, on: .popup)
            )
            canvas.write(
                entry.text, row: place.row, column: place.column + used + 2, width: place.width - used - 2,
                style: Style(on: .popup))
        }
    }

    /// Whether a position is in the popup at the bottom of `area`, with the key of the entry there.
    func point(at position: Position, in area: Rect) -> (isInside: Bool, key: Key?) {
        let (popup, places) = layout(in: area)
        return (popup.frame.contains(position), places.first { $0.place.contains(position) }?.entry.key)
    }

    private var argument: CommandArgument? { app.keys.commandAwaitingArgument?.info.argument }

    private var title: String {
        let typed = app.keys.pendingText
        return typed.isEmpty ? argument?.label ?? "" : typed
    }

    /// The keys that can follow.
    var entries: [Entry] {
        switch argument {
        case .rating: return ratings
        case .letter:
            let known = app.session.history.bookmarks.sorted { $0.letter < $1.letter }.map { bookmark in
                Entry(
                    label: String(bookmark.letter), text: app.session.text(of: bookmark.place),
                    key: .character(bookmark.letter))
            }
            return known.isEmpty ? [Entry(label: "a-z", text: "no bookmarks yet")] : known
        case .firstCharacter:
            let key = app.session.keyLabel(of: .goToLetter)
            return [Entry(label: "a-z", text: "the first letter, or a year before \(key)")]
        case .listNumber:
            return app.main.tabs.numberedLists.enumerated().map { number, list in
                Entry(label: String(number + 1), text: list.name, key: .character(Character(String(number + 1))))
            }
        case nil:
            return app.keys.continuations(in: app.front.context).compactMap { key, commands in
                let titles = commands.map(\.info).filter { app.session.has($0.needs) }.map(\.title)
                guard let first = titles.first else { return nil }
                if let command = commands.first, let number = app.keys.listNumber(of: key, for: command) {
                    return app.main.tabs.list(numbered: number).map { Entry(label: key.label, text: $0.name, key: key) }
                }
                let text = titles.count == 1 ? first : "\(first), … (\(titles.count))"
                return Entry(label: key.label, text: text, key: key)
            }
        }
    }

    private var ratings: [Entry] {
        let whole = (0...5).map { number in
            Entry(
                label: String(number), text: number == 0 ? "remove rating" : StarRating(whole: number).text,
                key: .character(Character(String(number))))
        }
        return whole
            + [("+", "½ more"), ("-", "½ less")].map { label, text in
                Entry(label: label, text: text, key: .character(Character(label)))
            }
    }
}
