private import Foundation
public import TerminalUI

/// A terminal that plays a script of events and records the screens.
public final class ScriptedTerminal: Terminal {
    /// The current size of the window; a script changes it with `Step.resize`.
    public private(set) var size: Size
    /// All shown screens, oldest first.
    public private(set) var screens: [Canvas] = []
    /// The position of the cursor on the last screen.
    public private(set) var cursor = Position(row: 0, column: 0)
    /// Whether the cursor was visible there.
    public private(set) var isCursorShown = false
    /// The number of requests to redraw the whole screen.
    public private(set) var repaintCount = 0
    /// The themes that were chosen, in order.
    public private(set) var themes: [Theme] = []
    /// Whether the mouse is used.
    public private(set) var usesMouse = true
    /// The number of requests to suspend the process.
    public private(set) var suspensionCount = 0

    /// The times in milliseconds that the browser would have waited in each pause.
    public private(set) var pauses: [Int?] = []
    /// The copied texts in order.
    public private(set) var copies: [String] = []
    /// Whether the terminal has a clipboard.
    public var hasClipboard = true
    /// The way in which the terminal shows pictures.
    public var pictures = PictureSupport.none

    private var steps: [Step]
    private let wakeUps = DispatchSemaphore(value: 0)

    /// A step of a script.
    public enum Step {
        /// These events, all at once.
        case events([Event])
        /// The window is resized.
        case resize(Size)
        /// No event for longer than any timeout.
        case pause
        /// No event until a background thread wakes the browser, for at most ten seconds.
        case wakeUp
        /// As many wake-ups as it takes until the last screen satisfies the condition, each within a minute.
        case wakeUps(until: (Canvas) -> Bool)
    }

    /// Creates a terminal of `size` whose input consists of `steps` and then ends.
    public init(size: Size, steps: [Step]) {
        self.size = size
        self.steps = steps
    }

    /// Creates a terminal of this size whose input consists of these keys and then ends.
    ///
    /// - Parameter keys: The keys as for `Step.keys(_:)`.
    public convenience init(columns: Int, rows: Int, keys: String) {
        self.init(size: Size(rows: rows, columns: columns), steps: Step.keys(keys))
    }

    /// Records the screen.
    public func show(_ canvas: Canvas, cursor: Position, isTyping: Bool) {
        precondition(canvas.size == size, "a screen must have the terminal's size")
        screens.append(canvas)
        self.cursor = cursor
        isCursorShown = isTyping
    }

    /// Returns the next events of the script, as from a user who types nothing while the browser is busy.
    public func waitForEvents(milliseconds: Int?) -> [Event] {
        guard !steps.isEmpty else { return [.endOfInput] }
        switch steps.removeFirst() {
        case .pause:
            pauses.append(milliseconds)
            return milliseconds == nil ? waitForEvents(milliseconds: nil) : [.timeOut]
        case .events(let events): return events
        case .wakeUp: return wakeUps.wait(timeout: .now() + 10) == .success ? [.wakeUp] : [.timeOut]
        case .wakeUps(let condition):
            if let screen = screens.last, condition(screen) { return waitForEvents(milliseconds: milliseconds) }
            guard wakeUps.wait(timeout: .now() + 60) == .success else { return [.timeOut] }
            steps.insert(.wakeUps(until: condition), at: 0)
            return [.wakeUp]
        case .resize(let size):
            self.size = size
            return [.resize]
        }
    }

    /// Counts the calls; the script determines when the browser wakes up.
    public var wakeUp: @Sendable () -> Void { { [wakeUps] in wakeUps.signal() } }

    /// Counts the calls.
    public func repaint() { repaintCount += 1 }

    /// Records the theme.
    public func use(_ theme: Theme) { themes.append(theme) }

    /// Records whether the mouse is used.
    public func useMouse(_ isOn: Bool) { usesMouse = isOn }

    /// Records the text.
    public func copy(_ text: String) -> Bool {
        if hasClipboard { copies.append(text) }
        return hasClipboard
    }

    /// Calls `body`.
    public func withTerminalReleased(_ body: () -> Void) { body() }

    /// Counts the calls.
    public func suspend() { suspensionCount += 1 }

    /// The text of the last screen, one line per row.
    public var text: String { screens.last?.text ?? "" }

    /// The text of a row of the last screen; rows below zero count from the bottom.
    public func row(_ row: Int) -> String {
        guard let screen = screens.last else { return "" }
        return screen.text(ofRow: row < 0 ? screen.size.rows + row : row)
    }
}

extension ScriptedTerminal.Step {
    /// Returns the steps for keys that are typed one after another.
    ///
    /// - Parameter keys: Names of keys as in the key table, separated by blanks: "j j PgDn ^d"; "(pause)" is a pause.
    public static func keys(_ keys: String) -> [Self] {
        keys.split(separator: " ").map { name in
            if name == "(pause)" { return .pause }
            if name.hasPrefix("Alt-") {
                let key = name.dropFirst(4)
                return .events([.key(.alt(key == "Backspace" ? "\u{7F}" : Character(String(key))))])
            }
            guard let key = Key(name: String(name)) else { preconditionFailure("no key is called \(name)") }
            return .events([.key(key)])
        }
    }

    /// Returns a mouse event.
    public static func mouse(_ action: Mouse.Action, row: Int, column: Int, time: Int = 0) -> Self {
        .events([.mouse(Mouse(action, at: Position(row: row, column: column), time: time))])
    }

    /// Returns a press and a release of the mouse button.
    public static func click(row: Int, column: Int, time: Int = 0) -> Self {
        let position = Position(row: row, column: column)
        return .events([
            .mouse(Mouse(.press, at: position, time: time)), .mouse(Mouse(.release, at: position, time: time)),
        ])
    }
}
