internal import Search
internal import TerminalUI

/// What can have the keyboard: the main screen, a screen in its place, a popup, a line of input, a question.
///
/// Adding one takes its file, and a command that opens it in the table of commands.
protocol Screen: AnyObject {
    /// What has the keyboard there: which commands apply.
    var context: CommandContext { get }
    /// Where it stands.
    var placement: Placement { get }

    /// What the title bar and the status line say of it.
    func heading(_ app: App) -> Heading
    /// Takes its place in `area`, the window without bars, and makes ready what it shows.
    func layout(in area: Rect, _ app: App)
    /// Draws itself as it was laid out; changes nothing.
    ///
    /// - Returns: Where the cursor belongs: screen readers follow it.
    func draw(on canvas: inout Canvas, _ app: App) -> Position

    /// The keys that the hint bar shows while keys type text or answer a question; nil for those of the commands.
    func keyHints(_ app: App) -> [KeyHint]?
    /// Returns whether a command that applies in this context can do anything now.
    func canPerform(_ command: Command, _ app: App) -> Bool

    /// Does what a key does here before it can give a command; nil if it may.
    func type(_ key: Key, _ app: App) -> Effect?
    /// Does what was asked for.
    func perform(_ request: CommandRequest, _ app: App) -> Response
    /// Does what the mouse asks for.
    func point(_ mouse: Mouse, _ app: App) -> Response
    /// Takes over what became of the session.
    func sessionChanged(_ changes: SessionChanges, _ app: App)

    /// What is told of it where there is no screen.
    func spoken(_ app: App) -> Spoken
    /// Ends what goes on in it, as it was closed.
    func closed(_ app: App)
}

extension Screen {
    func keyHints(_ app: App) -> [KeyHint]? { nil }
    func canPerform(_ command: Command, _ app: App) -> Bool { true }
    func type(_ key: Key, _ app: App) -> Effect? { nil }
    func point(_ mouse: Mouse, _ app: App) -> Response { .done }
    func sessionChanged(_ changes: SessionChanges, _ app: App) {}
    func closed(_ app: App) {}
}

/// Where a screen stands.
enum Placement {
    /// It has the window, without bars.
    case body
    /// It covers a part of what is below it.
    case popup
    /// It is a line in place of the status line; commands and the mouse reach what is below it.
    case line
    /// It is a sentence in the status line; the next key answers it.
    case question

    /// Whether commands and the mouse do not reach what is below it.
    var coversWhatIsBelow: Bool {
        switch self {
        case .body, .popup: true
        case .line, .question: false
        }
    }
}

/// What the bars say of a screen.
struct Heading {
    /// What the title bar says.
    var title: String
    /// Where in it the reader is: "2/11".
    var position: String
    /// Whether the status line names the format of the catalog.
    var namesFormat = true
}

/// A key in the hint bar that is no command of the table.
struct KeyHint: Hashable {
    /// The label of the key.
    var key: String
    /// The effect of the key.
    var text: String

    /// The hint of a key.
    init(_ key: Key, _ text: String) { (self.key, self.text) = (key.label, text) }

    /// The hint of the keys that move to the next and previous row.
    static func arrows(_ text: String) -> KeyHint {
        var hint = KeyHint(.down, text)
        hint.key += " " + Key.up.label
        return hint
    }
}

/// What became of a command.
enum Response {
    /// It was done, with this for the terminal to do.
    case done(Effect)
    /// It is not for this screen.
    case ignored

    /// It was done, and the terminal has nothing to do.
    static var done: Response { .done(.none) }
}

/// What the terminal has to do after an event.
enum Effect {
    case none, repaint, suspend
    /// Leave the terminal to what is done meanwhile.
    case releaseTerminal(() -> Void)
    case quit(App.Ending)

    /// Whether it is nothing.
    var isNone: Bool { if case .none = self { true } else { false } }
}

/// A screen in which keys are text first: search bar, dialogs, pickers, help's filter.
protocol TextInput: Screen {
    /// What is typed.
    var editor: LineEditor { get set }
    /// What stands before it.
    var prompt: String { get }
    /// The syntax error in what is typed, if any.
    var fault: QuerySyntaxError? { get }

    /// Takes over that the text is another.
    func edited(_ app: App)
    /// Inserts pasted text.
    func pasted(_ text: String, _ app: App)
    /// Does what was typed.
    func accepted(_ app: App) -> Effect
    /// Closes without it.
    func cancelled(_ app: App)
    /// Completes what is typed, with Tab.
    func complete(_ app: App)
}

extension TextInput {
    var fault: QuerySyntaxError? { nil }
    func edited(_ app: App) {}
    func complete(_ app: App) {}

    func pasted(_ text: String, _ app: App) {
        editor.insert(text)
        edited(app)
    }

    func type(_ key: Key, _ app: App) -> Effect? {
        switch editor.react(to: key) {
        case .edited: edited(app)
        case .moved: break
        case .accepted: return accepted(app)
        case .cancelled: cancelled(app)
        case .notHandled where key == .tab: complete(app)
        case .notHandled: return typeOther(key, app)
        }
        return Effect.none
    }

    /// Movement and what concerns the terminal works while other keys type text, too.
    private func typeOther(_ key: Key, _ app: App) -> Effect {
        guard let request = app.requestAtOnce(by: key) else { return .none }
        switch request.command {
        case .move(.down), .move(.up), .move(.pageDown), .move(.pageUp), .move(.top), .move(.end), .suspend, .redraw:
            return app.perform(request)
        case .interrupt:
            cancelled(app)
            app.sayHowToQuit()
        default: break
        }
        return .none
    }
}
