/// What the reader can ask the browser to do. Each is declared once, here: keys, hint bar, help screen and the README's
/// table all come from this list.
public enum Command: String, CaseIterable, Sendable {
    case down, up, top, end
    case halfPageDown, halfPageUp, pageDown, pageUp
    case centre
    case open, back, lists, switchPane
    case detailDown, detailUp
    case favourite
    case cancel, help, reload, redraw, suspend, quit, interrupt
}

extension Command {
    /// What a command is called, which keys give it, and what it does.
    public struct Declaration: Sendable {
        /// What it is called.
        public var title: String
        /// The keys that give it, as a reader would type them: "gg", "^d", "PgDn"; the first is shown in hints.
        public var keys: [String]
        /// What it does, in a sentence.
        public var help: String
        /// The short name in the hint bar, and where it applies; nil where it is not shown there.
        public var hint: Hint?
    }

    /// A command's place in the hint bar.
    public struct Hint: Sendable {
        /// What it is called there.
        public var text: String
        /// Where it is shown. No set: to make the first one takes longer than all searches in these.
        public var contexts: [Context]
    }

    /// What has the keyboard.
    public enum Context: CaseIterable, Sendable {
        case lists, books, detail, help
    }

    /// What this command is.
    public var declaration: Declaration {
        switch self {
        case .down:
            .init(
                "Down", ["j", "Down"], "Go to the next row; with a count, so many rows: 5j.",
                hint: .init(text: "down", contexts: [.detail, .help]))
        case .up: .init("Up", ["k", "Up"], "Go to the row before; with a count, so many rows: 5k.")
        case .top: .init("Top", ["gg", "Home"], "Go to the first row; with a count, to that row: 120gg.")
        case .end: .init("End", ["G", "End"], "Go to the last row; with a count, to that row: 120G.")
        case .halfPageDown: .init("Half a page down", ["^d"], "Go down by half a screen.")
        case .halfPageUp: .init("Half a page up", ["^u"], "Go up by half a screen.")
        case .pageDown: .init("Page down", ["^f", "PgDn"], "Go down by a screen.")
        case .pageUp: .init("Page up", ["^b", "PgUp"], "Go up by a screen.")
        case .centre: .init("Centre", ["zz"], "Scroll so that the selected row is in the middle.")
        case .open:
            .init(
                "Open", ["Enter", "l", "Right"], "Open the list, or go to the detail of the book.",
                hint: .init(text: "open", contexts: [.lists, .books]))
        case .back:
            .init(
                "Back", ["h", "Left"], "Go back: from the detail to the list, from the list to the lists.",
                hint: .init(text: "back", contexts: [.detail]))
        case .lists:
            .init(
                "Lists", ["L", ","], "Show all lists with their counts.",
                hint: .init(text: "lists", contexts: [.books, .detail]))
        case .switchPane: .init("Switch pane", ["Tab"], "Go from the list to the detail, and back.")
        case .detailDown:
            .init(
                "Scroll the detail down", ["J"], "Scroll the detail of the book down, from either pane.")
        case .detailUp: .init("Scroll the detail up", ["K"], "Scroll the detail of the book up, from either pane.")
        case .favourite:
            .init(
                "Favourite", ["t", "*"], "Make the book a favourite, or no longer one. Saved at once.",
                hint: .init(text: "favourite", contexts: [.books, .detail]))
        case .cancel:
            .init(
                "Cancel", ["Esc"], "Forget the count or keys typed so far; close help; go from the detail to the list.",
                hint: .init(text: "close", contexts: [.help]))
        case .help:
            .init(
                "Help", ["?", "F1"], "Show all keys.", hint: .init(text: "help", contexts: [.lists, .books, .detail]))
        case .reload: .init("Reload", ["R"], "Read the catalog again from its file; the selected book stays selected.")
        case .redraw: .init("Redraw", ["^l"], "Draw the screen anew.")
        case .suspend: .init("Suspend", ["^z"], "Go to the shell; its command fg comes back.")
        case .quit:
            .init(
                "Quit", ["q", "Q"], "Leave stacks; the place is remembered. In help, q closes help.",
                hint: .init(text: "quit", contexts: [.lists, .books, .detail]))
        case .interrupt: .init("Interrupt", ["^c"], "Cancel, as Esc does; twice in a row, quit.")
        }
    }

    /// Whether the reader who gives it is content with the row they are at.
    var isAboutSelection: Bool {
        switch self {
        case .help, .redraw, .suspend, .quit, .interrupt: false
        default: true
        }
    }

    /// The first of its keys, as a reader knows it: "t", "Enter", "^d".
    public var firstKeyLabel: String {
        declaration.keys.first.map(KeyBindings.label(of:)) ?? ""
    }

    /// The commands that the hint bar shows in `context`, in the order of their declaration.
    static func hints(in context: Context) -> [(key: String, text: String)] {
        allCases.compactMap { command in
            guard let hint = command.declaration.hint, hint.contexts.contains(context) else { return nil }
            return (command.firstKeyLabel, hint.text)
        }
    }
}

extension Command.Declaration {
    fileprivate init(_ title: String, _ keys: [String], _ help: String, hint: Command.Hint? = nil) {
        self.init(title: title, keys: keys, help: help, hint: hint)
    }
}
