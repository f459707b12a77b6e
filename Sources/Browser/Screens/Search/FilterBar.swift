internal import Graphemes
internal import TerminalUI

/// A screen whose contents can be filtered by words.
protocol FilterableScreen: Screen {
    /// The words of the filter; "" shows everything.
    var filter: String { get }
    /// Whether the contents are printed for screen readers after every key, because they are short.
    var isSpokenWhileFiltering: Bool { get }

    /// Shows the contents that contain all words of `text`.
    func show(matching text: String)
}

/// The input line of a filter; the screen updates with every key.
final class FilterBar: LineInput {
    let context = CommandContext.search
    let prompt = "/"
    var editor: LineEditor
    private let screen: any FilterableScreen

    /// Creates the line for `screen`, with its current filter.
    init(_ screen: any FilterableScreen) {
        self.screen = screen
        editor = LineEditor(screen.filter)
    }

    func screenBelow(_ app: App) -> any Screen { screen }

    func edited(_ app: App) { screen.show(matching: editor.text) }

    func accepted(_ app: App) -> Effect {
        app.close(self)
        return .none
    }

    func cancelled(_ app: App) {
        app.close(self)
        screen.show(matching: "")
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        [KeyHint(.enter, "keep"), .arrows("move"), KeyHint(.escape, "show all")]
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: screen.context, typed: (prompt + editor.text).sanitized,
            content: screen.isSpokenWhileFiltering ? screen.spoken(app).content : .nothing)
    }
}
