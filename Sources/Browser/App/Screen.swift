internal import Editing
internal import Search
internal import TerminalUI

/// A screen that can have the keyboard: the main screen, one that replaces it, a popup, an input line, or a question.
///
/// A new screen needs its own file, and in the table of commands a command that opens it.
protocol Screen: AnyObject {
    /// The context for commands.
    var context: CommandContext { get }
    /// The placement on the terminal.
    var placement: Placement { get }
    /// This screen, if keys are text in it.
    var textInput: (any TextInput)? { get }

    /// Returns the text of the title bar and the status line.
    func heading(_ app: App) -> Heading
    /// Sets the frames for `area`, the window without bars, and prepares the contents.
    func layout(in area: Rect, _ app: App)
    /// Draws the screen as it was laid out; changes no state.
    ///
    /// - Returns: The position of the cursor, which screen readers follow.
    func draw(on canvas: inout Canvas, _ app: App) -> Position

    /// Returns the keys for the hint bar while keys are text or answer a question; nil for those of the commands.
    func keyHints(_ app: App) -> [KeyHint]?
    /// Returns whether a command that applies in this context has an effect now.
    func canPerform(_ command: Command, _ app: App) -> Bool

    /// Returns the text of a command in the hint bar, if its effect now is another one than in the table of commands.
    func hintText(of command: Command) -> String?

    /// Handles a key before it is interpreted as a command; returns nil if it was not handled.
    func type(_ key: Key, _ app: App) -> Effect?
    /// Performs a command.
    func perform(_ request: CommandRequest, _ app: App) -> Response
    /// Handles a mouse event.
    func point(_ mouse: Mouse, _ app: App) -> Response
    /// Updates the screen after changes of the session.
    func sessionChanged(_ changes: SessionChanges, _ app: App)
    /// Returns the effect of the background work that the screen waits for, once that has ended.
    func awaited(_ app: App) -> Effect

    /// Returns the screen as text for a screen reader.
    func spoken(_ app: App) -> Spoken
    /// Whether a click closes it, if it is a question.
    var isClosedByClick: Bool { get }
    /// Stops the work of the screen after it was closed.
    func closed(_ app: App)
}

extension Screen {
    var textInput: (any TextInput)? { nil }
    func keyHints(_ app: App) -> [KeyHint]? { nil }
    func canPerform(_ command: Command, _ app: App) -> Bool { true }
    func hintText(of command: Command) -> String? { nil }
    func type(_ key: Key, _ app: App) -> Effect? { nil }
    func point(_ mouse: Mouse, _ app: App) -> Response { .done }
    func sessionChanged(_ changes: SessionChanges, _ app: App) {}
    func awaited(_ app: App) -> Effect { .none }
    var isClosedByClick: Bool { true }
    func closed(_ app: App) {}
}

/// The placement of a screen.
enum Placement {
    /// The window without the bars.
    case body
    /// A pane beside the panes of the main screen, which the mouse and commands also reach.
    case side
    /// A popup over part of the screens below.
    case popup
    /// A line in place of the status line; commands and the mouse also reach the screens below.
    case line
    /// A question in the status line; the next key answers it.
    case question

    /// Whether commands and the mouse do not reach the screens below.
    var coversWhatIsBelow: Bool {
        switch self {
        case .body, .popup: true
        case .side, .line, .question: false
        }
    }
}

/// The text of the bars for a screen.
struct Heading {
    /// The text of the title bar.
    var title: String
    /// The position in the screen: "2/11".
    var position: String
    /// How far down the screen the position is, in per cent: "44 %"; "" for nothing. Wide windows show it while there is
    /// no message.
    var share = ""
    /// The number of listed books for the title bar; nil if the screen lists all books, or none.
    var listed: String?
    /// What the status line shows at its end while there is no message.
    var note = ""
}

/// A key in the hint bar that is not in the table of commands.
struct KeyHint: Hashable {
    /// The keys, each with those that follow it; a hint with several has one for each direction.
    let alternatives: [[Key]]
    /// The effect of the key.
    let text: String

    /// Creates the hint of a key, and those that follow it.
    init(_ keys: Key..., text: String) { (alternatives, self.text) = ([keys], text) }

    /// Creates the hint of a key.
    init(_ key: Key, _ text: String) { self.init(key, text: text) }

    private init(alternatives: [[Key]], text: String) { (self.alternatives, self.text) = (alternatives, text) }

    /// Returns the hint of the keys that move to the next and previous row.
    static func arrows(_ text: String) -> KeyHint { KeyHint(alternatives: [[.down], [.up]], text: text) }
}

/// The result of a command for a screen.
enum Response {
    /// The command was performed, with this effect on the terminal.
    case done(Effect)
    /// The screen does not handle the command.
    case ignored

    /// The command was performed without an effect on the terminal.
    static var done: Response { .done(.none) }
}

/// The effect of an event on the terminal.
enum Effect {
    case none, repaint, suspend
    /// Change how the terminal shows screens, or takes input; nothing without screens.
    case adapt((any Terminal) -> Void)
    /// Release the terminal while the body runs.
    case releaseTerminal(() -> Void)
    case quit(App.Ending)

    /// Whether there is no effect.
    var isNone: Bool { if case .none = self { true } else { false } }
}

/// A screen in which keys are text first: search bar, dialogs, pickers, help's filter.
protocol TextInput: Screen {
    /// The typed text.
    var editor: LineEditor { get set }
    /// The prompt before the text.
    var prompt: String { get }
    /// The syntax error in the text, if any.
    var syntaxError: QuerySyntaxError? { get }

    /// Updates the screen after the text changed.
    func edited(_ app: App)
    /// Inserts pasted text.
    func pasted(_ text: String, _ app: App)
    /// Whether all characters are text, so that many that were typed ahead can be taken in at once.
    var takesTextAtOnce: Bool { get }
    /// Accepts the text.
    func accepted(_ app: App) -> Effect
    /// Closes the screen and discards the text.
    func cancelled(_ app: App)
    /// Completes the text with Tab.
    func complete(_ app: App)
}

extension TextInput {
    var textInput: (any TextInput)? { self }
    var syntaxError: QuerySyntaxError? { nil }
    var takesTextAtOnce: Bool { false }
    func edited(_ app: App) {}
    func complete(_ app: App) {}

    func pasted(_ text: String, _ app: App) {
        editor.insert(text)
        edited(app)
    }

    func type(_ key: Key, _ app: App) -> Effect? { typeText(key, app) }

    /// Edits the text by a key; other keys complete it, accept or cancel it, or move.
    func typeText(_ key: Key, _ app: App) -> Effect? {
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

    /// Movement and terminal commands work here too.
    private func typeOther(_ key: Key, _ app: App) -> Effect {
        guard let request = app.singleKeyRequest(by: key) else { return .none }
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
